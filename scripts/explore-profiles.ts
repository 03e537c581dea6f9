/**
 * Exploration without a model over the questions of text2sql-dev: what it costs, and how much of what the gold SQL
 * names it looks at. Usage: node --conditions=@askema/source scripts/explore-profiles.ts [--link]
 *
 * `--link` looks the words of the question up in the cells first, as the flows do.
 * Gold SQL only scores what was found; the exploration sees question, evidence and catalog.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Catalog,
  createCallContext,
  type ExploredCatalog,
  foldName,
  indexSchema,
  resolveAdapter,
} from '@askema/core';
import { probeValues, servicesOf } from '@askema/grounding';
import { nameOfToken, significantTokens } from '@askema/sql';
import { sqlite } from '../adapters/sqlite/src/index.ts';
import { sqliteDialect } from '../packages/dialects/src/sqlite/sqlite.ts';

const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../shared/data', import.meta.url)),
  'text2sql-dev',
);
if (!existsSync(path.join(DATA, 'questions.jsonl'))) {
  console.error(`${DATA} is not there; set ASKEMA_DATA to the folder that holds text2sql-dev.`);
  process.exit(1);
}

const link = process.argv.includes('--link');

interface Question {
  readonly db_id: string;
  readonly question: string;
  readonly evidence?: string | undefined;
  readonly gold_sql: string | readonly string[];
  readonly category: string;
}

const questions = readFileSync(path.join(DATA, 'questions.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Question);

interface Measured {
  readonly category: string;
  readonly executions: number;
  readonly ms: number;
  readonly bytes: number;
  readonly warnings: number;
  /** Relations and attributes of the gold SQL, and those of them that have a line in the text. */
  readonly relations: readonly [named: number, shown: number];
  readonly attributes: readonly [named: number, shown: number];
}

const measured: Measured[] = [];
for (const database of new Set(questions.map(({ db_id }) => db_id))) {
  const adapter = resolveAdapter(sqlite({ file: path.join(DATA, 'databases', `${database}.sqlite`) }));
  const catalog = await adapter.introspect();
  for (const { question, evidence, gold_sql, category } of questions.filter(({ db_id }) => db_id === database)) {
    const started = performance.now();
    const about = `${question}\n${evidence ?? ''}`;
    const context = createCallContext();
    const values = link ? await probeValues(adapter, catalog, question, { context }) : [];
    const mentioned = [...new Set(values.map(({ attribute }) => attribute))];
    const found = await servicesOf(adapter).explorer.explore(catalog, about, { context, mentioned });
    const ms = performance.now() - started;
    const gold = typeof gold_sql === 'string' ? gold_sql : (gold_sql[0] ?? '');
    measured.push({
      category,
      executions: found.executions,
      ms,
      bytes: Buffer.byteLength(found.text),
      warnings: found.warnings.length,
      ...shownOf(gold, catalog, found),
    });
  }
  await adapter.close();
}

function shownOf(gold: string, catalog: Catalog, found: ExploredCatalog): Pick<Measured, 'relations' | 'attributes'> {
  const index = indexSchema(catalog);
  const names = new Set(
    significantTokens(gold, sqliteDialect.lexer).flatMap((token) => {
      const name = nameOfToken(token, sqliteDialect.lexer);
      return name === undefined ? [] : [foldName(name, 'insensitive')];
    }),
  );
  const relations = catalog.schema.relations.filter(({ name }) => names.has(foldName(name, 'insensitive')));
  const attributes = relations.flatMap(({ id }) =>
    index.attributesOf(id).filter(({ name }) => names.has(foldName(name, 'insensitive'))),
  );
  const profiled = new Set(Object.keys(found.profiles));
  const looked = new Set([...profiled].map((id) => index.attribute(id)?.relation));
  return {
    relations: [relations.length, relations.filter(({ id }) => looked.has(id)).length],
    attributes: [attributes.length, attributes.filter(({ id }) => profiled.has(id)).length],
  };
}

function report(name: string, list: readonly Measured[]): void {
  const sum = (of: (one: Measured) => number): number => list.reduce((total, one) => total + of(one), 0);
  const mean = (of: (one: Measured) => number): string => (sum(of) / list.length).toFixed(0);
  const most = (of: (one: Measured) => number): string => Math.max(...list.map(of)).toFixed(0);
  const share = (of: (one: Measured) => readonly [number, number]): string =>
    `${sum((one) => of(one)[1])} of ${sum((one) => of(one)[0])}`;
  console.log(
    `${name}: ${list.length} questions; statements mean ${mean((one) => one.executions)}, most ${most((one) => one.executions)}; ` +
      `ms mean ${mean((one) => one.ms)}, most ${most((one) => one.ms)}; bytes mean ${mean((one) => one.bytes)}, most ${most((one) => one.bytes)}; ` +
      `warnings ${sum((one) => one.warnings)}; profiled relations of gold ${share((one) => one.relations)}, attributes ${share((one) => one.attributes)}`,
  );
}

for (const category of new Set(measured.map((one) => one.category)))
  report(
    category,
    measured.filter((one) => one.category === category),
  );
report('all', measured);
