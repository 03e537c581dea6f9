/**
 * CTE by CTE: a statement that runs, looks right and is wrong. Joining orders with their lines repeats an order for
 * each line that fits, so sums of order totals come out too high. Run alone, the step shows it: 670 rows, 503 distinct.
 * Its text is mended in its place, and what builds on it is run again. The model is a script: it answers by the figures
 * that it is shown. Put a real one in its place.
 */
import { type JsonValue, type ModelRequest, textOf } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { scriptedModel } from '@askema/testkit';
import { createText2Sql, refine } from '@askema/text2sql';

const STATEMENT = `WITH kitchen_products AS (
  SELECT product_id FROM products JOIN categories USING (category_id) WHERE categories.name = 'Kitchen'
),
kitchen_orders AS (
  SELECT o.order_id, o.customer_id, o.total_amount
  FROM "order" o JOIN order_items i ON i.order_id = o.order_id JOIN kitchen_products k ON k.product_id = i.product_id
),
value_per_country AS (
  SELECT country, SUM(total_amount) AS value FROM kitchen_orders JOIN customers USING (customer_id) GROUP BY country
)
SELECT country, value FROM value_per_country ORDER BY value DESC LIMIT 3`;

const MENDED = `SELECT o.order_id, o.customer_id, o.total_amount
  FROM "order" o
  WHERE o.order_id IN (SELECT order_id FROM order_items WHERE product_id IN (SELECT product_id FROM kitchen_products))`;

const answers: Readonly<Record<string, (prompt: string) => JsonValue>> = {
  'text2sql_write-ctes': () => ({
    thinking: '',
    steps: [
      { name: 'kitchen_products', purpose: 'the products of the category Kitchen' },
      { name: 'kitchen_orders', purpose: 'each order that contains one of them, once' },
      { name: 'value_per_country', purpose: 'the sum of their totals for each country' },
    ],
    sql: STATEMENT,
    explanation: 'Totals of whole orders that contain something of Kitchen.',
  }),
  'text2sql_judge-cte': (prompt) => {
    const isRepeated = prompt.includes('rows repeat each other');
    return {
      thinking: '',
      verdict: isRepeated ? 'wrong' : 'right',
      problem: isRepeated ? 'An order stands there once for each of its lines.' : '',
      cte: isRepeated ? 'kitchen_orders' : '',
      body: isRepeated ? MENDED : '',
      probes: [],
    };
  },
};
const script = scriptedModel((request: ModelRequest) => {
  const prompt = request.messages.map(({ content }) => textOf(content)).join('\n');
  const json = answers[request.output?.name ?? '']?.(prompt);
  return json === undefined ? undefined : { json };
});

const store = createText2Sql({
  adapter: sqlite({ file: 'examples/store.sqlite' }),
  model: script,
  // The CTE stage alone, in one thread; by default it comes where a thread found no answer.
  flow: refine({
    stages: { cte: 'only', format: false, exploration: false, profile: false, choose: false },
    limits: { threads: 1 },
  }),
  onEvent: (event) => {
    if (event.type !== 'call' || event.call !== 'cte') return;
    const { cte, number, of, rows, distinctRows, verdict, problem } = event.data;
    if (verdict === undefined) console.log(`step ${number} of ${of}, ${cte}: ${rows} rows, ${distinctRows} distinct`);
    else console.log(`  ${[verdict, problem].filter(Boolean).join(': ')}`);
  },
});
const outcome = await store.ask(
  'What are orders with something of the category Kitchen worth? The three highest countries.',
);
if (outcome.type !== 'answered') throw new Error(`not answered: ${outcome.type}`);
if (!outcome.sql.includes(MENDED) || outcome.result.rows[0]?.[1] !== 30_964.75)
  throw new Error(`not mended: ${outcome.sql}`);
console.log(outcome.result.rows);
await store.close();
