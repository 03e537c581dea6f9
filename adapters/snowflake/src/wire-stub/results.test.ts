import { gzipSync } from 'node:zlib';
import { createCallContext, type Value } from '@askema/core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../connection/driver.ts';
import { snowflake } from '../snowflake.ts';
import { ONE_COLUMN, openOn, PASSWORD, running } from './open-on.ts';
import {
  QUERY_ID,
  refusal,
  result,
  type StubColumn,
  type StubHandler,
  startWireStub,
  type WireStub,
} from './wire-stub.ts';

// The driver takes its time to load, the first time.
beforeAll(async () => void (await loadDriver()), 30_000);

async function start(...handlers: readonly StubHandler[]): Promise<WireStub> {
  const stub = await startWireStub(...handlers);
  onTestFinished(() => stub.kill());
  return stub;
}

/** Three chunks of 1,000 rows behind 2 rows that come with the answer. */
function chunked(stub: () => WireStub): readonly StubHandler[] {
  const row = (chunk: number, index: number): string => JSON.stringify([String(chunk * 1_000 + index)]);
  return [
    running(() =>
      result({
        columns: ONE_COLUMN,
        rows: [['-2'], ['-1']],
        chunks: [0, 1, 2].map((chunk) => ({ url: `${stub().url}/chunks/${chunk}`, rowCount: 1_000 })),
      }),
    ),
    ({ path }) => {
      const chunk = /^\/chunks\/(\d)$/.exec(path)?.[1];
      if (chunk === undefined) return undefined;
      const rows = Array.from({ length: 1_000 }, (_, index) => row(Number(chunk), index)).join(',');
      return (response) => {
        response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' });
        response.end(gzipSync(rows));
      };
    },
  ];
}

test('chunks come in order, each when the one before it has been taken', async () => {
  const stub: WireStub = await start(...chunked(() => stub));
  const spec = snowflake({ account: 'a', user: 'u', password: PASSWORD, accessUrl: stub.url });
  onTestFinished(() => spec.close());
  const context = createCallContext();
  const options = { maxRows: 10_000, maxBytes: 1e9, timeoutMs: 10_000, access: 'read', context } as const;
  const values: Value[] = [];
  for await (const event of spec.executor.execute('SELECT a', options)) {
    if (event.type !== 'rows') continue;
    // The rows of a chunk stand between what was asked for before and what is asked for next.
    const last = Number(event.rows.at(-1)?.[0]);
    expect(stub.seen('').filter(({ path }) => path.startsWith('/chunks/'))).toHaveLength(
      last < 0 ? 0 : Math.floor(last / 1_000) + 1,
    );
    for (const row of event.rows) values.push(row[0] as Value);
  }
  expect(values).toEqual(Array.from({ length: 3_002 }, (_, index) => index - 2));
});

test('who stops early loads no further chunk, and leaves the session to the next', async () => {
  const stub: WireStub = await start(...chunked(() => stub));
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  const few = await adapter.query('SELECT a', { maxRows: 5 });
  expect(few).toMatchObject({ truncated: 'rows', queryId: QUERY_ID });
  expect(few.rows).toEqual([[-2], [-1], [0], [1], [2]]);
  const bytes = await adapter.query('SELECT a', { maxBytes: 8 * 1_200 });
  expect(bytes).toMatchObject({ truncated: 'bytes' });
  expect(stub.requests.filter(({ path }) => path.startsWith('/chunks/')).map(({ path }) => path)).toEqual([
    '/chunks/0',
    '/chunks/0',
    '/chunks/1',
  ]);
  expect(stub.seen('login-request')).toHaveLength(1);
  expect(stub.seen('abort-request')).toHaveLength(0);
});

