import { DAY_MS, type TimeGrain } from '../facts/time-values.ts';
import type { Places } from './places.ts';

/** How the places of an axis follow each other. */
export interface Rhythm {
  /** The number of a place when steps are counted. */
  stepOf(at: number): number;
  /** Steps from a place to the next where nothing is missing. */
  readonly usual: number;
}

/** As many equal steps as this are a rhythm, of which others are deviations. */
const REGULAR = 0.8;
/** Numbers with more decimals stand on no grid that a person sees. */
const FINEST = 1e-4;
/** More steps between the first and the last number are no grid either. */
const MOST_STEPS = 10_000;

/** Of all lines of a picture together, so that a step that only one of them lacks is missing there. */
export function rhythmAlong({ kind, grain }: Places, all: readonly (number | undefined)[]): Rhythm | undefined {
  const places = Array.from(Float64Array.from(all.filter((at) => at !== undefined)).sort());
  const own = places.filter((at, index) => at !== places[index - 1]);
  return kind === 'time' ? rhythmOfTimes(own, grain) : kind === 'number' ? rhythmOfNumbers(own) : undefined;
}

/**
 * The rhythm of an axis of time, whose `times` stand in order: each step of the calendar has a place, if not nearly all
 * of them keep a longer one. Undefined for moments that follow none.
 */
function rhythmOfTimes(times: readonly number[], grain: TimeGrain | undefined): Rhythm | undefined {
  if (grain === undefined) return undefined;
  const unit = grain === 'day' || grain === 'instant' ? coarsest(times, grain) : grain;
  if (unit === 'instant') return rhythmOfMoments(times);
  const isWorkingWeek = unit === 'day' && times.length > 5 && times.every((at) => weekdayOf(at) < 5);
  const stepOf = isWorkingWeek ? workingDay : STEP_OF[unit];
  const steps = stepsBetween(times.map(stepOf));
  const most = majority(steps);
  // One or two equal steps may be chance; of years, halves and quarters they are read as meant.
  const isMeant =
    unit === 'month' ? most.value % (steps.length === 1 ? 6 : 3) === 0 : unit === 'year' && steps.length > 1;
  const isKept = steps.length > 2 || (steps.length > 0 && isMeant);
  return { stepOf, usual: isKept && most.count / steps.length > REGULAR ? Math.max(1, most.value) : 1 };
}

/** The grid that all of these numbers, in order, stand on; undefined where there is none. */
function rhythmOfNumbers(numbers: readonly number[]): Rhythm | undefined {
  const [first, last] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  let grid = 0;
  for (const step of stepsBetween(numbers)) {
    grid = commonStep(grid, step);
    if (!(grid > FINEST / 2) || (last - first) / grid > Math.max(MOST_STEPS, 4 * numbers.length)) return undefined;
  }
  return grid === 0 ? undefined : { stepOf: (at) => Math.round((at - first) / grid), usual: 1 };
}

/** Euclid's, of numbers with a few decimals. */
function commonStep(first: number, second: number): number {
  let [large, small] = [Math.max(first, second), Math.min(first, second)];
  while (small > FINEST / 2) {
    const rest = large % small;
    [large, small] = [small, small - rest < FINEST / 2 ? 0 : rest];
  }
  return large;
}

/** Moments at one distance, as of measurements. What more than half of the steps are is the rhythm. */
function rhythmOfMoments(times: readonly number[]): Rhythm | undefined {
  const steps = stepsBetween(times);
  const { value, count } = majority(steps);
  if (steps.length < 2 || count <= steps.length / 2 || value === 0) return undefined;
  const first = times[0] ?? 0;
  return { stepOf: (at) => Math.round((at - first) / value), usual: 1 };
}

const stepsBetween = (places: readonly number[]): readonly number[] =>
  places.slice(1).map((at, index) => at - (places[index] as number));

/**
 * The step that more than half of them are, if one is: what is left when different ones cancel each other out (Boyer,
 * Moore 1981).
 */
function majority(steps: readonly number[]): { readonly value: number; readonly count: number } {
  let [value, lead] = [0, 0];
  for (const step of steps) {
    if (lead === 0) value = step;
    lead += step === value ? 1 : -1;
  }
  return { value, count: steps.reduce((count, step) => count + Number(step === value), 0) };
}

type Unit = Exclude<TimeGrain, 'instant'>;

/** What days and moments that all are the first of a month or a week stand for. */
function coarsest(times: readonly number[], grain: 'day' | 'instant'): TimeGrain {
  if (!times.every((at) => at % DAY_MS === 0)) return grain;
  if (times.length < 3) return 'day';
  if (times.every((at) => new Date(at).getUTCDate() === 1)) return 'month';
  return times.every((at) => weekdayOf(at) === weekdayOf(times[0] ?? at)) ? 'week' : 'day';
}

const yearOf = (at: number): number => new Date(at).getUTCFullYear();
const monthOf = (at: number): number => yearOf(at) * 12 + new Date(at).getUTCMonth();
/** Days since 1970, which began on a Thursday; 0 is Monday. */
const dayOf = (at: number): number => Math.floor(at / DAY_MS);
const weekdayOf = (at: number): number => (((dayOf(at) + 3) % 7) + 7) % 7;
const weekOf = (at: number): number => Math.floor((dayOf(at) + 3) / 7);

/** The number of the step of the calendar that a point of time falls into. */
export const STEP_OF: Readonly<Record<Unit, (at: number) => number>> = {
  ...{ year: yearOf, month: monthOf, week: weekOf, day: dayOf },
  quarter: (at) => Math.floor(monthOf(at) / 3),
};

/** Days of work are counted where no row falls on a weekend. */
const workingDay = (at: number): number => weekOf(at) * 5 + weekdayOf(at);
