import { describe, expect, it } from 'vitest';
import { dataset, field, join, metric } from '../bind/test-support/model-parts.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import { amount, bindShop, SHOP_MODEL, shopKnowledge } from '../reader/test-support/shop.ts';
import { checkParsed } from './test-support/check-parsed.ts';

const METRICS = [
  ...(SHOP_MODEL.metrics ?? []),
  metric('net_revenue', { ...amount('SUM(orders.amount)'), filter: "orders.status = 'D'" }),
  metric('buyers', 'COUNT(DISTINCT orders.customer_id)'),
  metric('cleared', { ...amount('SUM(orders.amount)'), filter: 'orders.delivered_at IS NOT NULL' }),
  metric('gold_revenue', { ...amount('SUM(orders.amount)'), filter: "customers.tier = 'G'" }),
  metric('weighted', 'SUM(orders.amount * orders.order_id)'),
  metric('spend_per_buyer', {
    kind: 'ratio',
    numerator: { metric: 'revenue' },
    denominator: { metric: 'buyers' },
  }),
  metric('delivered_share', "COUNT(CASE WHEN orders.status = 'D' THEN orders.order_id END) / COUNT(orders.order_id)"),
];
const bound = bindShop(
  shopKnowledge({
    metrics: METRICS,
    datasets: [
      ...(SHOP_MODEL.datasets ?? []),
      dataset('lines', [field('pieces')], { primaryKey: ['order_id', 'line'] }),
      dataset('notes', [field('note')], { primaryKey: ['note_id'] }),
    ],
    relationships: [
      ...(SHOP_MODEL.relationships ?? []),
      join('lines.order_id > orders.order_id'),
      join('notes.customer_id > customers.customer_id'),
    ],
  }),
);
const codes = async (sql: string, question?: string) =>
  (await checkParsed(sql, bound, question)).map(({ code, span }) => `${code} ${sql.slice(span.start, span.end)}`);

describe('the definition, written otherwise', () => {
  it.each([
    "SELECT SUM(o.amount) AS net_revenue FROM orders o WHERE o.status IN ('D')",
    'SELECT ROUND(1.0 * SUM(CASE WHEN \'D\' = "status" THEN amount ELSE 0 END), 2) AS net_revenue FROM orders',
    "SELECT COALESCE(SUM(amount) FILTER (WHERE status = 'D'), 0) AS net_revenue FROM orders",
    "SELECT c.city, SUM(o.amount) AS net_revenue FROM customers c JOIN orders o ON o.customer_id = c.customer_id AND o.status = 'D' GROUP BY 1",
    "SELECT c.city, SUM(o.amount) AS net_revenue FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id AND o.status = 'D' GROUP BY 1",
    "WITH d AS (SELECT * FROM orders WHERE status = 'D') SELECT SUM(d.amount) AS net_revenue FROM d WHERE d.amount > 10",
    "SELECT SUM(x.v) AS net_revenue FROM (SELECT store_id, SUM(amount) AS v FROM orders WHERE status = 'D' GROUP BY store_id) x",
    "SELECT n.v AS net_revenue FROM (SELECT SUM(amount) AS v FROM orders WHERE status = 'D' AND ordered_at >= '2024-01-01') n",
    "SELECT (SELECT SUM(amount) FROM orders WHERE status = 'D') AS net_revenue",
    'SELECT COUNT(*) AS order_count FROM orders',
    'SELECT COUNT(1) AS order_count FROM orders',
    'SELECT COUNT(DISTINCT o.order_id) AS order_count FROM orders o JOIN customers c ON c.customer_id = o.customer_id',
    'SELECT COUNT(DISTINCT c.customer_id) AS buyers FROM customers c JOIN orders o USING (customer_id)',
    'SELECT COUNT(*) AS buyers FROM (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL GROUP BY customer_id) x',
    "SELECT SUM(o.amount) AS cleared FROM orders o WHERE NOT (o.delivered_at IS NULL) AND strftime('%Y', o.ordered_at) = '2024'",
    'SELECT SUM(CASE WHEN delivered_at IS NULL THEN 0 ELSE amount END) AS cleared FROM orders',
    "SELECT SUM(o.amount) AS gold_revenue FROM orders o WHERE o.customer_id IN (SELECT customer_id FROM customers WHERE tier = 'G')",
    "SELECT SUM(o.amount) AS gold_revenue FROM orders o, customers c WHERE o.customer_id = c.customer_id AND c.tier = 'G'",
    'SELECT SUM(order_id * amount) AS weighted FROM orders',
    'SELECT CAST(SUM(amount) AS REAL) / NULLIF(COUNT(DISTINCT customer_id), 0) AS spend_per_buyer FROM orders',
    'WITH a AS (SELECT store_id, SUM(amount) r, COUNT(DISTINCT customer_id) b FROM orders GROUP BY store_id) SELECT store_id, r * 1.0 / b AS spend_per_buyer FROM a',
    "SELECT 100.0 * SUM(CASE WHEN status = 'D' THEN 1 ELSE 0 END) / COUNT(*) AS delivered_share FROM orders",
    "SELECT AVG(CASE WHEN status = 'D' THEN 1.0 ELSE 0 END) AS delivered_share FROM orders",
    'SELECT AVG(amount) AS average_order FROM orders',
    'SELECT SUM(amount) * 1.0 / COUNT(amount) AS average_order FROM orders',
  ])('is not doubted: %s', async (sql) => {
    expect(await codes(sql)).toEqual([]);
  });

  it.each(METRICS.map(({ name }) => name))('%s as it is compiled is not doubted', async (name) => {
    for (const by of [[], ['stores.region']]) {
      const grain = name === 'revenue_growth' ? ({ grain: 'month' } as const) : {};
      if (name === 'new_customers' && by.length > 0) continue;
      const { sql } = compileMetrics({ metrics: [name], by, ...grain }, bound);
      expect(await codes(sql, `What is ${name}?`)).toEqual([]);
    }
  });
});

