import { readFileSync } from 'node:fs';
import {
  type Adapter,
  type AskemaError,
  createCallContext,
  indexSchema,
  resolveAdapter,
  type Value,
} from '@askema/core';
import { adapterFixture } from '@askema/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mysql } from './mysql.ts';
import { openAddress } from './open-address.ts';
import type { MysqlOptions } from './options.ts';
import { loadFixture, withClient } from './test-support/load-fixture.ts';
import { type StartedMariadb, startMariadb } from './test-support/start-mariadb.ts';

let server: StartedMariadb;
let folding: StartedMariadb;
let database: string;

beforeAll(async () => {
  [server, folding] = await Promise.all([startMariadb(), startMariadb('--lower-case-table-names=1', '--tls')]);
  database = await loadFixture(server, adapterFixture('shop'));
}, 120_000);
afterAll(() => Promise.all([server?.stop(), folding?.stop()]), 60_000);

async function open<T>(options: Partial<MysqlOptions>, work: (adapter: Adapter) => Promise<T>): Promise<T> {
  const { host, port, user, password } = server;
  const adapter = resolveAdapter(mysql({ product: 'mariadb', host, port, user, password, database, ...options }));
  try {
    return await work(adapter);
  } finally {
    await adapter.close();
  }
}

const failure = (options: Partial<MysqlOptions>, sql = 'SELECT 1'): Promise<AskemaError> =>
  open(options, (adapter) =>
    adapter.query(sql).then(
      () => Promise.reject(new Error('It ran.')),
      (error: AskemaError) => error,
    ),
  );

describe('connecting', () => {
  it.each<[string, Partial<MysqlOptions>, string, RegExp]>([
    ['a wrong password', { password: 'wrong' }, 'CONFIG_INVALID', /Access denied.*MYSQL_PWD/],
    ['a database that is not there', { database: 'nowhere' }, 'DATABASE_NOT_FOUND', /nowhere.*SHOW DATABASES/],
    ['a port where nothing answers', { port: 1 }, 'DATABASE_UNAVAILABLE', /Nothing answers/],
    ['a server without encryption', { ssl: true }, 'CONFIG_INVALID', /has no encryption/],
  ])('%s is told, with what to do and without the password', async (_what, options, code, message) => {
    const error = await failure(options);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(String(error.stack)).not.toContain(server.password);
  });

  it('goes through a Unix socket, and asks for the password when it connects', async () => {
    const password = async () => server.password;
    await open({ host: server.socket, password }, async (adapter) =>
      expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]),
    );
  });

  it('takes a certificate of a known authority and of this host only, unless told otherwise', async () => {
    const ca = readFileSync(folding.certificate, 'utf8');
    const tls = { port: folding.port, database: undefined };
    expect((await failure({ ...tls, host: 'localhost', ssl: true })).message).toMatch(/certificate.*not trusted/);
    const cipher = async (options: Partial<MysqlOptions>) =>
      open(
        { ...tls, ...options },
        async (adapter) => (await adapter.query("SHOW STATUS LIKE 'Ssl_cipher'")).rows[0]?.[1],
      );
    expect(await cipher({ host: 'localhost', ssl: { ca } })).toMatch(/TLS/);
    expect(await cipher({ host: 'localhost', ssl: { rejectUnauthorized: false } })).toMatch(/TLS/);
    expect(await cipher({ host: 'localhost' })).toBe('');
  });

  it('opens an address, with the password of the environment', async () => {
    const address = `mariadb://${server.user}@127.0.0.1:${server.port}/${database}`;
    const request = { access: 'read', environment: { MYSQL_PWD: server.password }, folder: '.' } as const;
    const adapter = resolveAdapter(await openAddress(address, request));
    expect((await adapter.query('SELECT DATABASE()')).rows).toEqual([[database]]);
    await adapter.close();
    await expect(openAddress('mysql://a:b@host/x', request)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(openAddress('mysql://host/x?charset=x', request)).rejects.toThrow(/parameter `charset`/);
  });
});

