/**
 * How many real statements have a QueryShape, and whether the spans slice back to their names: the gold statements of
 * Spider 2 and the recorded candidates. Usage: node --conditions=@askema/source scripts/spider2/query-shapes.ts
 * [--default-only] (ASKEMA_DATA names the folder that holds spider2). Throughput is for one statement after another,
 * with the way to the worker and back.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Dialect, Span } from '@askema/core';
import { bigqueryDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import type { NamePart, QueryShape } from '@askema/sql';
import { type BackEndName, createSqlParser } from '@askema/sql-parser';

const FOLDER = `${process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))}/spider2`;
const DIALECTS: Readonly<Record<string, Dialect>> = {
  sqlite: sqliteDialect,
  snowflake: snowflakeDialect,
  bigquery: bigqueryDialect,
};

interface Statement {
  readonly id: string;
  readonly dialect: string;
  readonly sql: string;
}

function readLines(file: string): readonly Readonly<Record<string, unknown>>[] {
  const bytes = readFileSync(`${FOLDER}/${file}`);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

/** Names in the text without quotes; the text of a span must be the name. */
function misplaced(sql: string, shape: QueryShape): number {
  const bare = (text: string): string => text.replaceAll(/["`[\]\s]/g, '').toLowerCase();
  const isWrong = (parts: readonly NamePart[], span: Span): boolean =>
    bare(sql.slice(span.start, span.end)) !== bare(parts.map((part) => part.text).join('.'));
  let wrong = 0;
  for (const block of shape.blocks) {
    for (const column of block.columns) if (isWrong([...column.qualifier, column.name], column.span)) wrong++;
    for (const { kind, name, span } of block.relations)
      if ((kind === 'table' || kind === 'cte') && isWrong(name, span)) wrong++;
  }
  return wrong;
}

async function measure(
  backEnd: BackEndName,
  statements: readonly Statement[],
): Promise<Readonly<Record<string, unknown>>> {
  const parser = createSqlParser({ backEnd, timeoutMs: 20_000 });
  await parser.parse('SELECT 1', sqliteDialect);
  const failures = new Map<string, string[]>();
  let shapes = 0;
  let names = 0;
  let wrong = 0;
  let bytes = 0;
  let milliseconds = 0;
  for (const { id, dialect, sql } of statements) {
    const traits = DIALECTS[dialect];
    if (traits === undefined) throw new Error(`${id}: no dialect ${dialect}`);
    const start = performance.now();
    const result = await parser.parse(sql, traits);
    milliseconds += performance.now() - start;
    bytes += Buffer.byteLength(sql);
    if (result.ok) {
      shapes++;
      wrong += misplaced(sql, result.shape);
      for (const block of result.shape.blocks) names += block.columns.length + block.relations.length;
    } else
      failures.set(result.failure, [...(failures.get(result.failure) ?? []), `${id} (${dialect}): ${result.reason}`]);
  }
  await parser.close();
  for (const [failure, cases] of failures) {
    console.log(`${backEnd}, ${failure}: ${cases.length}`);
    for (const line of cases.slice(0, 3)) console.log(`  ${line}`);
  }
  return {
    'back-end': backEnd,
    statements: statements.length,
    shapes,
    share: `${((100 * shapes) / statements.length).toFixed(1)} %`,
    names,
    misplaced: wrong,
    'MB/s': Number((bytes / 1000 / milliseconds).toFixed(2)),
  };
}

async function survive(backEnd: BackEndName): Promise<void> {
  const parser = createSqlParser({ backEnd });
  const monsters = {
    '10,000 ORs': `SELECT a FROM t WHERE ${Array(10_001).fill('a = 1').join(' OR ')}`,
    '500 nested sub-queries': `${'SELECT * FROM ('.repeat(500)}SELECT 1${')'.repeat(500)}`,
  };
  for (const [name, sql] of Object.entries(monsters)) {
    const result = await parser.parse(sql, snowflakeDialect);
    const next = await parser.parse('SELECT a FROM t', snowflakeDialect);
    const reason = result.ok ? 'a shape' : result.reason;
    console.log(`${backEnd}, ${name}: ${reason} The next statement: ${next.ok ? 'parsed' : next.reason}`);
  }
  await parser.close();
}

if (!existsSync(FOLDER)) throw new Error(`${FOLDER} is not there. Set ASKEMA_DATA to the folder that holds spider2.`);
const gold = readLines('gold-sql.jsonl').map((line): Statement => {
  return { id: String(line.instance_id), dialect: String(line.dialect), sql: String(line.sql) };
});
const candidates = readLines('votes.jsonl.gz').map((line): Statement => {
  return { id: `${line.instance_id}/${line.model}/${line.slot}`, dialect: 'snowflake', sql: String(line.sql) };
});
const backEnds = process.argv.some((argument) => argument === '--default-only')
  ? (['sqlparser-ts'] as const)
  : (['sqlparser-ts', 'node-sql-parser'] as const);
const table: Readonly<Record<string, unknown>>[] = [];
for (const backEnd of backEnds) {
  table.push(
    { set: 'gold', ...(await measure(backEnd, gold)) },
    { set: 'candidates', ...(await measure(backEnd, candidates)) },
  );
  await survive(backEnd);
}
console.table(table);
const speed = (backEnd: string): number => {
  const rows = table.filter((row) => row['back-end'] === backEnd);
  return rows.reduce((sum, row) => sum + Number(row['MB/s']), 0) / rows.length;
};
if (backEnds.length > 1)
  console.log(
    `throughput sqlparser-ts : node-sql-parser = ${(speed('sqlparser-ts') / speed('node-sql-parser')).toFixed(1)} : 1`,
  );
const isHeld = table.every(
  (row) =>
    row['back-end'] !== 'sqlparser-ts' || (Number(row.shapes) / Number(row.statements) >= 0.99 && row.misplaced === 0),
);
console.log(
  isHeld ? 'The bars hold: at least 99 % have a shape, every name is where its span says.' : 'The bars do NOT hold.',
);
if (!isHeld) process.exitCode = 1;