describe('something else under the name of a metric', () => {
  it.each([
    "SELECT SUM(amount) AS net_revenue FROM orders WHERE status = 'C'",
    "SELECT SUM(amount) AS net_revenue FROM orders WHERE status <> 'D'",
    "SELECT SUM(CASE WHEN status = 'D' THEN 0 ELSE amount END) AS net_revenue FROM orders",
    "SELECT COUNT(CASE WHEN status = 'D' THEN amount END) AS net_revenue FROM orders",
    "SELECT SUM(o.amount) AS gold_revenue FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id AND c.tier = 'G'",
    'SELECT SUM(amount) * SUM(order_id) AS weighted FROM orders',
    'SELECT SUM(amount) * COUNT(DISTINCT customer_id) AS spend_per_buyer FROM orders',
    'SELECT COUNT(DISTINCT customer_id) * 1.0 / SUM(amount) AS spend_per_buyer FROM orders',
    'SELECT AVG(v) AS spend_per_buyer FROM (SELECT store_id, SUM(amount) / COUNT(DISTINCT customer_id) AS v FROM orders GROUP BY store_id) x',
    'SELECT COUNT(customer_id) AS buyers FROM orders',
    'SELECT SUM(DISTINCT amount) AS revenue FROM orders',
    'SELECT SUM(amount) + 1 AS revenue FROM orders',
    "SELECT SUM(CASE WHEN status = 'D' THEN 1 ELSE 0 END) * 1.0 / COUNT(DISTINCT customer_id) AS delivered_share FROM orders",
    "SELECT COUNT(CASE WHEN status = 'D' THEN 1 ELSE 0 END) * 1.0 / COUNT(*) AS delivered_share FROM orders",
  ])('is doubted: %s', async (sql) => {
    expect(await codes(sql)).toEqual([expect.stringContaining('custom/knowledge-metric')]);
  });
});

