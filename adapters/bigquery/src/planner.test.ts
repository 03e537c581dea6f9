import { createCallContext, resolveAdapter } from '@askema/core';
import { expect, test } from 'vitest';
import { type BigQueryOptions, bigquery } from './index.ts';
import { apiError, type StubScript, startWireStub } from './wire-stub/wire-stub.ts';

async function check(sql: string, script: StubScript, options: BigQueryOptions = {}) {
  await using stub = await startWireStub(script);
  await using adapter = resolveAdapter(bigquery({ projectId: 'p', apiEndpoint: stub.url, ...options }));
  const verdict = await adapter.planner.check(sql, { timeoutMs: 5_000, context: createCallContext() });
  expect(stub.jobs.size).toBe(0);
  return { verdict, requests: stub.requests };
}

test('kind, tables, bytes and price', async () => {
  const statistics = { referencedTables: [{ projectId: 'p', datasetId: 'd', tableId: 't' }] };
  const { verdict } = await check('SELECT * FROM d.t', { bytes: 1024 ** 4, statistics }, { pricePerTib: 8 });
  expect(verdict).toEqual({
    verdict: 'ok',
    statement: 'read',
    relations: ['p.d.t'],
    reads: [{ nameParts: { database: 'p', schema: 'd', relation: 't' } }],
    estimatedBytes: 1024 ** 4,
    estimatedCostUsd: 8,
  });
});

test('a statement that writes is told as such, also where the server calls it SELECT', async () => {
  expect((await check('DELETE FROM t WHERE TRUE', { statementType: 'DELETE' })).verdict).toMatchObject({
    verdict: 'ok',
    statement: 'write',
  });
  expect((await check('CREATE TABLE t (x INT64)', { statementType: 'CREATE_TABLE' })).verdict).toMatchObject({
    statement: 'ddl',
  });
  expect((await check('DROP TABLE t', { statementType: 'SELECT' })).verdict).toMatchObject({ statement: 'ddl' });
});

test('a mistake is invalid, with class and position', async () => {
  const { verdict } = await check('SELECT strftime(1)', {
    behaviour: () => apiError(400, 'invalidQuery', 'Function not found: strftime at [1:8]'),
  });
  expect(verdict).toMatchObject({
    verdict: 'invalid',
    error: { details: { code: 'QUERY_FAILED', errorClass: 'function', position: { offset: 7 } } },
  });
});

test('what never runs is invalid, and not sent', async () => {
  for (const sql of ['SELECT 1; SELECT 2', "SELECT * FROM EXTERNAL_QUERY('c', 'SELECT 1')", 'CALL p()']) {
    const { verdict, requests } = await check(sql, {});
    expect(verdict.verdict).toBe('invalid');
    expect(requests).toEqual([]);
  }
  expect((await check('DELETE FROM t; DROP TABLE t', {})).verdict.verdict).toBe('invalid');
});

test('a server that cannot be reached is no verdict', async () => {
  const context = createCallContext();
  const adapter = resolveAdapter(bigquery({ projectId: 'p', apiEndpoint: 'http://127.0.0.1:1', maxRetries: 0 }));
  await expect(adapter.planner.check('SELECT 1', { timeoutMs: 2_000, context })).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
  });
  await adapter.close();
});
