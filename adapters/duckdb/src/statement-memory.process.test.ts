import { resolveAdapter } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { duckdb } from './index.ts';
import { failure } from './test-support/open-file.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';
import { writeDatabase } from './test-support/write-database.ts';

vi.setConfig({ testTimeout: 60_000 });

const TABLES = ['CREATE TABLE t AS SELECT i AS a FROM range(5) AS r(i)', 'CREATE VIEW v AS SELECT a FROM t'];

test('what is kept of a statement changes no answer to the same one', async () => {
  using folder = temporaryFolder();
  const file = folder.file('kept.duckdb');
  await writeDatabase(file, TABLES);
  await using adapter = resolveAdapter(duckdb({ file, poolSize: 1 }));
  const firstCell = async (sql: string, parameters: readonly (string | number)[] = []): Promise<unknown> =>
    (await adapter.query(sql, { parameters })).rows[0]?.[0];
  const times = [await firstCell('SELECT get_current_timestamp()'), await firstCell('SELECT get_current_timestamp()')];
  expect(times[0]).not.toBe(times[1]);
  const typed = 'SELECT $1';
  expect([await firstCell(typed, [7]), await firstCell(typed, ['x']), await firstCell(typed, [7])]).toEqual([
    7,
    'x',
    7,
  ]);
  await expect(firstCell(typed)).rejects.toThrow(/parameters do not fit/);
  // Rows that were left behind are not those of the next one.
  const all = 'SELECT a FROM t ORDER BY a';
  for (const maxRows of [5, 2, 5]) {
    const { rows, truncated } = await adapter.query(all, { maxRows });
    expect(rows).toEqual([[0], [1], [2], [3], [4]].slice(0, maxRows));
    expect(truncated).toBe(maxRows < 5 ? 'rows' : undefined);
  }
  // Fails by its data, under the shape of one that did not.
  expect(await firstCell('SELECT CAST(100 AS TINYINT)')).toBe(100);
  for (const _ of [1, 2])
    expect((await failure(adapter.query('SELECT CAST(300 AS TINYINT)'))).message).toMatch(/TINYINT|INT8|range/);
});

test('a view that another program has replaced is judged anew', async () => {
  using folder = temporaryFolder();
  const file = folder.file('replaced.duckdb');
  await writeDatabase(file, TABLES);
  const spec = duckdb({ file, idleTimeoutMs: 50 });
  await using adapter = resolveAdapter(spec);
  const sql = 'SELECT count(*) FROM v WHERE a < 3';
  for (const _ of [1, 2]) expect((await adapter.query(sql)).rows).toEqual([[3]]);
  // While it is open, DuckDB lets nobody write to it.
  await vi.waitFor(() => expect(spec.workerPids()).toEqual([]), { timeout: 20_000 });
  await writeDatabase(file, ["CREATE OR REPLACE VIEW v AS SELECT a FROM t WHERE write_log('x') IS NULL"]);
  expect(await failure(adapter.query(sql))).toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
});

test('an adapter that may write keeps nothing', async () => {
  using folder = temporaryFolder();
  const file = folder.file('written.duckdb');
  await writeDatabase(file, TABLES);
  await using adapter = resolveAdapter(duckdb({ file, access: 'write', poolSize: 1 }));
  const sql = 'SELECT count(*) FROM v WHERE a < 3';
  for (const _ of [1, 2]) expect((await adapter.query(sql)).rows).toEqual([[3]]);
  await adapter.query("CREATE OR REPLACE VIEW v AS SELECT a FROM t WHERE write_log('x') IS NULL", {
    access: 'write',
  });
  expect(await failure(adapter.query(sql))).toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
});
