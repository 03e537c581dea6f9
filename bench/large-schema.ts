/** Questions about databases of many tables. Usage: npm run -s large-schema --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

export const bench: Bench = {
  id: 'large-schema',
  title: 'Many tables',
  about:
    'SQLite files of many tables of 8 columns with keys and three rows, in families by area, region and month, as a large company has them. The packages are built ones.',
  peers: [],
  parts: [
    {
      kind: 'measurement',
      id: 'questions',
      title: 'A question over so many tables',
      about:
        '`ask` is the whole command without a model, a search for a value included, which reads the schema and keeps it on disk (`--refresh`); `second start` is the same command again, which finds it there. `second` is the second question of an open instance, half a second after the first, the median of three: `lexical` by the built-in reader, `plain` with a model that answers at once. `processor` is the time of the processor for the process that asks; `memory` is the most that it held.',
      measure: async (options) => (await import('./large-schema/measure.ts')).measureQuestions(options),
    },
  ],
  notes: [
    'Reading the schema grows with the tables, and so does the first question. A later one pays for what it chooses: at most 150 tables are searched for its words, and the text of the schema is made for those that it names.',
  ],
};

await main(import.meta.url, bench);
