import { execFile } from 'node:child_process';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { type AskemaError, createCallContext, isAskemaError, resolveAdapter } from '@askema/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PostgresOptions } from './options.ts';
import { postgres } from './postgres.ts';
import { createDatabase, type ServerParts, withClient } from './test-support/load-fixture.ts';
import { type StartedPostgres, startPostgres } from './test-support/start-postgres.ts';

const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n';
const ROWS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n';

let server: StartedPostgres;
let place: ServerParts;
beforeAll(async () => {
  server = await startPostgres();
  place = await createDatabase(server);
}, 120_000);
afterAll(() => server?.stop(), 60_000);

function open(options: PostgresOptions = {}, at: ServerParts = place) {
  const { host, port, user, password, database } = at;
  const spec = postgres({ host, port, user, password, database, ...options });
  return Object.assign(resolveAdapter(spec), { openConnections: spec.openConnections });
}

async function errorOf(promise: Promise<unknown>): Promise<AskemaError> {
  const thrown = await promise.then(
    () => new Error('It resolved.'),
    (error: unknown) => error,
  );
  if (!isAskemaError(thrown)) throw thrown;
  expect(JSON.stringify(thrown)).not.toContain(server.password);
  expect(thrown.stack).not.toContain(server.password);
  return thrown;
}

/** Statements of the adapter that still run, asked over a connection of one's own. */
async function stillRunning(at: ServerParts = place): Promise<unknown[]> {
  return withClient(at, async (client) => {
    let rows: unknown[] = [];
    // A backend notices its cancellation at the next interrupt.
    for (let round = 0; round < 40; round += 1) {
      ({ rows } = await client.query(
        "SELECT state, query FROM pg_stat_activity WHERE application_name = 'askema' AND state <> 'idle'",
      ));
      if (rows.length === 0) return rows;
      await client.query('SELECT pg_sleep(0.05)');
    }
    return rows;
  });
}

