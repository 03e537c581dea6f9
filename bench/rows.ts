/** Large results: time and memory. Usage: npm run -s rows --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

export const bench: Bench = {
  id: 'rows',
  title: 'Large results',
  about:
    'All rows of a SQLite table of five columns, written to a file: a whole process from start to end, and the most memory that it and its worker process ever had (`VmHWM` of Linux). The driver runs in the same process and has no deadline.',
  peers: ['better-sqlite3'],
  parts: [
    {
      kind: 'measurement',
      id: 'ways',
      title: 'A million rows',
      about: 'The ways take turns; the time is the median of the rounds, the memory the highest of them.',
      measure: async (options) => (await import('./rows/measure-ways.ts')).measureWays(options),
    },
  ],
  notes: [
    'An empty program of Node and an answer of one row show what does not depend on the result. What streaming adds to that is mostly what V8 leaves lying until it collects: the driver alone adds no less. The rows cross from the worker to the process, which costs more than reading them.',
  ],
};

await main(import.meta.url, bench);
