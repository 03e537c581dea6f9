/**
 * The inspect flow: what no database complains about is found before anything runs. Four questions: a name that is
 * stored otherwise, a value that stands in another column, one that the database does not hold, and a rule of the house
 * that the question does not mention. A language model chose the actions and decided on what was found, from the
 * prompts alone; what it said is in recordings/inspect.recorded.json and is said again here. Prompts, statements,
 * findings and rows are made anew.
 */
import { readFileSync } from 'node:fs';
import type { JsonValue, ModelRequest } from '@askema/core';
import { requireFilter } from '@askema/lint';
import { sqlite } from '@askema/sqlite';
import { scriptedModel } from '@askema/testkit';
import { createText2Sql, inspect } from '@askema/text2sql';

interface RecordedQuestion {
  readonly question: string;
  readonly replies: readonly { readonly task: string; readonly reply: JsonValue }[];
}
const recorded = JSON.parse(readFileSync('examples/recordings/inspect.recorded.json', 'utf8')) as RecordedQuestion[];

let replies: RecordedQuestion['replies'] = [];
const model = scriptedModel((request: ModelRequest) => {
  const [next, ...later] = replies;
  if (next?.task !== request.output?.name) return undefined;
  replies = later;
  return next === undefined ? undefined : { json: next.reply };
});

const revenue = requireFilter({
  code: 'custom/revenue-without-cancelled-orders',
  attribute: 'order.total_amount',
  filter: { attribute: 'order.status', condition: "<> 'cancelled'" },
  message: 'Revenue never counts cancelled orders.',
});
const store = createText2Sql({
  adapter: sqlite({ file: 'examples/store.sqlite' }),
  model,
  // Recorded from a model that gives its actions as structured output; with tools it would call one for each clause.
  flow: inspect({ rules: [revenue], actions: 'structured' }),
});

/** Asks, shows each try with what was found in it, and says how it ended. */
async function show(question: string): Promise<string> {
  replies = recorded.find((each) => each.question === question)?.replies ?? [];
  const outcome = await store.ask(question);
  console.log(`\n${question}`);
  for (const { sql, findings } of outcome.inspection?.tries ?? [])
    console.log(`  ${sql.replace(/\s+/g, ' ')}\n    ${findings.map(({ code }) => code).join(', ') || 'nothing found'}`);
  const end = outcome.type === 'answered' ? JSON.stringify(outcome.result.rows) : outcome.type;
  const reason = outcome.type === 'unanswerable' ? outcome.reason : (outcome.explanation ?? '');
  console.log(`  ${end}: ${reason}`);
  if (replies.length > 0) throw new Error(`${replies.length} recorded replies were not asked for: ${question}`);
  return `${end}: ${reason}`;
}

const expected: readonly (readonly [question: string, end: RegExp])[] = [
  [
    'How many products does the manufacturer Eisvogel make?',
    /^\[\[6\]\].*“Eisvogel” was read as .*“Eisvogel Manufaktur”/,
  ],
  ['How many products does the supplier Bologna deliver?', /^\[\[5\]\].*in suppliers\.city, not in suppliers\.name/],
  ['Which orders did nadia grabovski take care of?', /^unanswerable.*“Nadia Grabowski” \(customers\.name\)/],
  ['What is the total value of all orders of customers in Berlin?', /^\[\[6099\.25\]\]/],
];
for (const [question, end] of expected) {
  const shown = await show(question);
  if (!end.test(shown)) throw new Error(`not as expected: ${shown}`);
}
await store.close();
