import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duckdb } from '@askema/duckdb';
import { sqlite } from '@askema/sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, it } from 'vitest';
import { describeMcpEngine } from './fixtures/describe-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-mcp-engines-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeMcpEngine('SQLite', async () => {
  const file = join(folder, 'notes.sqlite');
  writeFileSync(file, '');
  return {
    adapter: sqlite({ file, access: 'write' }),
    writes: [
      'PRAGMA user_version = 3',
      `ATTACH DATABASE '${folder}/other.sqlite' AS o`,
      `VACUUM INTO '${folder}/copy'`,
    ],
  };
});

describeMcpEngine('DuckDB', async () => {
  const file = join(folder, 'notes.duckdb');
  (await DuckDBInstance.create(file)).closeSync();
  return {
    adapter: duckdb({ file, access: 'write' }),
    writes: [`COPY notes TO '${folder}/out.csv'`, "SET memory_limit = '1GB'", `EXPORT DATABASE '${folder}/out'`],
  };
});

it('no statement has left a file', () => {
  expect(readdirSync(folder).filter((name) => !name.startsWith('notes.'))).toEqual([]);
});
