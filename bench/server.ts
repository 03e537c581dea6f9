/** The server under load, against the drivers behind the same framework. Usage: npm run -s server --prefix bench [-- --quick] */
import type { Bench, Measurement } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { startPostgres } from './harness/postgres-server.ts';
import type { ServerRequest } from './server/protocol.ts';
import type { Workload } from './server/sales.ts';

const part = (
  workload: Workload,
  journal: ServerRequest['journal'],
  described: Pick<Measurement, 'id' | 'title' | 'about'>,
): Measurement => ({
  kind: 'measurement',
  ...described,
  measure: async (options) => (await import('./server/measure-load.ts')).measureLoad(workload, journal, options),
});

export const bench: Bench = {
  id: 'server',
  title: 'The server under load',
  about:
    'Two servers in processes of their own, both of Hono and @hono/node-server. `driver` runs a statement by the driver alone and sends its rows as JSON: better-sqlite3, a pool of ten connections of pg or of @duckdb/node-api. The other is that of `askema serve`: keys, audit, runs on disk that outlive `kill -9`. `ask` is a question to `POST /v1/ask`, by the plain flow with a model that answers at once; `sql` is the statement itself, to `POST /v1/sql`, which is looked through for mistakes before. The data are a million order lines with shops, products and customers, and ten million in DuckDB. autocannon sends requests over 1 to 256 connections, which take turns: so many requests as take about two seconds, and at least one of each; the first turn of three is not counted.',
  peers: ['hono', '@hono/node-server', 'autocannon', 'pg', 'better-sqlite3'],
  start: startPostgres,
  versions: async () => (await import('./throughput/engines.ts')).versions(),
  parts: [
    part('analyst', 'jsonl', {
      id: 'analyst',
      title: 'Questions of an analyst',
      about:
        'Ten questions about each of 22 months. A statement reads, joins and groups 41,000 lines, 410,000 in DuckDB. `processor` is the time of the server for each request, and that of the engine where it works in other processes.',
    }),
    part('lookup', 'jsonl', {
      id: 'lookup',
      title: 'A row by its key',
      about: 'The worst case: the engine takes some microseconds, so nearly all is what a request costs beside it.',
    }),
    part('lookup', 'memory', {
      id: 'lookup-in-memory',
      title: 'A row by its key, runs in memory',
      about: 'The same without a journal on disk: `server: { journal: false }`.',
    }),
  ],
  notes: [
    'A question of the plain flow is written down nine times, in two files with a lock each; that is about half of what it costs beside its statement. It is why a question outlives the server, and a server that keeps its runs in memory does not pay it. With `server.journal.fsync` each of the nine waits for the disk. A request that runs a statement of its own keeps nothing but two lines of the audit.',
    'The rest of a question: who asks, limits, the prompt, the check of the reply, a statement in another process that can be killed, the outcome. It takes the same time of the processor, whatever the statement takes. A model takes a thousand times as long.',
    'Over a million lines DuckDB takes 3 ms for a statement: a question is then 0.2 to 0.33 of the driver, a statement 0.41 to 0.51. For a row by its key all three are far below 0.4.',
    'SQLite: the driver blocks its thread, askema has two processes beside the one that answers. DuckDB: the driver may use all processors for one statement.',
    'The client runs on the same processors, and so do other programs. A request that goes through several processes waits for a processor at each of them, so the fewer are free, the worse askema looks beside the driver. The columns by processor time do not depend on that: they say how many requests the same processors answer.',
  ],
};

await main(import.meta.url, bench);