const CELLS: readonly (readonly [StubColumn, string | null, Value])[] = [
  [{ name: 'integer', type: 'fixed', precision: 38, scale: 0 }, '9007199254740991', 9007199254740991],
  [
    { name: 'long', type: 'fixed', precision: 38, scale: 0 },
    '-99999999999999999999999999999999999999',
    -(10n ** 38n - 1n),
  ],
  [{ name: 'decimal', type: 'fixed', precision: 20, scale: 2 }, '123456789012345678.90', '123456789012345678.90'],
  [{ name: 'float', type: 'real' }, '0.1', 0.1],
  [{ name: 'nan', type: 'real' }, 'NaN', Number.NaN],
  [{ name: 'infinite', type: 'real' }, '-inf', Number.NEGATIVE_INFINITY],
  [{ name: 'true', type: 'boolean' }, '1', true],
  [{ name: 'false', type: 'boolean' }, 'false', false],
  [{ name: 'null as text', type: 'text', length: 4 }, 'NULL', 'NULL'],
  [{ name: 'null', type: 'text', length: 4 }, null, null],
  [{ name: 'empty', type: 'text', length: 4 }, '', ''],
  [{ name: 'bytes', type: 'binary' }, '00FF10', Uint8Array.of(0, 255, 16)],
  [{ name: 'date', type: 'date' }, '19782', '2024-02-29'],
  [{ name: 'old date', type: 'date' }, '-719162', '0001-01-01'],
  [{ name: 'time', type: 'time', scale: 9 }, '86399.999999999', '23:59:59.999999999'],
  [{ name: 'ntz', type: 'timestamp_ntz', scale: 9 }, '1709210096.123456789', '2024-02-29T12:34:56.123456789'],
  [{ name: 'before 1970', type: 'timestamp_ntz', scale: 3 }, '-0.500', '1969-12-31T23:59:59.5'],
  [{ name: 'ltz', type: 'timestamp_ltz', scale: 0 }, '1709210096', '2024-02-29T12:34:56Z'],
  [{ name: 'tz', type: 'timestamp_tz', scale: 9 }, '1709210096.000000001 1110', '2024-02-29T07:04:56.000000001-05:30'],
  [{ name: 'tz of version 0', type: 'timestamp_tz', scale: 3 }, '28003698214831.640', '2024-02-29T14:34:56.12+02:00'],
  [
    { name: 'variant', type: 'variant' },
    '{"a":[1,"NULL",null],"b":{"c":1.5}}',
    { a: [1, 'NULL', null], b: { c: 1.5 } },
  ],
  [
    { name: 'exact', type: 'object' },
    '{"n":12345678901234567890,"d":0.12345678901234567891}',
    { n: '12345678901234567890', d: '0.12345678901234567891' },
  ],
  [{ name: 'array', type: 'array' }, '[]', []],
  [{ name: 'json null', type: 'variant' }, 'null', null],
  [{ name: 'xml', type: 'variant' }, '<a>process.exit()</a>', '<a>process.exit()</a>'],
  [
    { name: 'code', type: 'variant' },
    '(() => { globalThis.hacked = true })()',
    '(() => { globalThis.hacked = true })()',
  ],
  [
    { name: 'place', type: 'geography' },
    '{"coordinates":[1,2],"type":"Point"}',
    { coordinates: [1, 2], type: 'Point' },
  ],
  [{ name: 'vector', type: 'vector' }, '[1.5,-2]', [1.5, -2]],
];

test.each(['UTC', 'America/St_Johns', 'Asia/Kolkata'])('cells are exact in every zone: %s', async (zone) => {
  const before = process.env.TZ;
  process.env.TZ = zone;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  const columns = CELLS.map(([column]) => column);
  const stub = await start(
    running(() => result({ columns, rows: [CELLS.map(([, cell]) => cell), CELLS.map(() => null)] })),
  );
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  const { rows } = await adapter.query('SELECT *');
  expect(rows[0]).toEqual(CELLS.map(([, , value]) => value));
  expect(rows[1]).toEqual(CELLS.map(() => null));
  expect(globalThis).not.toHaveProperty('hacked');
});

test('columns carry the type of the engine; two of one name are both there', async () => {
  const columns = [
    { name: 'A', type: 'fixed', precision: 10, scale: 2 },
    { name: 'A', type: 'text', length: 7 },
    { name: 'A', type: 'timestamp_tz', scale: 3 },
    { name: '__proto__', type: 'boolean' },
  ];
  const stub = await start(running(() => result({ columns, rows: [['1.00', 'x', null, '0']] })));
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  const answer = await adapter.query('SELECT 1 AS a');
  expect(answer.rows).toEqual([['1.00', 'x', null, false]]);
  expect(answer.columns).toEqual([
    { name: 'A', nativeType: 'NUMBER(10,2)', type: 'NUMERIC' },
    { name: 'A', nativeType: 'VARCHAR(7)', type: 'TEXT' },
    { name: 'A', nativeType: 'TIMESTAMP_TZ(3)', type: 'DATETIME' },
    { name: '__proto__', nativeType: 'BOOLEAN', type: 'BOOL' },
  ]);
});

