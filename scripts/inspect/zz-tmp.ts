/**
 * Which questions the solver without a model gets right without a value index, and which with one: text2sql-dev and
 * the sample store. Of the flows only `plain` runs without a model. Usage:
 *
 * node --conditions=@askema/source scripts/inspect/index-losses.ts [--index sqlite,scan,like] (ASKEMA_DATA names the
 * folder that holds text2sql-dev)
 *
 * Bar: no question is lost.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Adapter, type Catalog, compareResults, resolveAdapter } from '@askema/core';
import { sqlparserTs } from '@askema/sql-parser';
import { createText2Sql } from '@askema/text2sql';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { lexical } from '../../packages/lexical/src/index.ts';
import { hasDevelopmentSet, openDevelopmentSet } from './development-set.ts';
import { VALUE_INDEXES } from './value-indexes.ts';

interface Asked {
  readonly id: string;
  readonly question: string;
  readonly sql: string;
  readonly orderMatters: boolean;
}

const { values: flags } = parseArgs({ options: { index: { type: 'string', default: 'sqlite' } } });
const kinds = ['without'];
const right = new Map<string, Set<string>>(kinds.map((kind) => [kind, new Set()]));
const answered = new Map<string, number>();

async function measure(adapter: Adapter, catalog: Catalog, questions: readonly Asked[]): Promise<void> {
  for (const kind of kinds) {
    const valueIndex = await VALUE_INDEXES[kind]?.(adapter, catalog);
    const text2sql = createText2Sql({ adapter, model: lexical({ maxCost: Number(process.env.MAXCOST ?? 0.45) }), valueIndex });
    for (const { id, question, sql, orderMatters } of questions) {
      const outcome = await text2sql.ask(question);
      if (outcome.type !== 'answered') continue;
      answered.set(kind, (answered.get(kind) ?? 0) + 1);
      const gold = await adapter.query(sql);
      if (compareResults(gold, outcome.result, { orderMatters }).match) right.get(kind)?.add(id); else if (process.env.SHOW) console.log('WRONG', id, question, '|', outcome.sql, '|', sql);
    }
    await valueIndex?.close();
  }
}

if (!hasDevelopmentSet()) {
  console.error('The data is not there; set ASKEMA_DATA to the folder that holds text2sql-dev.');
  process.exit(1);
}
const parser = sqlparserTs();
for await (const { adapter, catalog, questions } of openDevelopmentSet(parser))
  await measure(adapter, catalog, questions);
await parser.close();
const store = resolveAdapter(sqlite({ file: 'examples/store.sqlite' }));
const storeQuestions = readFileSync('examples/store-questions/questions.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as { readonly id: string; readonly question: string; readonly gold_sql: string })
  .map(({ id, question, gold_sql }) => ({ id: `store ${id}`, question, sql: gold_sql, orderMatters: false }));
await measure(store, await store.introspect(), storeQuestions);
await store.close();

let lost = 0;
const base = right.get('without') ?? new Set();
for (const [kind, ids] of right) {
  const missing = [...base].filter((id) => !ids.has(id));
  const gained = [...ids].filter((id) => !base.has(id));
  lost += missing.length;
  const count = `${ids.size} right of ${answered.get(kind) ?? 0} answered`;
  console.log(
    kind === 'without'
      ? `without an index: ${count}`
      : `${kind}: ${count}, lost ${missing.length}, gained ${gained.length}`,
  );
  for (const id of missing) console.log(`  lost: ${id}`);
  for (const id of gained) console.log(`  gained: ${id}`);
}
console.log(lost === 0 ? 'The bar holds.' : 'The bar does NOT hold.');
if (lost > 0) process.exitCode = 1;
