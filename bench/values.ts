/**
 * Looks values up by other forms of their text, in the value index and in its peers. Usage: npm run -s values --prefix bench [-- --quick]; 10^7
 * values: npm run -s values-large --prefix bench.
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
    '[Fuse.js](https://github.com/krisk/Fuse) (`ignoreLocation: true, threshold: 0.4`), as far as they take the size.',
  peers: ['better-sqlite3', 'minisearch', 'fuse.js'],
  parts: [
    ...valueTables({ sizes: [10_000, 100_000, 1_000_000], quick: [10_000], seconds: 3 }),
    {
      kind: 'measurement',
      id: 'mismatches',
      title: 'Real cells',
      about:
        'By the value index alone, built over each database: what the mismatch questions of text2sql-dev say instead of the cell that is stored, and changed forms of cells of its databases and of those of Defog.',
      measure: ({ quick }) => measureMismatches(quick ? 100 : 1_000),
    },
  ],
  notes: [
    'Building takes longer than with any peer: hashes of the forms of each value and its trigrams are written into a file, which stays and is brought up to date. Minisearch and Fuse.js build in memory, anew at each start; the `LIKE` scan needs nothing but the table.',
    'A `LIKE` scan finds texts that stand in the cell as they are, and nothing else: its speed on misspelt and abbreviated texts is that of not finding them.',
    'Among fewer than 50,000 values an abbreviated text goes through every stage of the look-up, so that nothing near is missed: 2 to 4 ms, of which about half is the comparing of some 150 cells letter by letter, and most of the rest the reading of trigrams. Minisearch, which holds ' +
      'everything in memory, is faster there at 10^4 values. Beyond, the stages end as soon as most words agree, and the order turns round.',
  ],
};

await main(import.meta.url, bench);
