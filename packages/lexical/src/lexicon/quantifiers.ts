import { phraseTable } from './phrase-table.ts';

/** How many related things there must be, in front of a noun, where no number follows. */
export type WordQuantifier = 'none' | 'some' | 'several' | 'two';

export const QUANTIFIERS = phraseTable<WordQuantifier>([
  ...'no|not any|zero|none of the|not a single|no single|neither'.split('|').map((phrase) => [phrase, 'none'] as const),
  ...'any|some|a|an|one or more|at least one|at least a|at least 1|any of the|some of the|a single'
    .split('|')
    .map((phrase) => [phrase, 'some'] as const),
  ...'multiple|several|more than one|more than a|many different'
    .split('|')
    .map((phrase) => [phrase, 'several'] as const),
]);

/** "the most orders", "the largest number of orders": which end of a count. */
export const COUNT_SUPERLATIVES = phraseTable<'high' | 'low'>([
  ...'the most|most|the most number of|most number of|the largest number of|largest number of|the highest number of|highest number of|the greatest number of|greatest number of|the maximum number of|maximum number of|the biggest number of|the largest amount of|the highest count of|the largest quantity of|a maximum number of|the largest total number of|the most of the|the largest numbers of|the largest numer of|the top number of'
    .split('|')
    .map((phrase) => [phrase, 'high'] as const),
  ...'the fewest|fewest|the least|least|the least number of|least number of|the smallest number of|smallest number of|the lowest number of|lowest number of|the fewest number of|fewest number of|the minimum number of|minimum number of|the least amount of'
    .split('|')
    .map((phrase) => [phrase, 'low'] as const),
]);
