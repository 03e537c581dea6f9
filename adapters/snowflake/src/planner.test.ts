import { createCallContext } from '@askema/core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from './connection/driver.ts';
import { readPlan } from './planner.ts';
import { ONE_COLUMN, openOn } from './wire-stub/open-on.ts';
import { refusal, result, type StubHandler, startWireStub, type WireStub } from './wire-stub/wire-stub.ts';

// The driver takes its time to load, the first time.
beforeAll(async () => void (await loadDriver()), 30_000);

const options = { timeoutMs: 5_000, context: createCallContext() };

const PLAN = {
  GlobalStats: { partitionsTotal: 12, partitionsAssigned: 3, bytesAssigned: 4096 },
  Operations: [
    [
      { id: 0, operation: 'Result', expressions: ['T.A'] },
      { id: 1, parent: 0, operation: 'TableScan', objects: ['DB.S.T'], expressions: ['A'] },
      { id: 2, parent: 0, operation: 'TableScan', objects: ['DB.S.U'] },
    ],
  ],
};

async function start(...handlers: readonly StubHandler[]): Promise<WireStub> {
  const stub = await startWireStub(...handlers);
  onTestFinished(() => stub.kill());
  return stub;
}

/** Compiles everything as this kind, and explains it. */
const explaining =
  (statementTypeId: number | undefined): StubHandler =>
  ({ path, body }) => {
    if (!path.endsWith('query-request')) return undefined;
    if (body?.describeOnly === true) return result({ columns: ONE_COLUMN, statementTypeId });
    return result({ columns: [{ name: 'content', type: 'text' }], rows: [[JSON.stringify(PLAN)]] });
  };

test('a plan has the kind, the tables and the bytes; nothing runs', async () => {
  const stub = await start(explaining(0x1000));
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  expect(await adapter.planner.check('SELECT a FROM t', options)).toEqual({
    verdict: 'ok',
    statement: 'read',
    relations: ['DB.S.T', 'DB.S.U'],
    reads: [
      { nameParts: { database: 'DB', schema: 'S', relation: 'T' } },
      { nameParts: { database: 'DB', schema: 'S', relation: 'U' } },
    ],
    estimatedBytes: 4096,
  });
  expect(stub.seen('query-request').map(({ body }) => [body?.describeOnly, body?.sqlText])).toEqual([
    [true, 'SELECT a FROM t'],
    [undefined, 'EXPLAIN USING JSON SELECT a FROM t'],
  ]);
});

test.each([
  ['DELETE FROM t', 0x3300, 'write'],
  ['CREATE TABLE t (a INT)', 0x6104, 'ddl'],
  ['USE ROLE x', 0x4300, 'other'],
  ['SHOW TABLES', 0x4400, 'read'],
] as const)('%s is %i: %s', async (sql, type, statement) => {
  const stub = await start(explaining(type));
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  expect(await adapter.planner.check(sql, options)).toMatchObject({ verdict: 'ok', statement });
});

test('an invalid statement has class and place, and the nearest names once the catalog was read', async () => {
  const message = "SQL compilation error: error line 1 at position 7\ninvalid identifier 'CUSTMER'";
  const stub = await start(({ path }) => (path.endsWith('query-request') ? refusal('000904', message) : undefined));
  const adapter = openOn(stub);
  onTestFinished(() => adapter.close());
  expect(await adapter.planner.check('SELECT custmer FROM t', options)).toMatchObject({
    verdict: 'invalid',
    error: {
      message: expect.stringContaining("invalid identifier 'CUSTMER' (line 1, column 8)"),
      details: { code: 'QUERY_FAILED', errorClass: 'identifier', position: { offset: 7 } },
    },
  });
});

test('names in quotes are taken apart', () => {
  const plan = { Operations: [[{ operation: 'TableScan', objects: ['DB."odd.name"."a ""b"""'] }]] };
  expect(readPlan(JSON.stringify(plan)).reads).toEqual([
    { nameParts: { database: 'DB', schema: 'odd.name', relation: 'a "b"' } },
  ]);
});

test('a plan of another shape says nothing, however deep or odd', () => {
  for (const cell of [null, 1, 'x', '{}', '[]', '{"Operations":[1,[null]]}', '{"GlobalStats":7}', '['.repeat(100_000)])
    expect(readPlan(cell).estimatedBytes).toBeUndefined();
});
