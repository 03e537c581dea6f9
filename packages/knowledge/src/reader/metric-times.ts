import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { TIME_GRAINS, type TimeGrain } from '../model/semantic-model.ts';
import { addDays } from '../time/days.ts';
import { metricTitle } from './meaning.ts';
import type { Choice } from './resolve.ts';

/** The grain at which metrics are shown, and what is wrong with it. */
export interface NeededGrain {
  readonly shown?: TimeGrain | undefined;
  /** Nobody said it, but values of another time are compared for each of them. */
  readonly isAdded: boolean;
  readonly isFiscal: boolean;
  readonly problem?: string | undefined;
}

export function neededGrain({ draft, metrics, measures }: Choice): NeededGrain {
  const slot = draft.groups.find((group) => group.kind === 'grain');
  const said = slot?.kind === 'grain' ? slot.grain : undefined;
  const isFiscal = (slot?.kind === 'grain' && slot.isFiscal) || draft.time?.isFiscal === true;
  const titles = metrics.map(metricTitle).join(' and ');
  const shifts = measures.flatMap((measure) => measure.shifts);
  const units = [...new Set(shifts.map((shift) => (shift.kind === 'back' ? shift.window.unit : shift.grain)))];
  const isRunning = measures.some(({ running }) => running !== undefined);
  const isStart = shifts.some(({ kind }) => kind === 'start');
  const [unit] = units;
  const shown = said ?? (units.length === 1 && !isRunning && !isStart ? unit : undefined);
  const result = { shown, isAdded: said === undefined && shown !== undefined, isFiscal: false };
  const needsTime = draft.time !== undefined || shown !== undefined;
  if (needsTime && measures.some(({ time }) => time === undefined))
    return { ...result, problem: `${titles} has no time by which it can be limited or shown.` };
  if ((isRunning || units.length > 0) && shown === undefined)
    return { ...result, problem: `${titles} has values for periods; say for which, such as "by month".` };
  const wrong = shown === undefined ? undefined : units.find((other) => !isWithin(shown, other));
  if (wrong !== undefined)
    return { ...result, problem: `${titles} goes back by ${wrong}s and cannot be shown by ${shown}.` };
  const { from, to } = draft.time?.range ?? {};
  const isOneDay = from !== undefined && to === addDays(from, 1);
  if (isOneDay && measures.some(({ lasting }) => lasting !== undefined))
    return {
      ...result,
      problem: `${titles} is known for some days only, maybe not for ${from}; ask for a longer time.`,
    };
  return { ...result, isFiscal: isFiscal && (shown === 'year' || shown === 'quarter') };
}

/** Weeks do not add up to months. */
function isWithin(grain: TimeGrain, outer: TimeGrain): boolean {
  if (grain === 'week') return outer === 'week';
  return TIME_GRAINS.indexOf(grain) <= TIME_GRAINS.indexOf(outer);
}

/** What is taken for granted about times, each one sentence. */
export function timeAssumptions(choice: Choice, { knowledge }: BoundKnowledge): readonly string[] {
  const { draft, measures } = choice;
  const { shown, isAdded, isFiscal } = neededGrain(choice);
  const said: string[] = [];
  if (draft.time?.assumption !== undefined) said.push(draft.time.assumption);
  if (isAdded) said.push(`It is shown for each ${shown}.`);
  if (draft.time === undefined && shown === undefined) return said;
  for (const { dataset, time } of measures) {
    const others = [...dataset.fields.values()].filter((field) => field.isTime);
    if (time !== undefined && others.length > 1)
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