test('a statement carries its limits, its tag and its values, and no session is altered', async () => {
  const stub = await start(running(() => result({ columns: ONE_COLUMN })));
  const adapter = openOn(stub, { queryTag: 'reports', warehouse: 'WH', role: 'READER', database: 'DB', schema: 'S' });
  onTestFinished(() => adapter.close());
  const context = createCallContext({ runId: 'run-7', path: 'flow/step', tags: { team: 'blue' } });
  const sql = 'SELECT * FROM t WHERE a = :name AND b IN (:b, :name) -- :no';
  await adapter.query(sql, { parameters: { name: 2n ** 60n, b: Uint8Array.of(1) }, timeoutMs: 9_500, context });
  const [described, , ran] = stub.seen('query-request').map(({ body }) => body);
  expect(described?.describeOnly).toBe(true);
  expect(ran?.sqlText).toBe('SELECT * FROM t WHERE a = :1    AND b IN (:2, :1   ) -- :no');
  expect(ran?.bindings).toEqual({
    1: { type: 'FIXED', value: '1152921504606846976' },
    2: { type: 'BINARY', value: '01' },
  });
  expect(ran?.parameters).toEqual({
    MULTI_STATEMENT_COUNT: 1,
    STATEMENT_TIMEOUT_IN_SECONDS: 11,
    QUERY_TAG: '{"app":"askema","run":"run-7","path":"flow/step","tag":"reports","tags":{"team":"blue"}}',
  });
  expect(stub.seen('login-request')[0]?.query).toMatchObject({
    warehouse: 'WH',
    roleName: 'READER',
    databaseName: 'DB',
    schemaName: 'S',
  });
  await adapter.query('SELECT ?, ?, ?, ?', { parameters: [null, 'x', Number.NaN, true] });
  expect(stub.seen('query-request').at(-1)?.body?.bindings).toEqual({
    1: { type: 'TEXT', value: null },
    2: { type: 'TEXT', value: 'x' },
    3: { type: 'REAL', value: 'NaN' },
    4: { type: 'BOOLEAN', value: 'true' },
  });
});

test('sessions are used again, and no more than the pool allows', async () => {
  const stub = await start(running(() => result({ columns: ONE_COLUMN })));
  const adapter = openOn(stub, { poolSize: 2 });
  await Promise.all(Array.from({ length: 10 }, () => adapter.query('SELECT 1')));
  expect(stub.seen('login-request')).toHaveLength(2);
  await adapter.close();
  expect(stub.seen('/session')).toHaveLength(2);
});

test.each([
  ['INSERT INTO t VALUES (1)', 'QUERY_NOT_READ_ONLY'],
  ['SHOW TABLES ->> DROP TABLE t', 'QUERY_NOT_READ_ONLY'],
  ['SELECT s.NEXTVAL', 'QUERY_NOT_READ_ONLY'],
  ['SELECT SYSTEM$CANCEL_ALL_QUERIES(1)', 'QUERY_NOT_READ_ONLY'],
  ['SELECT * FROM TABLE(GETNEXTVAL(s))', 'QUERY_NOT_READ_ONLY'],
  ['CALL p()', 'QUERY_NOT_READ_ONLY'],
  ['BEGIN DROP TABLE t; END', 'QUERY_NOT_READ_ONLY'],
  ['WITH x AS PROCEDURE () RETURNS INT LANGUAGE SQL AS $$ BEGIN DROP TABLE t; END $$ CALL x()', 'QUERY_NOT_READ_ONLY'],
  ['COPY INTO @stage FROM t', 'QUERY_NOT_READ_ONLY'],
  ['SELECT 1; DROP TABLE t', 'QUERY_NOT_READ_ONLY'],
  ['PUT file:///etc/passwd @~', 'QUERY_REFUSED'],
  ['/* x */ GET @~ file:///tmp', 'QUERY_REFUSED'],
])('what its text gives away never reaches the server: %s', async (sql, code) => {
  const stub = await start(running(() => result({ columns: ONE_COLUMN })));
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  await expect(adapter.query(sql)).rejects.toMatchObject({ code });
  expect(stub.requests).toHaveLength(0);
});

