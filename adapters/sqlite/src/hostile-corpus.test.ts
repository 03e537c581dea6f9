import { copyFileSync } from 'node:fs';
import { adapterFixture, hostileStatements } from '@askema/testkit';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { stateOf, temporaryFolder } from './test-support/temporary-folder.ts';
import { writeFixture } from './test-support/write-fixture.ts';

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
