import { copyFileSync } from 'node:fs';
import { type AskemaError, resolveAdapter } from '@askema/core';
import { adapterFixture, hostileStatements } from '@askema/testkit';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { sqlite } from './index.ts';
import { stateOf, temporaryFolder } from './test-support/temporary-folder.ts';
import { writeFixture } from './test-support/write-fixture.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

test('the corpus is large, and no statement is there twice', () => {
  const statements = hostileStatements('sqlite');
  expect(statements.length).toBeGreaterThanOrEqual(60);
  expect(new Set(statements.map(({ sql }) => sql)).size).toBe(statements.length);
});

test('without a guard, each statement that is said to change the file or its folder does so', () => {
  using master = temporaryFolder();
  writeFixture(master.file('shop.sqlite'), adapterFixture('shop'));
  const harmless: string[] = [];
  for (const { attack, harm } of hostileStatements('sqlite')) {
    if (harm !== 'file') continue;
    using folder = temporaryFolder();
    const file = folder.file('shop.sqlite');
    copyFileSync(master.file('shop.sqlite'), file);
    const before = stateOf(file, folder.path);
    const statement = hostileStatements('sqlite', { folder: folder.path }).find((other) => other.attack === attack);
    runUnguarded(file, statement?.sql ?? '');
    if (stateOf(file, folder.path) === before) harmless.push(attack);
  }
  expect(harmless).toEqual([]);
});

/** As a careless adapter would run it: on a handle that may write, statement after statement. */
function runUnguarded(file: string, sql: string): void {
  const database = new Database(file);
  database.unsafeMode(true);
  database.pragma('writable_schema = 1');
  database.pragma('foreign_keys = 0');
  // Some guard with a transaction that they roll back.
  if (sql.startsWith('COMMIT')) database.exec('BEGIN');
  try {
    database.exec(sql);
  } catch {
    // A statement behind the harmful one may fail, as `COMMIT` without a transaction does.
  }
  database.close();
}

test('each is refused as what it is, with a sentence that says what is allowed', async () => {
  using folder = temporaryFolder();
  const file = folder.file('shop.sqlite');
  writeFixture(file, adapterFixture('shop'));
  const before = stateOf(file, folder.path);
  await using adapter = resolveAdapter(sqlite({ file, poolSize: 1 }));
  const wrong: unknown[] = [];
  for (const { sql, attack, harm } of hostileStatements('sqlite', { folder: folder.path })) {
    const error = await adapter.query(sql).catch((thrown: AskemaError) => thrown);
    const code = 'code' in error ? error.code : 'ran';
    const codes = ['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED', ...(harm === 'reach' ? ['QUERY_FAILED'] : [])];
    const advice = /send|without|open|allowed|instead|remove|use the functions/i;
    if (!codes.includes(code) || (code !== 'QUERY_FAILED' && 'message' in error && !advice.test(error.message)))
      wrong.push({ attack, code, message: 'message' in error ? error.message : '' });
  }
  expect(wrong).toEqual([]);
  expect(stateOf(file, folder.path)).toBe(before);
});
