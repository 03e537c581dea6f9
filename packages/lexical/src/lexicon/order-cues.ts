import { optional, phraseChain, phraseSet, phraseTable } from './phrase-table.ts';

export type Direction = 'ascending' | 'descending';

/** "sorted by" and its like; a sort key follows. */
export const SORTED_BY = phraseSet(
  (
    'sorted by|ordered by|order by|sort by|ranked by|arranged by|listed by|sorted according to|ordered according to|in order of|in the order of|in order by|sorted in order of|ordered in order of|and sort by|and order by|' +
    'and sort them by|sort them by|order them by|sort the results by|sort the result by|order the results by|order the result by|sort the list by|order the list by|and order them by|rank them by|ranked according to|and sort the results by|and sort the result by|by order of'
  ).split('|'),
);

const ASCENDING =
  'ascending|increasing|ascendant|rising|asc|alphabetical|alphabetic|lexicographical|lexicographic|lexical|chronological|alphabetically|chronologically|forward alphabetical';
const DESCENDING =
  'descending|decreasing|descendant|falling|desc|reverse alphabetical|reverse alphabetic|reverse lexicographical|reverse lexicographic|reverse chronological|reversed alphabetical|inverse alphabetical|reverse';

/** "highest first". */
function firsts(direction: Direction, words: string): (readonly [string, Direction])[] {
  return words.split('|').flatMap((word) => [[`${word} first`, direction] as const, [`the ${word} first`, direction]]);
}

/** Behind a sort key: "in descending order", "from the highest to the lowest". */
export const KEY_DIRECTIONS = phraseTable<Direction>([
  ...firsts('descending', 'highest|largest|biggest|greatest|most|best'),
  ...firsts('ascending', 'lowest|smallest|fewest|least|worst'),
  ...(
    [
      ['ascending', ASCENDING],
      ['descending', DESCENDING],
    ] as const
  ).flatMap(([direction, words]) =>
    words
      .split('|')
      .flatMap((word) =>
        [
          word,
          `in ${word} order`,
          `in an ${word} order`,
          `in a ${word} order`,
          `in the ${word} order`,
          `${word} order`,
          `in ${word}`,
          `(${word})`,
        ].map((phrase) => [phrase, direction] as const),
      ),
  ),
]);

/** In front of a sort key: "in descending order of", "sorted in ascending order by". */
export const DIRECTION_PREFIXES = phraseChain<Direction>(
  [
    optional(
      phraseSet(
        'sorted|ordered|listed|sort them|order them|arranged|and sort them|and order them|ranked|sort the results|order the results'.split(
          '|',
        ),
      ),
    ),
    phraseSet(['in', 'in an', 'in a', 'in the', 'by']),
  ],
  phraseTable<Direction>([
    ...ASCENDING.split('|').map((word) => [word, 'ascending'] as const),
    ...DESCENDING.split('|').map((word) => [word, 'descending'] as const),
  ]),
  phraseSet(
    'order of|order by|order of the|order for|order according to|order based on|order with respect to|order'.split('|'),
  ),
);

/** "from the most to the least": the first end decides. */
export const RANGE_DIRECTIONS = phraseTable<Direction>(
  (
    [
      ['descending', 'highest|lowest'],
      ['descending', 'most|least'],
      ['descending', 'largest|smallest'],
      ['descending', 'biggest|smallest'],
      ['descending', 'greatest|least'],
      ['descending', 'greatest|smallest'],
      ['descending', 'high|low'],
      ['descending', 'large|small'],
      ['descending', 'more|less'],
      ['descending', 'most|fewest'],
      ['descending', 'z|a'],
      ['descending', 'latest|earliest'],
      ['descending', 'newest|oldest'],
      ['descending', 'most recent|least recent'],
      ['descending', 'longest|shortest'],
      ['descending', 'most expensive|least expensive'],
      ['descending', 'most expensive|cheapest'],
      ['descending', 'best|worst'],
    ] as const
  ).flatMap(([direction, pair]) => {
    const [high = '', low = ''] = pair.split('|');
    return ['', 'the '].flatMap((article) => [
      [`from ${article}${high} to ${article}${low}`, direction] as const,
      [`from ${article}${low} to ${article}${high}`, 'ascending'] as const,
      [`starting from ${article}${high} to ${article}${low}`, direction] as const,
      [`starting with ${article}${high}`, direction] as const,
      [`starting with ${article}${low}`, 'ascending'] as const,
    ]);
  }),
);

/** "from the oldest to the youngest": which dimension and end, by the word in front. */
export const THEN_BY = phraseSet(['then by', 'and then by', 'and by', 'and']);
