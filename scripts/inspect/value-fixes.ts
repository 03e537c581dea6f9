/**
 * How often the fixes of the retriever alone mend a statement: the statements of text2sql-dev's mismatch questions as
 * they were before the data set was repaired (B) or its database edited (D), mended and compared with the right result.
 * Usage: node --conditions=@askema/source scripts/inspect/value-fixes.ts
 *
 * ASKEMA_DATA names the folder that holds text2sql-dev. The right statement only scores; it is never shown to the
 * retriever.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCallContext, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { applyFixes, inspectValues, resolveQuery } from '@askema/lint';
import { sqlparserTs } from '@askema/sql-parser';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import type { MismatchQuestion } from './mismatch-cases.ts';

const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'text2sql-dev',
);
if (!existsSync(path.join(DATA, 'questions.jsonl'))) {
  console.error(`${DATA} is not there; set ASKEMA_DATA to the folder that holds text2sql-dev.`);
  process.exit(1);
}

const parser = sqlparserTs();
const context = createCallContext();
let statements = 0;
let found = 0;
let right = 0;
const lines = readFileSync(path.join(DATA, 'questions.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '');
for (const line of lines) {
  const question = JSON.parse(line) as MismatchQuestion & { db_id: string; gold_sql: string };
  // Strings in double quotes are names to everybody but SQLite.
  const sql = question.mismatch?.orig_gold?.replaceAll('"', "'");
  if (sql === undefined) continue;
  statements += 1;
  const adapter = resolveAdapter(sqlite({ file: path.join(DATA, 'databases', `${question.db_id}.sqlite`) }));
  const catalog = await adapter.introspect();
  const parsed = await parser.parse(sql, sqliteDialect);
  if (parsed.ok) {
    const query = resolveQuery({ sql, shape: parsed.shape, catalog, dialect: sqliteDialect });
    const findings = await inspectValues(query, { adapter, context });
    const rows = async (statement: string): Promise<string> =>
      JSON.stringify((await adapter.query(statement)).rows.map((row) => JSON.stringify(row)).sort());
    const isRight = (await rows(applyFixes(sql, findings).sql)) === (await rows(question.gold_sql));
    if (findings.some(({ severity }) => severity === 'error')) found += 1;
    if (isRight) right += 1;
    else console.log(`  ${question.id} is not mended: ${findings.map(({ message }) => message).join(' ')}`);
  }
  await adapter.close();
}
await parser.close();
console.log(`${statements} statements: an error found in ${found}, right once mended ${right}`);
