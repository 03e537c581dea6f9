/** Questions a second, against the drivers alone. Usage: npm run -s throughput --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { startPostgres } from './harness/postgres-server.ts';

export const bench: Bench = {
  id: 'throughput',
  title: 'Questions a second',
  about:
    'The sample database (11 tables) in three engines, and one statement over four of its tables. `driver` runs the statement alone: a pool of pg, @duckdb/node-api with a connection for each statement at a time, better-sqlite3. `query` runs it through the adapter: read only, with a deadline, an abort and caps. `ask` answers a question by the plain flow with a model of this process that answers at once: it makes the prompt, checks the reply, runs the statement, and makes the outcome. All with their default options. They take turns of a second each.',
  peers: ['pg', 'better-sqlite3'],
  start: startPostgres,
  versions: async () => (await import('./throughput/engines.ts')).versions(),
  parts: [
    {
      kind: 'measurement',
      id: 'rates',
      title: 'At 1, 8 and 32 at a time',
      about:
        'Medians of the turns. Ratios are of turns that follow each other. `processor` is the time of the process that asks, and that of the engine: the processes of the server, or of the adapter.',
      measure: async (options) => (await import('./throughput/measure-rates.ts')).measureRates(options),
    },
  ],
  notes: [],
};

await main(import.meta.url, bench);
