/** The server under load, against the drivers behind the same framework. Usage: npm run -s server --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { startPostgres } from './harness/postgres-server.ts';

export const bench: Bench = {
  id: 'server',
  title: 'The server under load',
  about: 'TODO',
  peers: ['hono', '@hono/node-server', 'autocannon', 'pg', 'better-sqlite3'],
  start: startPostgres,
  versions: async () => (await import('./throughput/engines.ts')).versions(),
  parts: [
    {
      kind: 'measurement',
      id: 'analyst',
      title: 'Questions of an analyst',
      measure: async (options) => (await import('./server/measure-load.ts')).measureLoad('analyst', 'jsonl', options),
    },
    {
      kind: 'measurement',
      id: 'lookup',
      title: 'A row by its key',
      measure: async (options) => (await import('./server/measure-load.ts')).measureLoad('lookup', 'jsonl', options),
    },
    {
      kind: 'measurement',
      id: 'analyst-memory',
      title: 'Questions of an analyst, runs in memory',
      measure: async (options) => (await import('./server/measure-load.ts')).measureLoad('analyst', 'memory', options),
    },
  ],
  notes: [],
};

await main(import.meta.url, bench);
