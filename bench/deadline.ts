/** How long after its deadline a query is answered, and dead. Usage: npm run -s deadline --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { postgresServer, startPostgres } from './harness/postgres-server.ts';

export const bench: Bench = {
  id: 'deadline',
  title: 'Deadlines',
  about:
    'A statement that never ends gets 250 ms. We measure from the deadline on: when the caller has its error, and when the engine no longer works on the statement (processor time of the worker processes, `pg_stat_activity` of the server). Median and worst.',
  peers: ['knex', 'pg'],
  start: startPostgres,
  parts: [
    {
      kind: 'measurement',
      id: 'engines',
      title: 'From deadline to dead query',
      measure: async ({ quick }) => {
        const engines = await import('./deadline/engines.ts');
        const { measureDeadlines } = await import('./deadline/measure-deadlines.ts');
        const times = quick ? 3 : 20;
        const rows = [
          await measureDeadlines('**askema, SQLite**', await engines.onSqlite(), times),
          await measureDeadlines('**askema, DuckDB**', await engines.onDuckdb(), times),
        ];
        const server = postgresServer();
        if (server !== undefined) {
          const at = `${server}/postgres`;
          rows.push(
            await measureDeadlines('**askema, PostgreSQL**', await engines.onPostgres(at), times),
            await measureDeadlines('knex, `timeout` with `cancel`', await engines.knexOnPostgres(at), times),
            await measureDeadlines('pg, `query_timeout`', await engines.pgQueryTimeout(at), times),
          );
        }
        return { columns: ['', 'runs', 'answered after', 'dead after'], rows };
      },
    },
  ],
  notes: [
    "better-sqlite3 and the drivers of DuckDB run a statement in the caller's process and have no deadline, so there is no peer. Whether a statement of SQLite or DuckDB still runs shows in the ticks of its process. A tick is 10 ms and we look every 25 ms, so smaller differences mean nothing. Snowflake and BigQuery do not run here.",
  ],
};

await main(import.meta.url, bench);
