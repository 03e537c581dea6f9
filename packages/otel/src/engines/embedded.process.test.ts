import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveAdapter } from '@askema/core';
import { duckdb } from '@askema/duckdb';
import { sqlite } from '@askema/sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { afterAll } from 'vitest';
import { describeComments, PEOPLE } from '../test-support/describe-comments.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-comments-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeComments('SQLite', async () => {
  const file = join(folder, 'people.sqlite');
  new Database(file).exec(PEOPLE.join(';')).close();
  return { adapter: resolveAdapter(sqlite({ file })), parameter: '?' };
});

describeComments('DuckDB', async () => {
  const file = join(folder, 'people.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const sql of PEOPLE) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
  return { adapter: resolveAdapter(duckdb({ file })), parameter: '?' };
});
