import { readdirSync, readFileSync } from 'node:fs';
import { sqlite } from '@askema/sqlite';
import { createText2Sql } from '@askema/text2sql';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { importDbt } from '../formats/dbt/import/import-dbt.ts';
import type { Knowledge } from '../model/knowledge.ts';
import type { Standing } from '../model/standing.ts';
import { JAFFLE_FILE } from '../test-support/jaffle/jaffle-star.ts';
import { hasJaffle, JAFFLE } from '../test-support/jaffle/metric-cases.ts';
import { knowledgeSolver } from './knowledge-solver.ts';

const FOLDER = `${JAFFLE}/dbt`;
const ITEMS = `order_items LEFT JOIN orders USING (order_id) LEFT JOIN locations USING (location_id)
  LEFT JOIN products USING (product_id) LEFT JOIN customers USING (customer_id)`;

/** Questions, each with plain SQL that computes the same from the tables of the shop. Rows in any order. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['What is our revenue?', 'SELECT SUM(product_price) FROM order_items'],
  ['How many orders did we get in 2024?', "SELECT COUNT(*) FROM orders WHERE ordered_at LIKE '2024%'"],
  [
    'Revenue by location in 2024',
    `SELECT location_name, location_id, SUM(order_items.product_price) FROM ${ITEMS} WHERE order_items.ordered_at LIKE '2024%' GROUP BY 1`,
  ],
  ['Orders per month', "SELECT strftime('%Y-%m-01', ordered_at), COUNT(*) FROM orders GROUP BY 1"],
  [
    'Food revenue per location last month',
    `SELECT location_name, location_id, SUM(CASE WHEN order_items.is_food_item THEN order_items.product_price ELSE 0 END)
     FROM ${ITEMS}
     WHERE order_items.ordered_at LIKE '2024-11%' GROUP BY 1, 2`,
  ],
  [
    'Order total in Brooklyn by quarter in 2024',
    `SELECT CASE WHEN ordered_at < '2024-04' THEN '2024-01-01' WHEN ordered_at < '2024-07' THEN '2024-04-01'
       WHEN ordered_at < '2024-10' THEN '2024-07-01' ELSE '2024-10-01' END, SUM(order_total)
     FROM orders JOIN locations USING (location_id) WHERE location_name = 'Brooklyn' AND ordered_at LIKE '2024%' GROUP BY 1`,
  ],
  [
    'Which location had the most orders?',
    'SELECT location_name, location_id, COUNT(*) FROM orders JOIN locations USING (location_id) GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 1',
  ],
  [
    'How many drink orders were there in the first quarter of 2024?',
    "SELECT COUNT(*) FROM orders WHERE is_drink_order AND ordered_at >= '2024-01-01' AND ordered_at < '2024-04-01'",
  ],
  [
    'Revenue from returning customers',
    `SELECT SUM(order_items.product_price) FROM ${ITEMS} WHERE customer_type = 'returning'`,
  ],
  [
    'Revenue by product type since October 2024',
    `SELECT product_type, SUM(order_items.product_price) FROM ${ITEMS} WHERE order_items.ordered_at >= '2024-10-01' GROUP BY 1`,
  ],
  [
    'Large orders by location',
    'SELECT location_name, location_id, COUNT(*) FROM orders JOIN locations USING (location_id) WHERE order_total >= 20 GROUP BY 1, 2',
  ],
  [
    'Order gross profit in 2023',
    `SELECT (SELECT SUM(product_price) FROM order_items WHERE ordered_at LIKE '2023%')
       - (SELECT SUM(order_cost) FROM orders WHERE ordered_at LIKE '2023%')`,
  ],
  [
    'Average order value by customer type',
    'SELECT customer_type, SUM(lifetime_spend_pretax) * 1.0 / SUM(count_lifetime_orders) FROM customers GROUP BY 1',
  ],
  ['Revenue of doctor stew', "SELECT SUM(product_price) FROM order_items WHERE product_name = 'doctor stew'"],
];

describe.runIf(hasJaffle)('questions about jaffle-shop, from what its dbt project says', () => {
  it('are answered with the numbers of the tables, or declined', async () => {
    const database = new Database(JAFFLE_FILE, { readonly: true });
    const files = readdirSync(FOLDER).map((path) => ({ path, text: readFileSync(`${FOLDER}/${path}`, 'utf8') }));
    const model = knowledgeSolver(accepted({ schemaVersion: 1, problems: [], ...importDbt(files).knowledge }));
    await using shop = createText2Sql({ adapter: sqlite({ file: JAFFLE_FILE }), model });
    for (const [question, sql] of QUESTIONS) {
      const outcome = await shop.ask(question, { today: '2024-12-31' });
      const rows = outcome.type === 'answered' ? outcome.result.rows : outcome;
      const expected = database.prepare(sql).raw().all() as (string | number | null)[][];
      expect(plain(rows), question).toEqual(plain(expected));
    }
    for (const question of ['Order total by product type', 'Revenue by region', 'Tax by location', 'Churn in 2024']) {
      expect((await shop.ask(question, { today: '2024-12-31' })).type, question).toBe('unanswerable');
    }
    database.close();
  });
});

/** Numbers to the cent, rows in one order. */
function plain(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  const cell = (value: unknown): unknown => (typeof value === 'number' ? Math.round(value * 100) / 100 : value);
  return rows.map((row: unknown[]) => JSON.stringify(row.map(cell))).sort();
}

/** As if somebody had accepted all of it. */
function accepted(knowledge: Knowledge): Knowledge {
  const accept = <Entry extends { readonly standing: Standing }>(entry: Entry): Entry => ({
    ...entry,
    standing: { ...entry.standing, state: 'accepted' },
  });
  const models = knowledge.models.map((model) => ({
    ...accept(model),
    datasets: model.datasets.map(accept),
    relationships: model.relationships.map(accept),
    metrics: model.metrics.map(accept),
    filters: model.filters.map(accept),
  }));
  return { ...knowledge, models };
}
