/**
 * How much of the prompts of a run an earlier prompt of it began with, so that vendors can cache it. Usage: node
 * --conditions=@askema/source scripts/inspect/shared-prefixes.ts [DATABASE.sqlite]. Without one: the sample store. The
 * flows are whole; the answers of the model are written here.
 */
import { type Solver, textOf } from '@askema/core';
import { createText2Sql, inspect, plain, refine } from '@askema/text2sql';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { requireTool } from '../require-tool.ts';

const BAR = 0.7;
const { countTokens } = requireTool<{ countTokens(text: string): number }>('gpt-tokenizer/encoding/o200k_base');
const file = process.argv[2] ?? new URL('../../examples/store.sqlite', import.meta.url).pathname;
const SQL = 'SELECT COUNT(*) FROM customers';
const sql = { outcome: 'sql', sql: SQL, explanation: 'As asked.', not_understood: [] };

/** One answer for each task, the first review without its approval. */
function answers(): Readonly<Record<string, () => object>> {
  let reviews = 0;
  return {
    'text2sql.generate-sql': () => ({ ...sql, sql: 'SELECT COUNT(*) FROM nowhere' }),
    'text2sql.debug-sql': () => sql,
    'text2sql.expect-format': () => ({
      reading: 'The number of customers.',
      columns: [{ name: 'customers', type: 'integer', meaning: 'their number', open: false }],
      rows: 1,
      record: 'all customers',
      notes: [],
    }),
    'text2sql.explore-columns': () => ({
      relevant: [{ relation: 'customers', attributes: ['city'] }],
      probes: Array.from({ length: 10 }, (_, at) => ({
        purpose: 'where they live',
        looksFor: 'contents',
        sql: `SELECT DISTINCT city FROM customers LIMIT ${at + 1}`,
      })),
    }),
    'text2sql.refine-sql': () => ({ thinking: '', ...sql, other_readings: [], format_departs: '', expand: [] }),
    'text2sql.review-result': () => {
      reviews += 1;
      const isRight = reviews > 1;
      const problems = isRight ? [] : ['It may count some twice.'];
      return {
        would_refute: '',
        assessment: '',
        problems,
        is_right: isRight,
        sql: isRight ? SQL : `${SQL} AS c`,
        other_readings: [],
        check: '',
      };
    },
    'text2sql.generate-actions': () => ({
      thinking: '',
      outcome: 'actions',
      actions: [
        { action: 'add_from', relation: 'customers', alias: '', joins: [] },
        {
          action: 'add_where',
          left: 'city',
          operator: '=',
          right: [{ kind: 'text', value: 'Lisboa' }],
          link: 'none',
          group: 0,
        },
        { action: 'add_select', distinct: false, items: [{ expression: 'COUNT(*)', alias: '' }] },
      ],
      explanation: '',
      not_understood: [],
    }),
    'text2sql.revise-actions': () => ({
      decisions: [],
      outcome: 'actions',
      actions: [
        { action: 'add_from', relation: 'customers', alias: '', joins: [] },
        { action: 'add_select', distinct: false, items: [{ expression: 'COUNT(*)', alias: '' }] },
      ],
      explanation: '',
      not_understood: [],
    }),
  };
}

interface Prompt {
  readonly task: string;
  readonly text: string;
}

function recorder(prompts: Prompt[]): Solver {
  const known = answers();
  return {
    name: 'written',
    supports: () => true,
    async solve(task, input) {
      const messages = task.render(input);
      prompts.push({
        task: task.id,
        text: messages.map(({ role, content }) => `${role}\n${textOf(content)}`).join('\n'),
      });
      const answer = known[task.id];
      if (answer === undefined) throw new Error(`No answer is written for ${task.id}.`);
      const checked = await task.output['~standard'].validate(answer());
      if (checked.issues !== undefined) throw new Error(`${task.id}: ${JSON.stringify(checked.issues)}`);
      const usage = { inputTokens: 0, outputTokens: 0 };
      return { value: checked.value, usage, calls: 1, solvedBy: 'written', warnings: [] };
    },
  };
}

function shared(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}

let holds = true;
for (const [name, flow] of Object.entries({
  plain: plain(),
  inspect: inspect(),
  refine: refine({ rules: { review: 'always' } }),
})) {
  const prompts: Prompt[] = [];
  const text2sql = createText2Sql({ adapter: sqlite({ file }), model: recorder(prompts), flow });
  const outcome = await text2sql.ask('How many customers are there in Lisbon?');
  await text2sql.close();
  let all = 0;
  let cached = 0;
  console.log(`${name}: ${outcome.type}, ${prompts.length} prompts`);
  for (const [at, { task, text }] of prompts.entries()) {
    const most = Math.max(0, ...prompts.slice(0, at).map((earlier) => shared(earlier.text, text)));
    const tokens = countTokens(text);
    const begun = countTokens(text.slice(0, most));
    all += tokens;
    cached += begun;
    console.log(`  ${task.replace('text2sql.', '').padEnd(16)} ${tokens} tokens, ${begun} of them begun before`);
  }
  console.log(`  ${((100 * cached) / all).toFixed(1)} % of ${all} tokens`);
  if (name === 'refine') holds = cached >= BAR * all;
}
process.exit(holds ? 0 : 1);
