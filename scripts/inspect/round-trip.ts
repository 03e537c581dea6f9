/**
 * The way back from statements to clause actions: every gold statement of text2sql-dev as actions, written again,
 * executed, and its result held against that of the gold statement. Usage: node --conditions=@askema/source
 * scripts/inspect/round-trip.ts (ASKEMA_DATA names the folder that holds text2sql-dev). Queries inside a statement go
 * the same way, from the innermost outwards.
 */

import { type Catalog, resultsAgree } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { SqlParser } from '@askema/sql';
import { sqlparserTs } from '@askema/sql-parser';
import { type ActionProblem, actionsOfQuery, assembleSql } from '@askema/text2sql';
import { hasDevelopmentSet, openDevelopmentSet } from './development-set.ts';

const MAX_DEPTH = 10;

if (!hasDevelopmentSet()) {
  console.error('text2sql-dev is not there; set ASKEMA_DATA to the folder that holds it.');
  process.exit(1);
}

interface Rewritten {
  readonly sql: string;
  readonly actions: number;
  readonly problems: readonly ActionProblem[];
}

async function rewrite(sql: string, catalog: Catalog, parser: SqlParser, depth = 0): Promise<Rewritten> {
  const parsed = await parser.parse(sql, sqliteDialect);
  if (!parsed.ok) {
    const problem = { action: undefined, message: `Not parsed: ${parsed.reason}`, nearestNames: [] };
    return { sql: '', actions: 0, problems: [problem] };
  }
  const { actions, answers, problems } = actionsOfQuery(sql, parsed.shape, sqliteDialect);
  const found = [...problems];
  const inner: Record<string, string> = {};
  let count = actions.length;
  for (const [id, answer] of Object.entries(answers)) {
    if (depth >= MAX_DEPTH) throw new Error(`${sql}: more than ${MAX_DEPTH} queries inside each other`);
    const rewritten = await rewrite(answer, catalog, parser, depth + 1);
    found.push(...rewritten.problems);
    count += rewritten.actions;
    inner[id] = rewritten.sql;
  }
  const assembled = assembleSql(actions, { dialect: sqliteDialect, catalog, answers: inner });
  return { sql: assembled.sql, actions: count, problems: [...found, ...assembled.problems] };
}

const parser = sqlparserTs();
const outcomes = { same: 0, 'other result': 0, 'not said by actions': 0, fails: 0 };
let total = 0;
let actionCount = 0;
for await (const { adapter, catalog, questions } of openDevelopmentSet(parser)) {
  for (const { id, sql, orderMatters } of questions) {
    total += 1;
    const rewritten = await rewrite(sql, catalog, parser);
    actionCount += rewritten.actions;
    if (process.argv.includes('--show')) console.log(`${id}\n${rewritten.sql}\n`);
    if (rewritten.problems.length > 0) {
      outcomes['not said by actions'] += 1;
      console.log(`${id}: ${rewritten.problems.map(({ message }) => message).join(' ')}\n  ${sql}`);
      continue;
    }
    try {
      const [gold, again] = [await adapter.query(sql), await adapter.query(rewritten.sql)];
      if (resultsAgree(gold, again, { rowOrder: orderMatters ? 'keep' : 'ignore' })) outcomes.same += 1;
      else {
        outcomes['other result'] += 1;
        console.log(`${id}: another result\n  ${sql}\n  ${rewritten.sql}`);
      }
    } catch (error) {
      outcomes.fails += 1;
      console.log(`${id}: ${error instanceof Error ? error.message : String(error)}\n  ${sql}\n  ${rewritten.sql}`);
    }
  }
}
await parser.close();
console.table(outcomes);
const share = outcomes.same / total;
console.log(`${total} statements, ${actionCount} actions: ${(100 * share).toFixed(1)} % give the same result`);
console.log(share >= 0.95 ? 'The bar holds: at least 95 %.' : 'The bar does NOT hold: 95 %.');
if (share < 0.95) process.exitCode = 1;
