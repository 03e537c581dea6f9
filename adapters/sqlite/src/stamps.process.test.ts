import { copyFileSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Adapter, createCallContext, resolveAdapter } from '@askema/core';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sqlite } from './sqlite.ts';

let folder = '';
let file = '';
const open: Adapter[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-stamps-'));
  file = join(folder, 'shop.sqlite');
  write(file, 'CREATE TABLE a (x INT)', 'INSERT INTO a VALUES (1)');
  // A file that was written only just has no stamp of its data.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((adapter) => adapter.close()));
  rmSync(folder, { recursive: true });
});

function write(path: string, ...statements: readonly string[]): void {
  const database = new Database(path);
  for (const sql of statements) database.exec(sql);
  database.close();
}

function adapterOf(path: string): Adapter {
  const adapter = resolveAdapter(sqlite({ file: path }));
  open.push(adapter);
  return adapter;
}

async function stampsOf(adapter: Adapter) {
  const look = { timeoutMs: 5_000, context: createCallContext() };
  const { stamps } = adapter;
  return {
    identity: await stamps?.identity(look),
    data: await stamps?.data?.(look),
    structure: await stamps?.structure(look),
  };
}

/** The clock of a file system ticks every few milliseconds. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 20));

it('says the same in another process while nothing changes, also after reading', async () => {
  const before = await stampsOf(adapterOf(file));
  expect(before.data).toBeTypeOf('string');
  const other = adapterOf(file);
  await other.introspect();
  await other.query('SELECT * FROM a');
  expect(await stampsOf(other)).toEqual(before);
  await other.close();
  expect(await stampsOf(adapterOf(file))).toEqual(before);
});

it.each(['DELETE', 'WAL', 'TRUNCATE', 'PERSIST'])('sees each change in journal mode %s', async (mode) => {
  write(file, `PRAGMA journal_mode = ${mode}`);
  const adapter = adapterOf(file);
  const writer = new Database(file);
  let before = await stampsOf(adapter);
  for (const [sql, isStructure] of [
    ['UPDATE a SET x = 2', false],
    ['UPDATE a SET x = 3', false],
    ['CREATE VIEW v AS SELECT x FROM a', true],
    ['ALTER TABLE a RENAME COLUMN x TO y', true],
    ['CREATE INDEX i ON a (y)', true],
    ['PRAGMA wal_checkpoint(TRUNCATE)', false],
    ['DELETE FROM a', false],
  ] as const) {
    await tick();
    writer.exec(sql);
    const now = await stampsOf(adapter);
    if (!sql.startsWith('PRAGMA')) expect(now.data, sql).not.toBe(before.data);
    expect(now.structure === before.structure, sql).toBe(!isStructure);
    before = now;
  }
  writer.close();
});

it('tells a file that took the place of another one, of the same size and time and with as many changes', async () => {
  const other = join(folder, 'other.sqlite');
  write(other, 'CREATE TABLE b (x INT)', 'INSERT INTO b VALUES (1)');
  const time = new Date(1_700_000_000_000);
  for (const path of [file, other]) utimesSync(path, time, time);
  const before = await stampsOf(adapterOf(file));
  await tick();
  copyFileSync(other, file);
  utimesSync(file, time, time);
  const after = await stampsOf(adapterOf(file));
  expect(after.identity).toBe(before.identity);
  expect([after.data === before.data, after.structure === before.structure]).toEqual([false, false]);
});

it('says nothing of the data just after a change, and is another one for another file', async () => {
  vi.useRealTimers();
  write(file, 'UPDATE a SET x = 7');
  const now = await stampsOf(adapterOf(file));
  expect([now.data, typeof now.structure]).toEqual([undefined, 'string']);
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(file, copy);
  expect((await stampsOf(adapterOf(copy))).identity).not.toBe(now.identity);
});
