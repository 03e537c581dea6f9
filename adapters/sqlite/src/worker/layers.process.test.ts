import { copyFileSync, readFileSync } from 'node:fs';
import { RequestFailure, type StatementRequest } from '@askema/adapter-kit/process';
import { adapterFixture, hostileStatements } from '@askema/testkit';
import Database from 'better-sqlite3';
import { afterAll, expect, test, vi } from 'vitest';
import { stateOf, temporaryFolder } from '../test-support/temporary-folder.ts';
import { writeFixture } from '../test-support/write-fixture.ts';
import { createHandles, type Handles } from './handles.ts';
import { openRows } from './run-query.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const master = temporaryFolder();
writeFixture(master.file('shop.sqlite'), adapterFixture('shop'));
afterAll(() => master[Symbol.dispose]());

const requestOf = (sql: string): StatementRequest => ({
  type: 'query',
  sql,
  access: 'read',
  maxRows: 10,
  maxBytes: 1_000,
});

/** Runs every hostile statement on a copy of the shop, and gives those after which it is not as it was. */
function harmful(
  run: (sql: string, handles: Handles) => void,
  stateOfCopy: (file: string, folder: string) => string,
): string[] {
  const attacks: string[] = [];
  for (const [index, { attack }] of hostileStatements('sqlite').entries()) {
    using folder = temporaryFolder();
    const file = folder.file('shop.sqlite');
    copyFileSync(master.file('shop.sqlite'), file);
    const before = stateOfCopy(file, folder.path);
    const handles = createHandles(Database, { file, access: 'write', busyTimeoutMs: 0, maxMemoryBytes: 0 });
    try {
      run(hostileStatements('sqlite', { folder: folder.path })[index]?.sql ?? '', handles);
    } catch {
      // Refused, or no SQL at all: what counts is the state.
    }
    handles.close();
    if (stateOfCopy(file, folder.path) !== before) attacks.push(attack);
  }
  return attacks;
}

test('the handle alone: nothing that is run on it changes the database', () => {
  const bytes = (file: string): string => readFileSync(file).toString('latin1');
  const run = (sql: string, handles: Handles): void => {
    handles.reader().exec(sql);
  };
  expect(harmful(run, bytes)).toEqual([]);
});

test('the checks alone: even on a handle that may write, only what reads is run', () => {
  const run = (sql: string, handles: Handles): void => {
    const writer = handles.openWriter();
    try {
      openRows(writer, requestOf(sql));
    } finally {
      writer.close();
    }
  };
  expect(harmful(run, stateOf)).toEqual([]);
});

test('a write that its text does not show is refused by its kind, before its first step', () => {
  using folder = temporaryFolder();
  const file = folder.file('shop.sqlite');
  copyFileSync(master.file('shop.sqlite'), file);
  const handles = createHandles(Database, { file, access: 'write', busyTimeoutMs: 0, maxMemoryBytes: 0 });
  const writer = handles.openWriter();
  const sql = 'WITH one AS (SELECT 1 AS n) DELETE FROM shipment WHERE id IN (SELECT n FROM one) RETURNING id';
  expect(() => openRows(writer, requestOf(sql))).toThrow(RequestFailure);
  expect(writer.prepare('SELECT count(*) FROM shipment').pluck().get()).toBe(1);
  writer.close();
});