describe('a metric that the question names', () => {
  it.each([
    ['What is our net revenue?', "SELECT SUM(amount) FROM orders WHERE status = 'C'"],
    ['How many buyers do we have?', 'SELECT COUNT(customer_id) FROM orders'],
    ['Spend per buyer by store', 'SELECT store_id, AVG(amount) / COUNT(customer_id) FROM orders GROUP BY 1'],
  ])('is doubted: %s %s', async (question, sql) => {
    expect(await codes(sql, question)).toEqual([expect.stringContaining('custom/knowledge-metric')]);
  });

  it.each([
    ['Average revenue by month', 'SELECT AVG(amount) FROM orders'],
    [
      'Which customer had the highest revenue?',
      'SELECT customer_id FROM orders GROUP BY 1 ORDER BY SUM(amount) DESC LIMIT 1',
    ],
    ['Which customer had the highest revenue?', 'SELECT MAX(amount) FROM orders'],
    ['Orders with a revenue above 100', 'SELECT COUNT(*) FROM orders WHERE amount > 100'],
    [
      'Revenue of stores with a net revenue above 5',
      "SELECT store_id, SUM(amount) FROM orders GROUP BY 1 HAVING SUM(CASE WHEN status = 'D' THEN amount END) > 5",
    ],
    ['Growth of revenue', 'SELECT SUM(amount) / (SELECT SUM(amount) FROM orders) FROM orders'],
  ])('is not doubted: %s %s', async (question, sql) => {
    expect(await codes(sql, question)).toEqual([]);
  });
});

describe('a statement that is made to take long', () => {
  const steps = (count: number, of: (at: number) => string): string =>
    `WITH s0 AS (SELECT SUM(amount) AS v FROM orders)${Array.from({ length: count }, (_, at) => `, s${at + 1} AS (SELECT ${of(at)} AS v FROM s${at})`).join('')} SELECT v AS revenue FROM s${count}`;
  const list = Array.from({ length: 1_900 }, (_, at) => `'${at}'`).join(', ');

  it.each([
    ['steps that double', steps(30, () => 'v + v')],
    ['steps that nest', steps(15, () => `${'('.repeat(30)}v${' + 1)'.repeat(30)}`)],
    [
      'long lists',
      `SELECT SUM(amount) AS revenue, ${Array.from({ length: 20 }, (_, at) => `SUM(CASE WHEN status IN (${list}) THEN amount END) AS a${at}`).join(', ')} FROM orders`,
    ],
  ])('%s', async (_, sql) => {
    const began = performance.now();
    await checkParsed(sql, bound, 'Net revenue, revenue, and spend per buyer?');
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});

describe('the right formula over rows that a join repeats', () => {
  const messages = async (sql: string, question?: string) =>
    (await checkParsed(sql, bound, question)).map(({ message }) => message);

  it.each([
    // Two facts over a dimension.
    'SELECT c.name, SUM(o.amount) AS revenue, COUNT(DISTINCT n.note_id) FROM customers c JOIN orders o ON o.customer_id = c.customer_id LEFT JOIN notes n ON n.customer_id = c.customer_id GROUP BY 1',
    // One to many before the sum.
    'SELECT SUM(o.amount) AS revenue FROM orders o JOIN lines l USING (order_id)',
    'WITH j AS (SELECT o.amount, l.pieces FROM orders o JOIN lines l ON l.order_id = o.order_id) SELECT SUM(amount) AS revenue FROM j',
  ])('is doubted, with the definition: %s', async (sql) => {
    expect(await messages(sql)).toEqual([
      expect.stringMatching(
        /^`revenue` is defined as SUM\(orders\.amount\)\. Each row of `orders` counts once, and the join repeats it for each row of `(notes|lines)`\.$/,
      ),
    ]);
  });

  it('also of a count', async () => {
    const sql = 'SELECT COUNT(*) FROM orders o JOIN lines l ON l.order_id = o.order_id';
    expect(await messages(sql, 'How many orders did we get? The order count, please.')).toHaveLength(1);
  });

  it.each([
    'SELECT c.name, SUM(o.amount) AS revenue FROM customers c JOIN orders o ON o.customer_id = c.customer_id JOIN stores s ON s.store_id = o.store_id GROUP BY 1',
    'SELECT l.line, SUM(o.amount) AS revenue FROM orders o JOIN lines l ON l.order_id = o.order_id GROUP BY l.line',
    'SELECT COUNT(DISTINCT o.order_id) AS order_count FROM orders o JOIN lines l ON l.order_id = o.order_id',
    'SELECT SUM(o.amount) AS revenue FROM orders o WHERE o.order_id IN (SELECT order_id FROM lines)',
    'SELECT o.revenue FROM (SELECT customer_id, SUM(amount) AS revenue FROM orders GROUP BY 1) o JOIN notes n ON n.customer_id = o.customer_id',
  ])('is not doubted where rows stay once: %s', async (sql) => {
    expect(await messages(sql)).toEqual([]);
  });
});
