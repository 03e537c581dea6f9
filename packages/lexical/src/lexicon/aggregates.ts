import { phraseSet, phraseTable } from './phrase-table.ts';

export type AggregateFunction = 'avg' | 'sum' | 'min' | 'max';

/** Words in front of what is aggregated; "of" and "the" behind them are skipped by the grammar. */
export const AGGREGATES = phraseTable<AggregateFunction>([
  ...'average|mean|avg|the average|average value|mean value|average amount|average number'
    .split('|')
    .map((phrase) => [phrase, 'avg'] as const),
  ...'total|sum|overall|combined|the sum|the total|total sum|total amount|sum total|summed|cumulative|total value|aggregate'
    .split('|')
    .map((phrase) => [phrase, 'sum'] as const),
  ...'maximum|max|highest|largest|greatest|biggest|maximal|longest|latest|most recent|tallest|heaviest|oldest|fastest|newest'
    .split('|')
    .map((phrase) => [phrase, 'max'] as const),
  ...'minimum|min|lowest|smallest|minimal|shortest|earliest|lightest|youngest|slowest|cheapest'
    .split('|')
    .map((phrase) => [phrase, 'min'] as const),
]);

/** Introduces a count of what follows. */
export const COUNT_PHRASES = phraseSet(
  'number of|numbers of|the number of|the numbers of|total number of|the total number of|count of|the count of|total count of|the total count of|amount of|the amount of|quantity of|counts of|number|total number|the total number'.split(
    '|',
  ),
);

export const HOW_MANY = phraseSet([
  'how many',
  'how many of',
  'how many of the',
  'count',
  'count how many',
  'count the number of',
  'how many total',
]);

/** Introduces a share, in percent, of what follows. */
export const SHARES = phraseSet([
  'percentage of',
  'percent of',
  '% of',
  'share of',
  'proportion of',
  'percentage of all',
  'percentage of the',
  'share of all',
  'share of the',
]);
