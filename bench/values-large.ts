/** The value index with 10^7 values; takes some minutes and is not part of `all`. Usage: npm run -s values-large --prefix bench */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { valueTables } from './values/tables.ts';

export const bench: Bench = {
  id: 'values-large',
  title: 'Looking up values among ten million',
  about: 'The value index of `@askema/value-index`; its peers hold everything in memory, or scan all of it.',
  peers: ['better-sqlite3'],
  parts: valueTables({ sizes: [1_000_000, 10_000_000], quick: [100_000], seconds: 20, only: ['value-index'] }),
  notes: [],
};

await main(import.meta.url, bench);
