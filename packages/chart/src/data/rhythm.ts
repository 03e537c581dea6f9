import { STEP_MS, type TimeGrain } from '../facts/time-values.ts';

/** How the points of a line follow each other in time. */
export interface Rhythm {
  /** Whether something is missing between two points that follow each other. */
  isGap(first: number, second: number): boolean;
  /** Steps of the grain without a point that a line passes over, because there is no rhythm to be broken. */
  readonly passedOver: number;
}

/**
 * Up to this share of equal steps, days and weeks have no rhythm. Of years, quarters and months the shortest step is
 * the rhythm then.
 */
const REGULAR: Readonly<Record<TimeGrain, number>> = {
  ...{ year: 0.5, quarter: 0.5, month: 0.5 },
  ...{ week: 0.8, day: 0.8, instant: 1 },
};

/** `times` in order. Without a grain, or of moments, nothing is known to be missing. */
export function rhythmOf(times: readonly number[], grain: TimeGrain | undefined): Rhythm {
  const stepMs = grain === undefined ? undefined : STEP_MS[grain];
  if (grain === undefined || stepMs === undefined) return { isGap: () => false, passedOver: 0 };
  const isWorkingWeek = grain === 'day' && times.every((at) => weekdayOf(at) < 5);
  const stepsOf = (first: number, second: number): number =>
    isWorkingWeek ? workingDay(second) - workingDay(first) : Math.round((second - first) / stepMs);
  const steps = times.slice(1).map((at, index) => stepsOf(times[index] ?? at, at));
  const usual = usualStep(steps, grain);
  if (usual !== undefined) return { isGap: (first, second) => stepsOf(first, second) > usual, passedOver: 0 };
  return { isGap: () => false, passedOver: steps.reduce((sum, step) => sum + Math.max(0, step - 1), 0) };
}

/** The step that most points keep, or undefined where most keep none. */
function usualStep(steps: readonly number[], grain: TimeGrain): number | undefined {
  const counts = new Map<number, number>();
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1);
  const [usual, count] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0]);
  if (steps.length > 1 && count / steps.length > REGULAR[grain]) return usual;
  return REGULAR[grain] > 0.5 || steps.length < 2 ? undefined : Math.max(1, Math.min(...counts.keys()));
}

/** Days since 1970, which began on a Thursday; 0 is Monday. */
const dayOf = (at: number): number => Math.floor(at / 86_400_000);
const weekdayOf = (at: number): number => (((dayOf(at) + 3) % 7) + 7) % 7;

/** Days of work are counted where no row falls on a weekend. */
function workingDay(at: number): number {
  return Math.floor((dayOf(at) + 3) / 7) * 5 + weekdayOf(at);
}
