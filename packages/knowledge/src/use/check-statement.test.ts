import { describe, expect, it } from 'vitest';
import { dataset, field, metric } from '../bind/test-support/model-parts.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import { amount, bindShop, SHOP_MODEL, shopKnowledge } from '../reader/test-support/shop.ts';
import { checkStatement } from './check-statement.ts';

const orders = (SHOP_MODEL.datasets ?? []).map((one) =>
  one.name === 'orders' ? { ...one, defaultFilter: "orders.status <> 'T'" } : one,
);
const metrics = [
  ...(SHOP_MODEL.metrics ?? []),
  metric('net_revenue', { ...amount('SUM(orders.amount)'), filter: 'orders.delivered_at IS NOT NULL' }),
  metric('buyers', 'COUNT(DISTINCT orders.customer_id)'),
];
const bound = bindShop(shopKnowledge({ metrics }));
const filtered = bindShop(shopKnowledge({ metrics, datasets: orders }));

const found = (sql: string, question = 'Tell me.', of = bound) =>
  checkStatement({ sql, question }, of).map(({ code, message }) => [code, message]);

describe('a statement held against the definitions', () => {
  it('lacks what a metric is made of that it says it computes', () => {
    expect(found('SELECT SUM(amount) AS net_revenue FROM orders')).toEqual([
      [
        'custom/knowledge-metric',
        '`net_revenue` is defined as SUM(orders.amount) where orders.delivered_at IS NOT NULL. The statement lacks orders.delivered_at.',
      ],
    ]);
    expect(found('SELECT AVG(amount) AS "Revenue" FROM orders')).toHaveLength(1);
    expect(found('SELECT SUM(amount) AS average_order FROM orders')).toHaveLength(1);
    expect(found('SELECT COUNT(*) AS buyers FROM orders')).toHaveLength(1);
  });

  it('lacks what the question names', () => {
    expect(found('SELECT SUM(amount) FROM orders', 'What is our net revenue in Berlin?')).toHaveLength(1);
    // The longest name counts, and a word that means something else as well is none.
    expect(found('SELECT SUM(amount) FROM orders WHERE delivered_at > 0', 'net revenue?')).toEqual([]);
    expect(found('SELECT COUNT(*) FROM customers', 'How many customers have orders?')).toEqual([]);
    expect(found('SELECT amount FROM orders', 'Which net revenue?')).toEqual([]);
  });

  it('lacks what whoever wrote it says it computes', () => {
    const told = (explanation: string) =>
      checkStatement({ sql: 'SELECT SUM(amount) FROM orders', question: 'How much?', explanation }, bound).length;
    expect(['The net revenue.', 'net_revenue of all', 'The sum of amounts.', 'revenue'].map(told)).toEqual([
      1, 1, 0, 0,
    ]);
  });

  it.each([
    'SELECT SUM(o.amount) AS net_revenue FROM orders o WHERE o.delivered_at IS NOT NULL',
    'SELECT SUM(CASE WHEN delivered_at IS NULL THEN 0 ELSE amount END) AS net_revenue FROM orders',
    'SELECT COUNT(*) AS order_count FROM orders',
    'SELECT SUM(amount) / COUNT(*) AS average_order FROM orders',
    "SELECT 'net_revenue' AS kind, MAX(city) FROM customers",
    'SELECT AS FROM (((',
  ])('has all: %s', (sql) => {
    expect(found(sql)).toEqual([]);
  });

  it.each(metrics.map(({ name }) => name))('has all where %s is compiled', (name) => {
    const grain = name === 'revenue_growth' ? ({ grain: 'month' } as const) : {};
    const { sql } = compileMetrics({ metrics: [name], ...grain }, filtered);
    expect(found(sql, `What is ${name}?`, filtered)).toEqual([]);
  });

  it('misses the filter that always holds', () => {
    const [finding, ...more] = found('SELECT MAX(amount) FROM orders', 'Tell me.', filtered);
    expect(finding).toEqual(['custom/knowledge-filter', expect.stringContaining("orders.status <> 'T'")]);
    expect(more).toEqual([]);
    expect(found('SELECT SUM(amount) AS revenue FROM orders', 'Tell me.', filtered)).toEqual([
      ['custom/knowledge-metric', expect.stringContaining("always of rows of `orders` with orders.status <> 'T'")],
    ]);
    for (const sql of [
      "SELECT MAX(amount) FROM orders WHERE status = 'D'",
      'SELECT amount FROM orders',
      'SELECT COUNT(*) FROM customers',
    ])
      expect(found(sql, 'Tell me.', filtered)).toEqual([]);
  });

  it('says nothing of definitions that cannot be used', () => {
    const broken = bindShop(
      shopKnowledge({
        metrics: [
          metric('revenue', 'SUM(orders.nothing)'),
          metric('a', { kind: 'cumulative', input: { metric: 'a' } }),
        ],
        datasets: [dataset('orders', [field('amount')], { defaultFilter: 'nothing = (' })],
      }),
    );
    expect(found('SELECT SUM(x) AS revenue, 1 AS a FROM orders', 'revenue?', broken)).toEqual([]);
  });
});