test.each([
  [0x3100, 'QUERY_NOT_READ_ONLY'],
  [0x6000, 'QUERY_NOT_READ_ONLY'],
  [0x4900, 'QUERY_NOT_READ_ONLY'],
  [0, 'QUERY_NOT_READ_ONLY'],
])('what the server takes for another kind (%i) is compiled, and never run', async (statementTypeId, code) => {
  const stub = await start(({ path }) =>
    path.endsWith('query-request') ? result({ columns: ONE_COLUMN, statementTypeId }) : undefined,
  );
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  await expect(adapter.query('SELECT RANDOM()')).rejects.toMatchObject({ code });
  expect(stub.seen('query-request').map(({ body }) => body?.describeOnly)).toEqual([true]);
});

test('PUT is refused where writing is allowed, too', async () => {
  const stub = await start();
  const adapter = openOn(stub, { access: 'write' });
  onTestFinished(() => adapter.close());
  await expect(adapter.query('put file:///etc/passwd @~', { access: 'write' })).rejects.toMatchObject({
    code: 'QUERY_REFUSED',
  });
  expect(stub.requests).toHaveLength(0);
});

test('a statement that writes says how many rows it changed; one that moves the session ends it', async () => {
  const counts = [
    { name: 'number of rows inserted', type: 'fixed', scale: 0 },
    { name: 'number of rows updated', type: 'fixed', scale: 0 },
    { name: 'number of multi-joined rows updated', type: 'fixed', scale: 0 },
  ];
  const stub = await start(({ path, body }) => {
    if (!path.endsWith('query-request')) return undefined;
    if (body?.sqlText?.startsWith('USE'))
      return result({ columns: [{ name: 'status', type: 'text' }], rows: [['ok']], statementTypeId: 0x4310 });
    return result({ columns: counts, rows: [['2', '3', '9']], statementTypeId: 0x3400 });
  });
  const adapter = openOn(stub, { access: 'write' });
  onTestFinished(() => adapter.close());
  expect(await adapter.query('MERGE INTO t …', { access: 'write' })).toMatchObject({
    affectedRows: 5,
    rows: [[2, 3, 9]],
  });
  await adapter.query('USE DATABASE other', { access: 'write' });
  await adapter.query('MERGE INTO t …', { access: 'write' });
  expect(stub.seen('login-request')).toHaveLength(2);
});

test('errors of statements: class, position in the text, nothing of the secrets that they repeat', async () => {
  const message = `SQL compilation error: error line 2 at position 7\ninvalid identifier 'NAM' (${PASSWORD})`;
  const stub = await start(({ path }) => (path.endsWith('query-request') ? refusal('000904', message) : undefined));
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  const sql = '\nSELECT nam FROM t';
  await expect(adapter.query(sql)).rejects.toMatchObject({
    code: 'QUERY_FAILED',
    message: "Snowflake refused the statement: invalid identifier 'NAM' ([redacted]) (line 2, column 8).",
    details: {
      vendorCode: '000904',
      errorClass: 'identifier',
      position: { offset: 8, line: 2, column: 8 },
      queryId: QUERY_ID,
    },
  });
  // The session is sound.
  await expect(adapter.query(sql)).rejects.toMatchObject({ code: 'QUERY_FAILED' });
  expect(stub.seen('login-request')).toHaveLength(1);
});

test.each([
  ['000606', 'No active warehouse selected in the current session.', 'CONFIG_INVALID'],
  ['000630', 'Statement reached its statement or warehouse timeout of 5 second(s) and was canceled.', 'QUERY_TIMEOUT'],
  [
    '090073',
    "Warehouse 'W' cannot be resumed because resource monitor 'M' has exceeded its quota.",
    'DATABASE_UNAVAILABLE',
  ],
  ['000604', 'SQL execution canceled', 'QUERY_FAILED'],
  ['003001', "SQL access control error:\nInsufficient privileges to operate on table 'T'.", 'QUERY_FAILED'],
])('%s is %s', async (vendorCode, message, code) => {
  const stub = await start(({ path }) => (path.endsWith('query-request') ? refusal(vendorCode, message) : undefined));
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  await expect(adapter.query('SELECT 1')).rejects.toMatchObject({ code, details: { vendorCode } });
});