describe('a stopped call stops on the server', () => {
  it('at its deadline, on abort, when it is left early, and when the adapter is closed', async () => {
    const adapter = open();
    expect((await errorOf(adapter.query(ENDLESS, { timeoutMs: 300 }))).code).toBe('QUERY_TIMEOUT');
    expect(await stillRunning()).toEqual([]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const context = createCallContext({ signal: controller.signal });
    expect((await errorOf(adapter.query(ENDLESS, { context }))).code).toBe('ABORTED');
    expect(await stillRunning()).toEqual([]);
    const caps = {
      maxRows: 1e9,
      maxBytes: 1e12,
      timeoutMs: 30_000,
      access: 'read',
      context: createCallContext(),
    } as const;
    for await (const event of adapter.executor.execute(ROWS, caps)) if (event.type === 'rows') break;
    expect(await stillRunning()).toEqual([]);
    const running = errorOf(adapter.query(ENDLESS));
    setTimeout(() => void adapter.close(), 100);
    expect((await running).code).toBe('DATABASE_CLOSED');
    expect(await stillRunning()).toEqual([]);
  });

  it('although the server itself would have let it run: the request to cancel does it, not the time limit of the server', async () => {
    const adapter = open({ poolSize: 1 });
    await adapter.query('SELECT 1');
    const controller = new AbortController();
    const started = performance.now();
    setTimeout(() => controller.abort(), 100);
    const context = createCallContext({ signal: controller.signal });
    await errorOf(adapter.query(ENDLESS, { context, timeoutMs: 600_000 }));
    expect(await stillRunning()).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
    await adapter.close();
  });

  it('keeps a pool of its size, whatever is stopped', async () => {
    const adapter = open({ poolSize: 2 });
    const stopped = Array.from({ length: 6 }, () => errorOf(adapter.query(ENDLESS, { timeoutMs: 200 })));
    expect((await Promise.all(stopped)).map(({ code }) => code)).toEqual(stopped.map(() => 'QUERY_TIMEOUT'));
    expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
    expect(adapter.openConnections()).toBeLessThanOrEqual(2);
    await adapter.close();
    expect(adapter.openConnections()).toBe(0);
  });
});

describe('connections that end', () => {
  it('an idle one that the server ended is replaced without a word', async () => {
    const adapter = open({ poolSize: 1 });
    await adapter.query('SELECT 1');
    await withClient(place, (client) =>
      client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'askema'"),
    );
    expect((await adapter.query('SELECT 2')).rows).toEqual([[2]]);
    await adapter.close();
  });

  it('one that is ended while it works is DATABASE_UNAVAILABLE, and the next call works', async () => {
    const adapter = open({ poolSize: 1 });
    await adapter.query('SELECT 1');
    const running = errorOf(adapter.query(ENDLESS));
    setTimeout(
      () =>
        void withClient(place, (client) =>
          client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'askema'"),
        ),
      200,
    );
    expect(await running).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
    expect((await adapter.query('SELECT 2')).rows).toEqual([[2]]);
    await adapter.close();
  });

  it('a server that is stopped at once, with all that it does', async () => {
    const other = await startPostgres();
    const adapter = open({}, other);
    await adapter.query('SELECT 1');
    const running = errorOf(adapter.query(ENDLESS, { timeoutMs: 20_000 }));
    setTimeout(() => process.kill(other.serverPid, 'SIGQUIT'), 200);
    expect(await running).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
    const refused = await errorOf(adapter.query('SELECT 1'));
    expect(refused).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
    expect(refused.message).toMatch(/cannot be reached|broke off/);
    await adapter.close();
    await other.stop();
  });

  it('a network that swallows everything: the deadline rules', async () => {
    const hole = await openBlackHole(place);
    const adapter = open({ host: '127.0.0.1', port: hole.port });
    await adapter.query('SELECT 1');
    hole.swallow();
    const started = performance.now();
    expect((await errorOf(adapter.query('SELECT 1', { timeoutMs: 500 }))).code).toBe('QUERY_TIMEOUT');
    expect(performance.now() - started).toBeLessThan(4_000);
    await adapter.close();
    expect(performance.now() - started).toBeLessThan(8_000);
    hole.close();
  });
});

describe('what stands in the way of a connection', () => {
  it.each<[string, PostgresOptions, string, RegExp]>([
    ['a wrong password', { password: 'wrong-secret' }, 'CONFIG_INVALID', /password/i],
    ['no password', { password: () => '' }, 'CONFIG_INVALID', /password/i],
    ['a database that is not there', { database: 'no_such_database' }, 'DATABASE_NOT_FOUND', /no_such_database/],
    ['a port where nothing listens', { port: 1 }, 'DATABASE_UNAVAILABLE', /Nothing answers/],
    ['a folder without a socket', { host: '/tmp/no-such-folder' }, 'DATABASE_UNAVAILABLE', /socket/],
    ['a server without encryption', { ssl: true }, 'CONFIG_INVALID', /encryption/],
    ['a role that is not there', { user: 'nobody_here' }, 'CONFIG_INVALID', /nobody_here/],
  ])('%s', async (_, options, code, message) => {
    const adapter = open(options);
    const error = await errorOf(adapter.query('SELECT 1'));
    expect(error.code).toBe(code);
    expect(error.retryable).toBe(code === 'DATABASE_UNAVAILABLE');
    expect(error.message).toMatch(message);
    expect(JSON.stringify(error)).not.toContain('wrong-secret');
    await adapter.close();
  });

  it('too many connections: try again', async () => {
    await withClient(place, (client) => client.query("CREATE ROLE narrow LOGIN PASSWORD 'narrow' CONNECTION LIMIT 1"));
    const adapter = open({ user: 'narrow', password: () => Promise.resolve('narrow') });
    const slow = errorOf(adapter.query(ENDLESS, { timeoutMs: 2_000 }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await errorOf(adapter.query('SELECT 1'))).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
    expect((await slow).code).toBe('QUERY_TIMEOUT');
    await adapter.close();
  });

  it('the folder of a Unix socket is a host', async () => {
    const adapter = open({ host: server.sockets });
    expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
    expect((await errorOf(adapter.query(ENDLESS, { timeoutMs: 200 }))).code).toBe('QUERY_TIMEOUT');
    expect(await stillRunning()).toEqual([]);
    await adapter.close();
  });
});

describe('memory', () => {
  it('a cell of 300 MB is not collected', async () => {
    const adapter = open();
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 5);
    const sql = "SELECT 'small' UNION ALL SELECT repeat('x', 300000000)";
    const { rows, truncated } = await adapter.query(sql, { maxBytes: 1_000_000 });
    clearInterval(timer);
    expect({ rows, truncated }).toEqual({ rows: [['small']], truncated: 'bytes' });
    expect(most).toBeLessThan(100 * 1024 * 1024);
    expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
    await adapter.close();
  });
});

/** Passes bytes on until it is told to swallow them, and every new connection too. */
async function openBlackHole(target: ServerParts) {
  let open = true;
  const sockets: Socket[] = [];
  const proxy: Server = createServer((from) => {
    sockets.push(from);
    from.on('error', () => undefined);
    if (!open) return;
    const to = connect(target.port, target.host);
    sockets.push(to);
    to.on('error', () => undefined);
    from.on('data', (chunk) => open && to.write(chunk));
    to.on('data', (chunk) => open && from.write(chunk));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as { readonly port: number }).port,
    swallow: () => {
      open = false;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

it('statements that fail leave nothing on the connection that the next ones use', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  const adapter = open({ poolSize: 1 });
  for (let at = 0; at < 12; at += 1)
    await expect(adapter.query('SELECT 1 / (x - 3) FROM generate_series(1, 9) AS s (x)')).rejects.toMatchObject({
      code: 'QUERY_FAILED',
    });
  await adapter.close();
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

it('a program goes on after it has closed an adapter that lay idle', async () => {
  const program = `
    import { resolveAdapter } from '@askema/core';
    import { postgres } from '@askema/postgres';
    const adapter = resolveAdapter(postgres(JSON.parse(process.env.PLACE)));
    await adapter.introspect();
    await adapter.close();
    console.log('went on');`;
  const { host, port, user, password, database } = place;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@askema/source', '--no-warnings', '--input-type=module', '--eval', program],
    // Packages are found from the root of the workspace.
    {
      cwd: new URL('../../..', import.meta.url),
      env: { ...process.env, PLACE: JSON.stringify({ host, port, user, password, database }) },
    },
  );
  expect(stdout).toBe('went on\n');
});
