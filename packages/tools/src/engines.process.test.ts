import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveAdapter } from '@askema/core';
import { duckdb } from '@askema/duckdb';
import { lexical } from '@askema/lexical';
import { restrict } from '@askema/lint';
import { sqlparserTs } from '@askema/sql-parser';
import { sqlite } from '@askema/sqlite';
import { createText2Sql } from '@askema/text2sql';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, test } from 'vitest';
import { askemaTools } from './askema-tools.ts';
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
    return { reader: sqlite({ file, poolSize: 1 }), writer: sqlite({ file, access: 'write' }) };
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
    return { reader: duckdb({ file }), writer: duckdb({ file, access: 'write' }) };
  },
);

test('what the adapter hides, no tool shows', async () => {
  const file = join(folder, 'hidden.sqlite');
  writeFileSync(file, '');
  await using maker = resolveAdapter(sqlite({ file, access: 'write' }));
  for (const sql of [
    'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, salary INTEGER)',
    "INSERT INTO people VALUES (1, 'Ann', 123456)",
  ])
    await maker.query(sql, { access: 'write' });
  const parser = sqlparserTs();
  const adapter = restrict(sqlite({ file }), { hide: ['people.salary'], parser });
  await using text2sql = createText2Sql({ adapter, model: lexical() });
  const tools = askemaTools({ databases: { people: { text2sql, adapter } }, parser });
  const inputs: Readonly<Record<string, readonly object[]>> = {
    ask: [{ question: 'What is the highest salary of people?' }],
    search_catalog: [{ detail: 'full' }, { words: 'pay slip' }],
    run_sql: [{ sql: 'SELECT * FROM people' }, { sql: 'SELECT MAX(p.rowid) FROM people AS p' }],
    check_sql: [{ sql: 'SELECT * FROM people' }],
  };
  for (const tool of tools)
    for (const input of inputs[tool.name] ?? []) {
      const { structured, text } = await tool.call(input);
      const { question: _, notUnderstood: __, ...told } = structured;
      expect(JSON.stringify(told), `${tool.name} ${JSON.stringify(input)}`).not.toMatch(
        /123456|"salary"|salary INTEGER/,
      );
      expect(text).not.toMatch(/123456|salary INTEGER/);
    }
  const secret = await tools[2]?.call({ sql: 'SELECT salary FROM people' });
  expect(secret).toMatchObject({ isError: true, structured: { error: { code: 'QUERY_REFUSED' } } });
  await parser.close();
});
