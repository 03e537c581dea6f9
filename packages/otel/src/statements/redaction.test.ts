import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bigqueryLexer, snowflakeLexer, sqliteLexer } from '@askema/dialects';
import { redactSql } from '@askema/sql';
import { expect, it } from 'vitest';
import { summarizeSql } from './summarize-sql.ts';

const file = join(process.env.ASKEMA_DATA ?? '../shared/data', 'spider2', 'gold-sql.jsonl');
const LEXERS = { bigquery: bigqueryLexer, snowflake: snowflakeLexer, sqlite: sqliteLexer };

/** The texts of several words, found without the lexer. One word may be a name elsewhere. */
function textsOf(sql: string, dialect: string): readonly string[] {
  const pieces = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`[^`]*`|--.*|\/\*[\s\S]*?\*\//g;
  return [...sql.matchAll(pieces)]
    .map(([piece]) => piece)
    .filter((piece) => piece.startsWith("'") || (dialect === 'bigquery' && piece.startsWith('"')))
    .map((piece) => piece.slice(1, -1))
    .filter((text) => /\w \w/.test(text));
}

it.skipIf(!existsSync(file))('6: no literal of real statements is left in text or summary', () => {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const statements = lines.map((line) => JSON.parse(line) as { sql: string; dialect: keyof typeof LEXERS });
  expect(statements).toHaveLength(376);
  const named: string[] = [];
  for (const { sql, dialect } of statements) {
    const redacted = redactSql(sql, LEXERS[dialect]);
    // Without names in quotes, nothing looks like a text or a number. `$1` is a column or a parameter.
    const rest = redacted.replaceAll(/`[^`]*`/g, 'n').replaceAll(dialect === 'bigquery' ? /$^/g : /"[^"]*"/g, 'n');
    expect(rest).not.toMatch(/['"]|--|\/\*|(?<![\w$])\d/);
    const texts = textsOf(sql, dialect);
    for (const text of texts) if (!sql.replaceAll(`'${text}'`, '').includes(text)) expect(redacted).not.toContain(text);
    const summary = summarizeSql(sql, LEXERS[dialect]);
    if (summary !== undefined) named.push(summary);
    for (const text of texts) expect(summary ?? '').not.toContain(text);
  }
  expect(named).toHaveLength(376);
});

it('a summary names what is read, each relation once, and never a word that is no operation', () => {
  const summary = (sql: string) => summarizeSql(sql, sqliteLexer);
  expect(summary('WITH a AS (SELECT * FROM orders) SELECT * FROM a JOIN main.customers c, orders')).toBe(
    'SELECT orders main.customers',
  );
  expect(summary('-- x\n(SELECT 1)')).toBe('SELECT');
  expect(summary('insert into log values (1)')).toMatch(/^INSERT/);
  expect(summary('Ada lives in Oslo')).toBeUndefined();
  expect(summary(`SELECT * FROM ${'long_name_'.repeat(20)}, ${'other_name_'.repeat(20)}`)).toBe(
    `SELECT ${'long_name_'.repeat(20)}`,
  );
});
