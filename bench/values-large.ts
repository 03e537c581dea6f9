/**
 * The value index with 10^7 values; takes some minutes and is not part of `all`. Usage: npm run -s values-large
 * --prefix bench
 */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { valueTables } from './values/tables.ts';

export const bench: Bench = {
  id: 'values-large',
  title: 'Looking up values among ten million',
  about:
    'The value index of `@askema/value-index` against a `LIKE` scan of SQLite; we did not try minisearch and Fuse.js, which hold everything in memory.',
  peers: ['better-sqlite3'],
  parts: valueTables({
    sizes: [1_000_000, 10_000_000],
    quick: [100_000],
    seconds: 20,
    only: ['value-index', 'LIKE scan'],
  }),
  notes: [
    'Among ten million made names, more cells are as near to a misspelt or abbreviated text as the one that was meant, and the first five hold fewer of them. That is probably why recall falls; we did not check it. Each value takes longer to build than at 10^6 (n^1.1 in processor time), most likely because the trees of a file of 2 GB no longer fit into the cache of SQLite.',
  ],
};

await main(import.meta.url, bench);
