import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { KnowledgeSettings } from '../model/knowledge.ts';
import { TIME_GRAINS, type TimeGrain } from '../model/semantic-model.ts';
import { addDays, type CalendarRules, type DayRange, periodOf } from '../time/days.ts';
import { metricTitle } from './meaning.ts';
import type { Choice } from './resolve.ts';

/** The grain at which metrics are shown, and what is wrong with it. */
export interface NeededGrain {
  readonly shown?: TimeGrain | undefined;
  /** Nobody said it, but values of another time are compared for each of them. */
  readonly isAdded: boolean;
  /** The limits of time are one period of that grain. */
  readonly isOnePeriod: boolean;
  readonly isFiscal: boolean;
  readonly problem?: string | undefined;
}

export function neededGrain({ draft, metrics, measures }: Choice, { knowledge }: BoundKnowledge): NeededGrain {
  const slot = draft.groups.find((group) => group.kind === 'grain');
  const said = slot?.kind === 'grain' ? slot.grain : undefined;
  const isFiscal = (slot?.kind === 'grain' && slot.isFiscal) || draft.time?.isFiscal === true;
  const titles = metrics.map(metricTitle).join(' and ');
  const shifts = measures.flatMap((measure) => measure.shifts);
  const units = [...new Set(shifts.map((shift) => (shift.kind === 'back' ? shift.window.unit : shift.grain)))];
  const isRunning = measures.some(({ running }) => running !== undefined);
  const isStart = shifts.some(({ kind }) => kind === 'start');
  const [unit] = units;
  const range = draft.time?.range ?? {};
  const rules = rulesOf(knowledge.settings, isFiscal);
  const added = units.length === 1 && !isRunning && !isStart ? unit : undefined;
  // "Growth against the year before in March" is that of March, not of a year of which only March counts.
  const finer = TIME_GRAINS.filter((grain) => isWithin(grain, added ?? 'day') && isOnePeriod(range, grain, rules));
  const shown = said ?? (added !== undefined && isCut(range, added, rules) ? finer.at(-1) : added);
  const result = {
    shown,
    isAdded: said === undefined && shown !== undefined,
    isOnePeriod: shown !== undefined && isOnePeriod(range, shown, rules),
    isFiscal: false,
  };
  const needsTime = draft.time !== undefined || shown !== undefined;
  if (needsTime && measures.some(({ time }) => time === undefined))
    return { ...result, problem: `${titles} has no time by which it can be limited or shown.` };
  if ((isRunning || units.length > 0) && shown === undefined)
    return { ...result, problem: `${titles} has values for periods; say for which, such as "by month".` };
  const wrong = shown === undefined ? undefined : units.find((other) => !isWithin(shown, other));
  if (wrong !== undefined)
    return { ...result, problem: `${titles} goes back by ${wrong}s and cannot be shown by ${shown}.` };
  if (shifts.length > 0 && shown !== undefined && isCut(range, shown, rules))
    return {
      ...result,
      problem: `${titles} compares whole ${shown}s, and the limits of time cut one; ask for whole ones.`,
    };
  const { from, to } = range;
  const isOneDay = from !== undefined && to === addDays(from, 1);
  if (isOneDay && measures.some(({ lasting }) => lasting !== undefined))
    return {
      ...result,
      problem: `${titles} is known for some days only, maybe not for ${from}; ask for a longer time.`,
    };
  return { ...result, isFiscal: isFiscal && (shown === 'year' || shown === 'quarter') };
}

function rulesOf({ weekStart = 'monday', fiscalYearStart = 1 }: KnowledgeSettings, isFiscal: boolean): CalendarRules {
  return { yearStart: isFiscal ? fiscalYearStart : 1, weekStart };
}

/** Whether a period begins before the limits or ends after them. */
function isCut({ from, to }: DayRange, grain: TimeGrain, rules: CalendarRules): boolean {
  return [from, to].some((day) => day !== undefined && periodOf(day, grain, rules).from !== day);
}

function holds({ from, to }: DayRange, day: string): boolean {
  return (from ?? day) <= day && (to === undefined || day < to);
}

function isOnePeriod({ from, to }: DayRange, grain: TimeGrain, rules: CalendarRules): boolean {
  if (from === undefined || to === undefined) return false;
  const period = periodOf(from, grain, rules);
  return period.from === from && period.to === to;
}

/** Weeks do not add up to months. */
function isWithin(grain: TimeGrain, outer: TimeGrain): boolean {
  if (grain === 'week') return outer === 'week';
  return TIME_GRAINS.indexOf(grain) <= TIME_GRAINS.indexOf(outer);
}

/** What is taken for granted about times, each one sentence. */
export function timeAssumptions(choice: Choice, bound: BoundKnowledge, today: string): readonly string[] {
  const { knowledge } = bound;
  const { draft, measures } = choice;
  const { shown, isAdded, isFiscal } = neededGrain(choice, bound);
  const said: string[] = [];
  if (draft.time?.assumption !== undefined) said.push(draft.time.assumption);
  if (isAdded) said.push(`It is shown for each ${shown}.`);
  if (draft.time === undefined && shown === undefined) return said;
  const { from } = draft.time?.range ?? {};
  const isEndless = measures.some(
    ({ running }) => running !== undefined && running.window === undefined && running.grainToDate === undefined,
  );
  if (from !== undefined && isEndless) said.push(`Running values begin with the first row, not with ${from}.`);
  const rules = rulesOf(knowledge.settings, isFiscal);
  const isCompared = measures.some(({ shifts }) => shifts.length > 0);
  if (shown !== undefined && shown !== 'day' && today !== '' && isCompared && holds(draft.time?.range ?? {}, today))
    said.push(`The ${shown} of ${today} is not over, and is compared as far as it goes.`);
  if (shown !== undefined && isCut(draft.time?.range ?? {}, shown, rules))
    said.push(`Of the first or last ${shown}, only what lies within the limits of time counts.`);
  for (const { dataset, time } of measures) {
    const others = [...dataset.fields.values()].filter((field) => field.isTime);
    // Rows that others belong to are put in time by something that happened once: when a store opened.
    const isOneSide = bound.relationships.some(({ to }) => to === dataset);
    if (time !== undefined && (isOneSide || others.length > 1))
      said.push(`Rows of ${dataset.dataset.name} are put in time by ${time.name}.`);
  }
  const hasFiscal = (knowledge.settings.fiscalYearStart ?? 1) !== 1;
  if (
    hasFiscal &&
    !isFiscal &&
    draft.time?.isFiscal !== true &&
    (shown === 'year' || shown === 'quarter' || isLong(choice))
  )
    said.push('Years and quarters are those of the calendar, not fiscal ones.');
  return [...new Set(said)];
}

/** A quarter or longer. */
function isLong({ draft }: Choice): boolean {
  const { from, to } = draft.time?.range ?? {};
  return from !== undefined && to !== undefined && Date.parse(to) - Date.parse(from) >= 89 * 86_400_000;
}
