import { writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { failure, open } from '../test-support/open-file.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';
import { writeDatabase } from '../test-support/write-database.ts';

vi.setConfig({ testTimeout: 60_000 });

// More than DuckDB computes ahead: the error comes when some rows are on their way.
const WIDE = "repeat('y', 300) AS y";
const ALL = { maxRows: 1_000_000, maxBytes: 1e9 };

async function openEmpty(folder: ReturnType<typeof temporaryFolder>) {
  const file = folder.file('shop.duckdb');
  await writeDatabase(file, ['CREATE TABLE t (a INTEGER)']);
  return open({ file });
}

test('rows that break off are an error with its reason and place, and no shorter result', async () => {
  using folder = temporaryFolder();
  await using adapter = await openEmpty(folder);
  const overflow = `SELECT 9223372036854725807 + range AS x, ${WIDE} FROM range(1, 60000)`;
  expect(await failure(adapter.query(overflow, ALL))).toMatchObject({
    code: 'QUERY_FAILED',
    message: expect.stringContaining('Overflow in addition of INT64 (9223372036854725807 + 50001)'),
    details: { vendorCode: 'Out of Range', sql: overflow },
  });
  const text = `SELECT ${WIDE}, CAST(CASE WHEN range = 50000 THEN 'many' ELSE '1' END AS INTEGER) FROM range(60000)`;
  expect(await failure(adapter.query(text, ALL))).toMatchObject({
    message: expect.stringContaining("'many'"),
    details: { position: { offset: text.indexOf('CAST') } },
  });
  expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
});

test('the values of parameters are as they were', async () => {
  using folder = temporaryFolder();
  await using adapter = await openEmpty(folder);
  const sql = `SELECT ? + range AS x, ${WIDE} FROM range(1, 60000)`;
  const parameters = [9_223_372_036_854_725_807n];
  expect((await failure(adapter.query(sql, { ...ALL, parameters }))).message).toContain('Overflow');
});

test('a bad line in the middle of a file', async () => {
  using folder = temporaryFolder();
  const lines = Array.from({ length: 400_000 }, (_, index) => `${index},${'y'.repeat(40)}`);
  lines[390_000] = 'not a number,y';
  writeFileSync(folder.file('t.csv'), `id,y\n${lines.join('\n')}\n`);
  await using adapter = open({ files: folder.file('t.csv') });
  expect(await failure(adapter.query('SELECT * FROM t', ALL))).toMatchObject({
    code: 'QUERY_FAILED',
    message: expect.stringContaining('not a number'),
  });
});
