import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duckdb } from '@askema/duckdb';
import { sqlite } from '@askema/sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll } from 'vitest';
import { describeEngine } from './fixtures/describe-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-tools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeEngine(
  'SQLite',
  {
    exact: "SELECT 9007199254740993 AS big, '12345678901234567890123456789012345678.90' AS digits",
    decimal: '12345678901234567890123456789012345678.90',
    writes: ['PRAGMA user_version = 3', `ATTACH DATABASE '${folder}/other.sqlite' AS o`, 'VACUUM'],
  },
  async () => {
    const file = join(folder, 'notes.sqlite');
    writeFileSync(file, '');
    return { adapter: sqlite({ file, access: 'write', poolSize: 1 }) };
  },
);

describeEngine(
  'DuckDB',
  {
    exact: 'SELECT 9007199254740993 AS big, 123456789012345678901234567890123456.78::DECIMAL(38,2) AS digits',
    decimal: '123456789012345678901234567890123456.78',
    writes: [`COPY notes TO '${folder}/out.csv'`, "SET memory_limit = '1GB'", 'CHECKPOINT'],
  },
  async () => {
    const file = join(folder, 'notes.duckdb');
    (await DuckDBInstance.create(file)).closeSync();
    return { adapter: duckdb({ file, access: 'write' }) };
  },
);
