/**
 * Which chart the rules choose for real results, as a table (result, rule, chart), with each picture in a folder: 60
 * questions of text2sql-dev picked by hash, and what is asked of the sample store. Usage:
 *
 * npx -y pnpm@10 -s bars:charts [--out FOLDER] [--set dev,defog,store] [--count 60] [--seed charts]
 * [--any] [--all]
 *
 * Only questions whose results have two rows and two columns or more are picked; with `--any` all may be. `--all`
 * writes the other charts that are offered as well. Fails where `checkChartSpec` refuses an offered chart as
 * misleading: a line over categories, stacked averages, an identifier as a measure.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ChartSpec, chartOf, checkChartSpec, drawSvg } from '@askema/chart';
import { type Adapter, type Catalog, checkChoice, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { SqlParser } from '@askema/sql';
import { createSqlParser } from '@askema/sql-parser';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { makeStore } from '../../examples/make-store.ts';
import { openDevelopmentSet } from '../inspect/development-set.ts';
import { STORE_REPORTS } from './store-statements.ts';

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string' },
    set: { type: 'string', default: 'dev,store' },
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: 'charts' },
    any: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});

const sets = flags.set.split(',').map((set) => checkChoice('--set', set, ['dev', 'defog', 'store'] as const));

interface Asked {
  readonly id: string;
  readonly question: string;
  readonly sql: string;
}

const counts = new Map<string, number>();
const misleading: string[] = [];
let shown = 0;

async function show(asked: Asked, adapter: Adapter, catalog: Catalog, parser: SqlParser): Promise<void> {
  const parsed = await parser.parse(asked.sql, sqliteDialect);
  const shape = parsed.ok ? parsed.shape : undefined;
  const result = await adapter.query(asked.sql);
  const choice = chartOf(result, { shape, catalog, question: asked.question });
  const key = `${choice.first} (${choice.rule})`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  shown += 1;
  const size = `${result.rows.length} × ${result.columns.length}`;
  const names = result.columns.map(({ name }) => name).join(', ');
  console.log(
    `| ${asked.id} | ${asked.question.slice(0, 70)} | ${size}: ${names.slice(0, 60)} | ${choice.rule} | ${charts(choice)} |`,
  );
  for (const [at, spec] of choice.offered.entries()) {
    const problem = problemOf(() => checkChartSpec(spec, result, { shape, catalog }));
    const svg = drawSvg(spec, result);
    if (problem !== undefined) misleading.push(`${asked.id}: ${problem}`);
    if (flags.out !== undefined && (at === 0 || flags.all))
      writeFileSync(path.join(flags.out, `${asked.id}${at === 0 ? '' : `-${at}`}.svg`), svg);
  }
}

function charts({ first, offered }: ReturnType<typeof chartOf>): string {
  const names = offered.map(({ kind, layout, limit }: ChartSpec) =>
    [layout, kind, limit && `top ${limit}`].filter(Boolean).join(' '),
  );
  const [one = '', ...others] = names;
  return first === 'table'
    ? `table${one === '' ? '' : ` (offered: ${names.join(', ')})`}`
    : `${one}${others.length === 0 ? '' : ` (or ${others.join(', ')})`}`;
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const hash = (id: string): string => createHash('sha256').update(`${flags.seed}:${id}`).digest('hex');

async function showDrawn(set: 'dev' | 'defog', parser: SqlParser): Promise<void> {
  const ids: string[] = [];
  for await (const { adapter, questions } of openDevelopmentSet(parser, set))
    for (const { id, sql } of questions) {
      const { rows, columns } = flags.any ? { rows: [[], []], columns: [0, 0] } : await adapter.query(sql);
      if (rows.length > 1 && columns.length > 1) ids.push(id);
    }
  const drawn = new Set(ids.sort((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, Number(flags.count)));
  for await (const { adapter, catalog, questions } of openDevelopmentSet(parser, set))
    for (const asked of questions.filter(({ id }) => drawn.has(id))) await show(asked, adapter, catalog, parser);
}

async function showStore(parser: SqlParser): Promise<void> {
  const file = fileURLToPath(new URL('../../examples/store.sqlite', import.meta.url));
  makeStore(file);
  const lines = readFileSync(new URL('../../examples/store-questions/questions.jsonl', import.meta.url), 'utf8');
  const asked = lines
    .split('\n')
    .filter((line) => line !== '')
    .map(
      (line) =>
        JSON.parse(line) as {
          readonly id: string;
          readonly question: string;
          readonly gold_sql: string | readonly string[];
        },
    )
    .map(({ id, question, gold_sql }) => ({ id: `store-${id}`, question, sql: [gold_sql].flat()[0] ?? '' }));
  const reports = STORE_REPORTS.map(([question, sql], at) => ({ id: `report-${at + 1}`, question, sql }));
  const adapter = resolveAdapter(sqlite({ file }));
  try {
    const catalog = await adapter.introspect();
    for (const each of [...asked, ...reports]) await show(each, adapter, catalog, parser);
  } finally {
    await adapter.close();
  }
}

if (flags.out !== undefined) mkdirSync(flags.out, { recursive: true });
console.log('| id | question | result | rule | chart |\n| --- | --- | --- | --- | --- |');
const parser = createSqlParser();
try {
  for (const set of sets) {
    if (set === 'store') await showStore(parser);
    else await showDrawn(set, parser);
  }
} finally {
  await parser.close();
}
console.log(
  `\n${shown} results: ${[...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => `${count} ${key}`)
    .join(', ')}`,
);
console.log(
  misleading.length === 0
    ? 'Misleading charts: 0'
    : `Misleading charts: ${misleading.length}\n${misleading.join('\n')}`,
);
if (misleading.length > 0) process.exitCode = 1;