describe('stopping', () => {
  const ENDLESS = 'SELECT COUNT(*) FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b WHERE a.seq % 7 = b.seq % 5';
  const running = (): Promise<unknown> =>
    withClient(server, async (client) =>
      client.query(
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT COUNT(*) FROM seq\\_1%'",
      ),
    ).then(([rows]) => rows);

  it('kills the statement on the server at the deadline and on abort', async () => {
    await open({}, async (adapter) => {
      const started = performance.now();
      await expect(adapter.query(ENDLESS, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
      const controller = new AbortController();
      const stopped = adapter.query(ENDLESS, { context: createCallContext({ signal: controller.signal }) });
      setTimeout(() => controller.abort(), 200);
      await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
      expect(performance.now() - started).toBeLessThan(5_000);
      await expect.poll(running, { timeout: 5_000 }).toEqual([[0]]);
    });
  });

  it('goes on after the server has ended its connection, and says so when that was under a statement', async () => {
    await open({ poolSize: 1 }, async (adapter) => {
      const [[id]] = (await adapter.query('SELECT CONNECTION_ID()')).rows as unknown as [[number]];
      await withClient(server, (client) => client.query(`KILL ${id}`));
      expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
      const [[again]] = (await adapter.query('SELECT CONNECTION_ID()')).rows as unknown as [[number]];
      const broken = adapter.query(ENDLESS, { timeoutMs: 20_000 });
      broken.catch(() => undefined);
      await expect.poll(running, { timeout: 10_000 }).toEqual([[1]]);
      await withClient(server, (client) => client.query(`KILL ${again}`));
      await expect(broken).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
      expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
    });
  });

  it('leaves no connection behind, also of cut results and failed statements', async () => {
    const spec = mysql({ product: 'mariadb', ...server, database, poolSize: 3 });
    const adapter = resolveAdapter(spec);
    const cut = await adapter.query('SELECT seq FROM seq_1_to_100000', { maxRows: 10 });
    expect([cut.rows.length, cut.truncated]).toEqual([10, 'rows']);
    for (let round = 0; round < 30; round += 1) {
      await adapter.query('SELECT seq FROM seq_1_to_100000 LIMIT 99999', { maxBytes: 1_000 });
      await adapter.query('SELECT * FROM nowhere').catch(() => undefined);
    }
    expect(spec.openConnections()).toBeLessThanOrEqual(3);
    await adapter.close();
    expect(spec.openConnections()).toBe(0);
  });

  it('does not collect a cell that is larger than the cap', async () => {
    await withClient(server, (client) => client.query('SET GLOBAL max_allowed_packet = 1073741824'));
    await open({}, async (adapter) => {
      await adapter.query('SELECT 1');
      const before = process.memoryUsage.rss();
      const { rows, truncated } = await adapter.query("SELECT 1, REPEAT('x', 300000000)", { maxBytes: 1_000_000 });
      expect({ rows, truncated }).toEqual({ rows: [], truncated: 'bytes' });
      expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
      expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
    });
  });
});

describe('values', () => {
  it.each<[string, Value, string]>([
    ['SELECT 18446744073709551615', 18_446_744_073_709_551_615n, 'bigint unsigned'],
    ['SELECT CAST(-9223372036854775808 AS SIGNED)', -9_223_372_036_854_775_808n, 'bigint'],
    [`SELECT CAST('${'9'.repeat(65)}' AS DECIMAL(65, 0))`, '9'.repeat(65), 'decimal(65,0)'],
    ["SELECT CAST('1.50' AS DECIMAL(10, 2))", '1.50', 'decimal(10,2)'],
    ["SELECT CAST('2024-02-29 23:59:58.125' AS DATETIME(6))", '2024-02-29T23:59:58.125000', 'datetime'],
    ["SELECT CAST('-100:00:01' AS TIME)", '-100:00:01', 'time'],
    ['SELECT f FROM odd', 0.1, 'float'],
    ['SELECT zero FROM odd', '0000-00-00', 'date'],
    ['SELECT flag FROM odd', true, 'bit(1)'],
    ['SELECT bits FROM odd', new Uint8Array([0x0a, 0xbc]), 'bit(12)'],
    ['SELECT y FROM odd', 2024, 'year'],
    ['SELECT doc FROM odd', { n: '12345678901234567890', list: [1, null] }, 'json'],
    ['SELECT e FROM odd', 'b', 'enum'],
    ['SELECT raw FROM odd', new Uint8Array([0, 0xff]), 'varbinary'],
    ['SELECT `__proto__` FROM odd', 7, 'int unsigned'],
    ['SELECT u FROM odd', '123e4567-e89b-12d3-a456-426614174000', 'uuid'],
    ["SELECT CONVERT(x'e9' USING latin1)", 'é', 'varchar'],
    ['SELECT NULL', null, 'null'],
  ])('%s', async (sql, value, nativeType) => {
    await withClient(server, (client) =>
      client.query(`USE ${database}; SET sql_mode = ''; CREATE TABLE IF NOT EXISTS odd (f FLOAT, zero DATE, flag BIT(1), bits BIT(12), y YEAR,
        doc JSON, e ENUM('a', 'b'), raw VARBINARY(9), \`__proto__\` INT UNSIGNED, u UUID, g POINT);
        DELETE FROM odd; INSERT INTO odd VALUES (0.1, '0000-00-00', 1, 0xabc, 2024, '{"n": 12345678901234567890, "list": [1, null]}', 'b',
        0x00ff, 7, '123e4567-e89b-12d3-a456-426614174000', ST_GeomFromText('POINT(1 2)', 4326))`),
    );
    await open({}, async (adapter) => {
      const { rows, columns } = await adapter.query(sql);
      expect(rows).toEqual([[value]]);
      expect(columns[0]?.nativeType).toBe(nativeType);
    });
  });

  it('are the stored bytes of a geometry: SRID and WKB', async () => {
    await open({}, async (adapter) => {
      const [[cell]] = (await adapter.query('SELECT g FROM odd')).rows as unknown as [[Uint8Array]];
      const bytes = Buffer.from(cell);
      expect([
        bytes.readUInt32LE(0),
        bytes[4],
        bytes.readUInt32LE(5),
        bytes.readDoubleLE(9),
        bytes.readDoubleLE(17),
      ]).toEqual([4326, 1, 1, 1, 2]);
    });
  });

  it('go in as they are: LIMIT, large integers, bytes', async () => {
    await open({}, async (adapter) => {
      const one = async (sql: string, parameters: readonly (number | bigint | Uint8Array | string)[]) =>
        (await adapter.query(sql, { parameters })).rows;
      expect(await one('SELECT seq FROM seq_1_to_9 LIMIT ?', [2])).toEqual([[1], [2]]);
      expect(await one('SELECT ? + 0', [18_446_744_073_709_551_615n])).toEqual([[18_446_744_073_709_551_615n]]);
      expect(await one('SELECT HEX(?)', [new Uint8Array([0, 255])])).toEqual([['00FF']]);
      expect(await failure({}, 'SELECT ?')).toMatchObject({ code: 'INPUT_INVALID' });
    });
  });
});

describe('the catalog', () => {
  it('compares names of tables as the server does', async () => {
    const { host, port, user, password } = folding;
    const name = await loadFixture(folding, adapterFixture('shop'));
    const comparison = async (options: Partial<MysqlOptions>) =>
      open(options, async (adapter) => (await adapter.introspect()).relationComparison);
    expect(await comparison({ host, port, user, password, database: name })).toBeUndefined();
    expect(await comparison({})).toBe('sensitive');
  });

  it('reads JSON, defaults, generated columns, checks and what is broken', async () => {
    await withClient(server, (client) =>
      client.query(`CREATE DATABASE IF NOT EXISTS shapes; USE shapes;
        CREATE TABLE a (id INT AUTO_INCREMENT PRIMARY KEY, doc JSON, n INT DEFAULT 5, t VARCHAR(9) DEFAULT 'x',
          twice INT AS (n * 2) VIRTUAL, c CHAR(3) COLLATE utf8mb4_bin, UNIQUE prefix (t(3)), CONSTRAINT positive CHECK (n > 0));
        CREATE TABLE gone (id INT); CREATE VIEW broken AS SELECT * FROM gone; DROP TABLE gone;
        INSERT INTO a (doc) VALUES ('{"city": "Łódź", "items": [{"sku": 1}]}')`),
    );
    await open({ database: 'shapes' }, async (adapter) => {
      const catalog = await adapter.introspect();
      const index = indexSchema(catalog);
      const table = index.relationsNamed('a')[0]?.id ?? '';
      const info = (name: string) => catalog.attributes[index.attributeNamed(table, name)?.id ?? ''];
      expect(info('doc')).toMatchObject({ nativeType: 'json' });
      expect(info('doc')?.nestedFields?.map(({ path }) => path)).toEqual([
        ['city'],
        ['items'],
        ['items', '[]'],
        ['items', '[]', 'sku'],
      ]);
      expect(info('n')).toMatchObject({ nativeType: 'int', defaultExpression: '5' });
      expect(info('t')).toMatchObject({ defaultExpression: "'x'" });
      expect(info('id')).toMatchObject({ generated: 'identity' });
      expect(info('twice')).toMatchObject({ generated: 'virtual' });
      expect(info('c')).toMatchObject({ collation: 'utf8mb4_bin' });
      expect(JSON.stringify(catalog.checks)).toContain('`n` > 0');
      expect(catalog.uniqueKeys).toEqual([]);
      expect(catalog.incomplete).toEqual([expect.objectContaining({ subject: 'shapes.broken' })]);
    });
  });

  it('plans say how many rows the server expects', async () => {
    await open({}, async (adapter) => {
      const options = { timeoutMs: 10_000, context: createCallContext() };
      const plan = await adapter.planner.check('SELECT a.seq FROM seq_1_to_100 a, seq_1_to_50 b', options);
      expect(plan).toMatchObject({ verdict: 'ok', statement: 'read', estimatedRows: 5_000 });
      expect(plan).toHaveProperty('reads', [
        { nameParts: { schema: database, relation: 'seq_1_to_100' }, columns: ['seq'] },
        { nameParts: { schema: database, relation: 'seq_1_to_50' }, columns: [] },
      ]);
      const placeholders = await adapter.planner.check('SELECT ?', options);
      expect(placeholders).toMatchObject({ verdict: 'ok', statement: 'read', reads: [] });
      const change = await adapter.planner.check("INSERT INTO coupon VALUES ('A', 1)", options);
      expect(change).toEqual({ verdict: 'ok', statement: 'write' });
    });
  });

  it('looks where a scope says, and leaves nothing of it', async () => {
    await open({ poolSize: 1 }, async (adapter) => {
      expect((await adapter.scope({ namespace: ['shapes'] }).query('SELECT DATABASE()')).rows).toEqual([['shapes']]);
      expect((await adapter.query('SELECT DATABASE()')).rows).toEqual([[database]]);
    });
  });
});
