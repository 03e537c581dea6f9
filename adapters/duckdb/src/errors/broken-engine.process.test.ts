import { expect, test, vi } from 'vitest';
import { failure, open } from '../test-support/open-file.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';
import { writeDatabase } from '../test-support/write-database.ts';

vi.setConfig({ testTimeout: 60_000 });

const BROKEN = 'is_histogram_other_bin(CASE WHEN range >= 0 THEN NULL::INT[] END)';

async function openOne(folder: ReturnType<typeof temporaryFolder>) {
  const file = folder.file('shop.duckdb');
  await writeDatabase(file, ['CREATE TABLE t (a INTEGER)']);
  return open({ file, poolSize: 2 });
}

test.each([
  ['at once', `SELECT ${BROKEN} FROM range(3)`],
  ['in a variant', "SELECT array_resize(CASE WHEN range >= 0 THEN '1'::VARIANT END, 3) FROM range(3)"],
  [
    'when rows are on their way',
    `SELECT repeat('y', 300), CASE WHEN range < 50000 THEN true ELSE ${BROKEN} END FROM range(60000)`,
  ],
])('a statement that breaks the engine %s fails by that, and the next one runs', async (_when, sql) => {
  using folder = temporaryFolder();
  await using adapter = await openOne(folder);
  for (let round = 0; round < 2; round += 1) {
    const thrown = await failure(adapter.query(sql, { maxRows: 1_000_000, maxBytes: 1e9 }));
    expect(thrown).toMatchObject({ code: 'QUERY_FAILED', retryable: false, details: { vendorCode: 'INTERNAL' } });
    expect(thrown.message).toMatch(/^DuckDB failed inside/);
    expect(thrown.message).not.toMatch(/refused|invalidated/);
    expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
  }
});

test('what ran beside it may be tried again', async () => {
  using folder = temporaryFolder();
  await using adapter = await openOne(folder);
  const beside = failure(adapter.query('SELECT count(*) FROM range(1000000000000)', { timeoutMs: 50_000 }));
  expect(await failure(adapter.query(`SELECT ${BROKEN} FROM range(3)`))).toMatchObject({ code: 'QUERY_FAILED' });
  expect(await beside).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
  expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
});

test('a statement that ends its process alone is not worth another try', async () => {
  using folder = temporaryFolder();
  await using adapter = await openOne(folder);
  const sql = `SELECT json_structure(repeat('{"a":', 200000) || '1' || repeat('}', 200000))`;
  expect(await failure(adapter.query(sql))).toMatchObject({
    code: 'QUERY_FAILED',
    retryable: false,
    message: expect.stringContaining('crashed'),
  });
  expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
});
