/**
 * Looks values up by other forms of their text, in the value index and in its peers. Usage: npm run -s values --prefix
 * bench [-- --quick]; 10^7 values: npm run -s values-large --prefix bench.
 */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { measureMismatches } from './values/mismatches.ts';
import { valueTables } from './values/tables.ts';

export const bench: Bench = {
  id: 'values',
  title: 'Looking up values',
  about:
    'The value index of `@askema/value-index` against a `LIKE` scan of SQLite, [minisearch](https://github.com/lucaong/minisearch) (`fuzzy: 0.2, prefix: true`) and ' +
    '[Fuse.js](https://github.com/krisk/Fuse) (`ignoreLocation: true, threshold: 0.4`). A peer stands only at the sizes that it can manage.',
  peers: ['better-sqlite3', 'minisearch', 'fuse.js'],
  parts: [
    ...valueTables({ sizes: [10_000, 100_000, 1_000_000], quick: [10_000], seconds: 3 }),
    {
      kind: 'measurement',
      id: 'mismatches',
      title: 'Real cells',
      about:
        'The value index alone, built for each database. It looks up what the mismatch questions of text2sql-dev say instead of the stored cell, and changed forms of cells of these databases and of those of Defog.',
      measure: ({ quick }) => measureMismatches(quick ? 100 : 1_000),
    },
  ],
  notes: [
    'Building takes longer than with any peer. It writes hashes of the forms of each value, and its trigrams, into a file, which stays and is kept up to date. Minisearch and Fuse.js build in memory, again at each start. The `LIKE` scan needs only the table.',
    'A `LIKE` scan finds a text only as it stands in the cell. On misspelt and abbreviated texts its time is the time of not finding them.',
    'Among fewer than 50,000 values, an abbreviated text goes through every stage of the look-up, so that nothing near is missed. That takes 2 to 4 ms: about half for comparing some 150 cells letter by letter, most of the rest for reading trigrams. Minisearch holds everything in memory and is faster there at 10^4 values. With more values the stages end as soon as most words agree, and the value index is faster.',
  ],
};

await main(import.meta.url, bench);
