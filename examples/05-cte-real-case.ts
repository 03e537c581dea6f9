/**
 * CTE by CTE on a real case: nothing is planted. A language model wrote the statement and judged its steps, from the
 * prompts alone; what it said is in recordings/cte-refinement.recorded.json and is said again here, each prompt and
 * each statement being made anew. Its first step looked for subjects with "lost" in them. Run alone it holds 11
 * tickets, all about double charges; the model looks the subjects up, finds that lost parcels are called something else
 * here, and mends that step in its place.
 */
import { readFileSync } from 'node:fs';
import type { JsonValue, ModelRequest } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { scriptedModel } from '@askema/testkit';
import { createText2Sql, refine } from '@askema/text2sql';

const recorded = JSON.parse(readFileSync('examples/recordings/cte-refinement.recorded.json', 'utf8')) as {
  readonly task: string;
  readonly reply: JsonValue;
}[];
const model = scriptedModel((request: ModelRequest) => {
  const position = recorded.findIndex(({ task }) => task === request.output?.name);
  const [next] = position < 0 ? [] : recorded.splice(position, 1);
  return next === undefined ? undefined : { json: next.reply };
});

const store = createText2Sql({
  adapter: sqlite({ file: 'examples/store.sqlite' }),
  model,
  flow: refine({
    stages: { cte: 'only', format: false, exploration: false, profile: false, choose: false },
    limits: { threads: 1 },
  }),
  onEvent: (event) => {
    if (event.type !== 'call' || event.call !== 'cte') return;
    const { cte, number, of, rows, verdict, problem } = event.data;
    if (verdict === undefined) console.log(`step ${number} of ${of}, ${cte}: ${rows} rows`);
    else console.log(`  ${[verdict, problem].filter(Boolean).join(': ')}`);
  },
});
const outcome = await store.ask(
  'Which employees closed the most tickets about being charged twice and about lost parcels?',
);
if (outcome.type !== 'answered') throw new Error(`not answered: ${outcome.type}`);
if (!outcome.sql.includes("'Where is my order?'")) throw new Error(`not mended: ${outcome.sql}`);
console.log(outcome.result.rows);
await store.close();
