import { mysqlDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { metric } from '../bind/test-support/model-parts.ts';
import { expandMetrics } from './expand-metrics.ts';
import { boundShop, openShop } from './test-support/shop.ts';

const { rows } = openShop();
const SHOP = boundShop();
const run = (sql: string) => rows(expandMetrics(sql, SHOP));

describe('expandMetrics', () => {
  it('is a table in FROM, with dimensions, grains and conditions', () => {
    const sql =
      "SELECT m.city, m.revenue FROM metric(revenue, sale_count BY stores.city, sold_at:month WHERE is_food AND sales.status IN ('paid')) AS m WHERE m.sold_at_month = '2024-02-01'";
    expect(run(sql)).toEqual([['Rome', 7]]);
  });

  it('gives a table without a name one, and joins it', () => {
    const sql =
      'select s.city, revenue from stores s left join metric(revenue by stores.city) on s.city = revenue.city order by s.city';
    expect(run(sql)).toEqual([
      ['Berlin', 35],
      ['Oslo', null],
      ['Rome', 11],
    ]);
    expect(run('SELECT * FROM (metric(revenue) CROSS JOIN metric(visits_count) v), metric(revenue)')).toEqual([
      [49, 5, 49],
    ]);
  });

  it('is one value elsewhere, with a filter that has a name, too', () => {
    const sql = `SELECT METRIC (revenue WHERE "big sales"), 1 + metric(visits_count), 'metric(revenue)' -- metric(revenue)
      FROM (SELECT strftime('%Y', 'now') AS y, metric(revenue) AS r) WHERE r > metric(revenue) - 1`;
    expect(run(sql.replace('"big sales"', 'big sales'))).toEqual([[37, 6, 'metric(revenue)']]);
  });

  it.each([
    'SELECT s.city, metric(revenue) FROM stores s GROUP BY s.city',
    'SELECT metric(revenue) r, city FROM stores GROUP BY 2',
    'SELECT * FROM (SELECT metric(revenue), COUNT(*) FROM sales GROUP BY store_id) x',
  ])('is refused as a column beside GROUP BY, where it would be the same for all: %s', (sql) => {
    expect(() => run(sql)).toThrow(/the same for all groups\. Write FROM metric\(name BY field\)/);
  });

  it('may be a part of a column beside GROUP BY', () => {
    const share = 'SELECT store_id, 1.0 * SUM(amount) / metric(revenue) FROM sales GROUP BY store_id';
    expect(run(share).length).toBeGreaterThan(1);
    for (const sql of [
      'SELECT store_id, (metric(revenue)) FROM sales GROUP BY store_id',
      'SELECT (SELECT metric(revenue)), store_id FROM sales GROUP BY store_id',
      'SELECT m.city, MAX(m.revenue) FROM metric(revenue BY stores.city) m GROUP BY m.city',
    ])
      expect(run(sql).length).toBeGreaterThan(1);
  });

  it('quotes names that are no plain ones, in columns and aliases', () => {
    const odd = metric('a"; DROP TABLE sales; --', 'SUM(sales.amount)');
    const bound = boundShop({ metrics: [odd] });
    const sql = expandMetrics('SELECT * FROM metric("a""; DROP TABLE sales; --")', bound);
    expect(rows(sql)).toEqual([[49]]);
    expect(sql).toMatch(/AS "a""; DROP TABLE sales; --"$/);
  });

  it('leaves statements without metrics as they are', () => {
    const sql = `SELECT "metric"(1), s.metric(2), metric FROM metric -- metric(x)`;
    expect(expandMetrics(sql, SHOP)).toBe(sql);
  });

  it.each([
    ['SELECT metric(revenue BY city)', 'bad-request'],
    ['SELECT metric(revenue, orders)', 'bad-request'],
    ['SELECT metric(revenue', 'bad-request'],
    ['SELECT metric()', 'bad-request'],
    ['SELECT * FROM metric(revenue BY)', 'bad-request'],
    ['SELECT metric(revenu)', 'unknown-metric'],
    ['WITH sales (a) AS (SELECT 1) SELECT metric(revenue)', 'hidden-table'],
  ])('refuses %s', (sql, reason) => {
    expect(() => expandMetrics(sql, SHOP)).toThrow(
      expect.objectContaining({ code: 'METRIC_REFUSED', details: expect.objectContaining({ reason }) }),
    );
  });

  it('reads the condition as the engine of the statement does', () => {
    const sql = 'SELECT metric(revenue WHERE `sales`.status = "paid")';
    expect(expandMetrics(sql, boundShop({}, {}, mysqlDialect))).toContain("sales.status = 'paid'");
  });
});
