import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Adapter, resolveAdapter } from '@askema/core';
import { mysql } from '@askema/mysql';
import { postgres } from '@askema/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import { describeComments, PEOPLE } from '../test-support/describe-comments.ts';
import { telemetry } from '../test-support/telemetry.ts';

interface Engine {
  adapter(): Adapter;
  /** What the server's log says by now. */
  log(): string;
  /** Lists what the other sessions do. */
  readonly sessions: string;
  readonly manyRows: string;
}

const started: StartedServer[] = [];
afterAll(async () => {
  for (const server of started) await server.stop();
}, 60_000);

async function start(program: string, settings: readonly string[], needs: string) {
  const server = await startServer(program, settings, { needs });
  started.push(server);
  const { host, port, user, password } = server.ready;
  const folder = dirname(String(server.ready.sockets ?? server.ready.socket));
  return {
    folder,
    place: { host: String(host), port: Number(port), user: String(user), password: String(password) },
  };
}

async function fill(adapter: Adapter, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await adapter.query(sql, { access: 'write' });
}

async function startPostgres(): Promise<Engine> {
  const log = ['logging_collector=on', 'log_filename=statements.log', 'log_statement=all', 'log_min_messages=log'];
  const needs = 'a PostgreSQL server (Debian: apt-get install postgresql)';
  const { place, folder } = await start('postgres/start.mjs', log, needs);
  const adapter = () => resolveAdapter(postgres({ ...place, database: 'postgres', ssl: false, access: 'write' }));
  await using maker = adapter();
  await fill(maker, PEOPLE);
  return {
    adapter,
    log: () => readFileSync(join(folder, 'data', 'log', 'statements.log'), 'utf8'),
    sessions: 'SELECT query FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
    manyRows: 'SELECT generate_series(1, 200000) AS n',
  };
}

async function startMariadb(): Promise<Engine> {
  const needs = 'a MariaDB server (Debian: apt-get install mariadb-server)';
  const log = ['--general-log=1', '--general-log-file=statements.log'];
  const { place, folder } = await start('mariadb/start.mjs', log, needs);
  const adapter = (database?: string) =>
    resolveAdapter(mysql({ ...place, ...(database === undefined ? {} : { database }), access: 'write' }));
  await using empty = adapter();
  await fill(empty, ['CREATE DATABASE test']);
  await using maker = adapter('test');
  // What asks for definitions must not open a view that calls something: the adapter sees to it by the text.
  const calling = ['CREATE FUNCTION one() RETURNS INT RETURN 1', 'CREATE VIEW calling AS SELECT one() AS n'];
  await fill(maker, [...PEOPLE, ...calling]);
  return {
    adapter: () => adapter('test'),
    log: () => readFileSync(join(folder, 'data', 'statements.log'), 'utf8'),
    sessions: 'SELECT INFO FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID()',
    manyRows:
      "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 900) SELECT a.n, REPEAT('x', 99) AS t FROM c AS a, c AS b",
  };
}

const ENGINES = [
  ['PostgreSQL', startPostgres, '$1'],
  ['MariaDB', startMariadb, '?'],
] as const;
const engines: Engine[] = [];
beforeAll(async () => {
  for (const [, open] of ENGINES) engines.push(await open());
}, 240_000);

it.each(ENGINES.map(([name], index) => [name, index] as const))(
  '10: %s shows which trace a statement belongs to while it runs, and in its log',
  async (_, index) => {
    const { adapter, sessions, manyRows, log } = engines[index] as Engine;
    using sdk = telemetry();
    await using watched = sdk.tracing.adapter(adapter(), { comments: true });
    await using watching = adapter();
    const rows = await watched.stream(manyRows);
    await rows[Symbol.asyncIterator]().next();
    const running = (await watching.query(sessions)).rows.flat();
    await rows.close();
    const { traceId, spanId } = sdk.spans()[0]?.spanContext() ?? { traceId: '', spanId: '' };
    const comment = `/*traceparent='00-${traceId}-${spanId}-01'*/`;
    expect(running).toContain(`${manyRows} ${comment}`);
    expect(log()).toContain(comment);
  },
);

for (const [index, [name, , parameter]] of ENGINES.entries())
  describeComments(name, async () => ({ adapter: (engines[index] as Engine).adapter(), parameter }));
