import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveAdapter } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createText2Sql } from './create-text2sql.ts';
import { scriptedSolver } from './fixtures/scripted-solver.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-stream-'));
const file = join(folder, 'x.sqlite');
beforeAll(async () => {
  writeFileSync(file, '');
  await using adapter = resolveAdapter(sqlite({ file, access: 'write' }));
  await adapter.query('CREATE TABLE t AS SELECT 1 AS n', { access: 'write' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 9007199254740990 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';

it('leaving the loop frees the one place that there is, and values are exact', async () => {
  await using store = createText2Sql({ adapter: sqlite({ file, poolSize: 1 }), model: scriptedSolver([]) });
  for await (const rows of await store.stream(ENDLESS)) {
    expect(rows.slice(0, 3)).toEqual([[9_007_199_254_740_990], [9_007_199_254_740_991], [9_007_199_254_740_992n]]);
    break;
  }
  for await (const rows of await store.stream('SELECT 1')) expect(rows).toEqual([[1]]);
}, 30_000);

it('keeps its deadline while rows are read', async () => {
  await using store = createText2Sql({ adapter: sqlite({ file }), model: scriptedSolver([]) });
  // Starts the process, so that the deadline is that of the statement alone.
  await store.stream('SELECT 1').then((stream) => stream.close());
  const stream = await store.stream(ENDLESS, { timeoutMs: 1_000 });
  let count = 0;
  const reading = (async () => {
    for await (const rows of stream) count += rows.length;
  })();
  await expect(reading).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
  expect(count).toBeGreaterThan(0);
}, 30_000);

it('streams nothing but one read, also where everything is granted', async () => {
  const adapter = resolveAdapter(sqlite({ file, access: 'write' }));
  await using store = createText2Sql({ adapter, model: scriptedSolver([]), access: 'write' });
  for (const sql of ['DELETE FROM t RETURNING n', 'DROP TABLE t'])
    await expect(store.stream(sql)).rejects.toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
  await expect(store.stream('SELECT 1; SELECT 2')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  expect((await adapter.query('SELECT n FROM t')).rows).toEqual([[1]]);
}, 30_000);
