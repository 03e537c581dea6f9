import { phraseTable } from './phrase-table.ts';

/** Stretches of the calendar that rows are grouped by. */
export type TimeUnit = 'year' | 'quarter' | 'month';

export const TIME_UNITS: readonly TimeUnit[] = ['year', 'quarter', 'month'];

/** Behind a noun: "per month", "by year". */
export const PER_TIME = phraseTable<TimeUnit>(
  TIME_UNITS.flatMap((unit) =>
    [
      `per ${unit}`,
      `by ${unit}`,
      `each ${unit}`,
      `every ${unit}`,
      `for each ${unit}`,
      `in each ${unit}`,
      `a ${unit}`,
    ].map((phrase) => [phrase, unit] as const),
  ),
);

/** In front of a noun, or at the end: "monthly sales". */
export const TIME_ADJECTIVES = phraseTable<TimeUnit>([
  ['monthly', 'month'],
  ['quarterly', 'quarter'],
  ['yearly', 'year'],
  ['annually', 'year'],
]);
