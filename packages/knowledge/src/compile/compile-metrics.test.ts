import {
  bigqueryDialect,
  duckdbDialect,
  mysqlDialect,
  postgresDialect,
  snowflakeDialect,
  sqliteDialect,
} from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { metric } from '../bind/test-support/model-parts.ts';
import { compileMetrics } from './compile-metrics.ts';
import type { MetricRequest } from './metric-request.ts';
import { boundShop, MODEL, openShop } from './test-support/shop.ts';

const { ask } = openShop();
const SHOP = boundShop();

describe('compileMetrics', () => {
  it('has a shop without problems', () => expect(SHOP.problems).toEqual([]));

  it('aggregates over joins from many to one, and keeps rows without a dimension', () => {
    expect(ask({ metrics: ['revenue'] })).toEqual([[49]]);
    expect(ask({ metrics: ['revenue', 'sale_count'], by: ['stores.city'] })).toEqual([
      ['Berlin', 35, 3],
      ['Rome', 11, 2],
      [null, 3, 1],
    ]);
    expect(ask({ metrics: ['item_revenue'], by: ['customers.region', 'city'] })).toEqual([
      ['north', 'Berlin', 30],
      ['south', 'Berlin', 5],
      ['south', 'Rome', 7],
    ]);
  });

  it('puts facts together on shared dimensions', () => {
    expect(ask({ metrics: ['revenue', 'visits_count', 'item_revenue', 'food_revenue'], by: ['city'] })).toEqual([
      ['Berlin', 35, 3, 35, 10],
      ['Oslo', null, 1, null, null],
      ['Rome', 11, 1, 7, 11],
      [null, 3, 0, null, null],
    ]);
    expect(ask({ metrics: ['revenue', 'visits_count', 'item_revenue'] })).toEqual([[49, 5, 42]]);
  });

  it('divides sums, never integers, and never by zero', () => {
    expect(ask({ metrics: ['revenue_per_visit'], by: ['city'] })).toEqual([
      ['Berlin', 35 / 3],
      ['Oslo', null],
      ['Rome', 11],
      [null, null],
    ]);
    expect(ask({ metrics: ['average_sale', 'food_share'] })).toEqual([[49 / 6, 21 / 49]]);
  });

  it('groups by periods of time, of text that holds times, too', () => {
    expect(ask({ metrics: ['revenue', 'visits_count'], grain: 'month' })).toEqual([
      ['2024-01-01', 15, 3],
      ['2024-02-01', 7, 1],
      ['2024-03-01', 4, 0],
      ['2024-04-01', null, 1],
      ['2024-05-01', 23, 0],
    ]);
    expect(ask({ metrics: ['revenue'], by: ['stores.opened_on:year', 'metric_time:quarter'] })).toEqual([
      ['2020-01-01', '2024-01-01', 15],
      ['2020-01-01', '2024-04-01', 20],
      ['2021-01-01', '2024-01-01', 11],
      [null, '2024-04-01', 3],
    ]);
  });

  it('fills gaps between the first and the last period, in every group', () => {
    expect(ask({ metrics: ['revenue'], grain: 'month', fillGaps: true })).toHaveLength(5);
    expect(ask({ metrics: ['visits_count'], grain: 'month', by: ['city'], fillGaps: true })).toEqual([
      ['2024-01-01', 'Berlin', 2],
      ['2024-01-01', 'Oslo', 1],
      ['2024-01-01', 'Rome', 0],
      ['2024-02-01', 'Berlin', 0],
      ['2024-02-01', 'Oslo', 0],
      ['2024-02-01', 'Rome', 1],
      ['2024-03-01', 'Berlin', 0],
      ['2024-03-01', 'Oslo', 0],
      ['2024-03-01', 'Rome', 0],
      ['2024-04-01', 'Berlin', 1],
      ['2024-04-01', 'Oslo', 0],
      ['2024-04-01', 'Rome', 0],
    ]);
  });

  it('compares with earlier periods of the calendar, not with earlier rows', () => {
    expect(ask({ metrics: ['growth'], grain: 'month' })).toEqual([
      ['2024-01-01', null],
      ['2024-02-01', ((7 - 15) * 100) / 15],
      ['2024-03-01', ((4 - 7) * 100) / 7],
      ['2024-04-01', null],
      ['2024-05-01', null],
    ]);
    expect(ask({ metrics: ['growth', 'revenue', 'earlier_buyers'], grain: 'month' })[1]).toEqual([
      '2024-02-01',
      ((7 - 15) * 100) / 15,
      7,
      2,
    ]);
    expect(ask({ metrics: ['since_january'], grain: 'month', where: ["metric_time >= '2024-02-01'"] })).toEqual([
      ['2024-02-01', -8],
      ['2024-03-01', -11],
      ['2024-04-01', null],
      ['2024-05-01', 8],
    ]);
  });

  it('keeps running values over gaps, and counts what is distinct once', () => {
    const metrics = ['running_revenue', 'running_buyers', 'two_months', 'quarter_to_date', 'revenue'];
    expect(ask({ metrics, grain: 'month' })).toEqual([
      ['2024-01-01', 15, 2, 15, 15, 15],
      ['2024-02-01', 22, 2, 22, 22, 7],
      ['2024-03-01', 26, 3, 11, 26, 4],
      ['2024-04-01', 26, 3, 4, null, null],
      ['2024-05-01', 49, 3, 23, 23, 23],
    ]);
    expect(ask({ metrics: ['running_revenue'], grain: 'quarter', by: ['city'] })).toEqual([
      ['2024-01-01', 'Berlin', 15],
      ['2024-01-01', 'Rome', 11],
      ['2024-04-01', 'Berlin', 35],
      ['2024-04-01', 'Rome', 11],
      ['2024-04-01', null, 3],
    ]);
    expect(ask({ metrics: ['running_revenue'] })).toEqual([[49]]);
  });

  it('shows the periods that were asked for, with what was before', () => {
    const where = ["metric_time >= DATE '2024-02-01'", "metric_time < DATE '2024-04-01'"];
    expect(ask({ metrics: ['running_revenue', 'growth', 'revenue'], grain: 'month', where })).toEqual([
      ['2024-02-01', 22, ((7 - 15) * 100) / 15, 7],
      ['2024-03-01', 26, ((4 - 7) * 100) / 7, 4],
    ]);
  });

  it('compares with the running value of a period that is not shown', () => {
    const input = { metric: 'running_revenue', alias: 'before', offset: { count: 1, unit: 'month' as const } };
    const before = metric('before', { kind: 'derived', expression: 'before', inputs: [input] });
    const bound = boundShop({ metrics: [...(MODEL.metrics ?? []), before] });
    const where = ["metric_time >= DATE '2024-02-01'", "metric_time < DATE '2024-04-01'"];
    const metrics = ['before', 'running_revenue'];
    const shown = [
      ['2024-02-01', 15, 22],
      ['2024-03-01', 22, 26],
    ];
    expect(ask({ metrics, grain: 'month', where }, bound)).toEqual(shown);
    expect(ask({ metrics, grain: 'month' }, bound).slice(1, 3)).toEqual(shown);
  });

  it('takes periods from the time spine, and those of the data that it lacks', () => {
    const spine = "SELECT '2024-01-15' AS d UNION SELECT '2024-04-01' UNION SELECT '2030-01-01' UNION SELECT NULL";
    const bound = boundShop({ timeSpine: { source: spine, column: 'd', grain: 'day' } });
    expect(bound.problems).toEqual([]);
    const request: MetricRequest = { metrics: ['running_revenue'], grain: 'month' };
    expect(compileMetrics(request, bound).sql).toContain('time_spine');
    expect(ask(request, bound)).toEqual(ask(request));
    const coarse = boundShop({ timeSpine: { source: spine, column: 'd', grain: 'year' } });
    expect(ask(request, coarse)).toHaveLength(5);
  });

  it('takes the last rows of what does not add up over time', () => {
    expect(ask({ metrics: ['balance'] })).toEqual([[55]]);
    expect(ask({ metrics: ['balance', 'first_balance'], by: ['city'] })).toEqual([
      ['Berlin', 55, 10],
      ['Rome', null, 8],
    ]);
    expect(ask({ metrics: ['balance'], grain: 'month' })).toEqual([
      ['2024-01-01', 43],
      ['2024-02-01', 50],
    ]);
    const carried = metric('carried', { kind: 'cumulative', input: { metric: 'balance' } });
    const bound = boundShop({ metrics: [...(MODEL.metrics ?? []), carried] });
    expect(ask({ metrics: ['carried'], grain: 'month' }, bound)).toEqual([
      ['2024-01-01', 43],
      ['2024-02-01', 55],
    ]);
  });

  it('counts each row once in each group where that is asked for', () => {
    const request: MetricRequest = { metrics: ['revenue'], by: ['items.product'], fanOut: 'once' };
    expect(ask(request)).toEqual([
      ['cake', 17],
      ['tea', 35],
      [null, 7],
    ]);
    expect(compileMetrics(request, SHOP).notes[0]).toContain('groups overlap');
    const where = ["items.product = 'cake'"];
    expect(ask({ metrics: ['revenue', 'running_revenue'], grain: 'month', where, fanOut: 'once' })).toEqual([
      ['2024-01-01', 10, 10],
      ['2024-02-01', 7, 17],
    ]);
  });

  it('filters by fields of any dataset that is reached, by names of filters, and by their sum', () => {
    expect(
      ask({ metrics: ['revenue', 'food_revenue'], where: ['big sales', "region = 'south' OR city IS NULL"] }),
    ).toEqual([[7, 7]]);
    expect(ask({ metrics: ['revenue', 'visits_count'], where: ["city = 'Nowhere'"] })).toEqual([[null, 0]]);
    expect(ask({ metrics: ['revenue'], by: ['city'], where: ["city = 'Nowhere'"] })).toEqual([]);
  });

  it('orders with NULLs last in both directions, and cuts', () => {
    const order = (direction: 'asc' | 'desc', limit?: number) =>
      ask({ metrics: ['revenue', 'visits_count'], by: ['city'], order: [{ by: 'revenue', direction }], limit }).map(
        ([city, revenue]) => [city, revenue],
      );
    expect(order('desc')).toEqual([
      ['Berlin', 35],
      ['Rome', 11],
      [null, 3],
      ['Oslo', null],
    ]);
    expect(order('asc', 1)).toEqual([[null, 3]]);
    expect(order('asc', 0)).toEqual([]);
  });

  it('counts fiscal years, and weeks from the day that the settings say', () => {
    const fiscal = boundShop({}, { fiscalYearStart: 2, weekStart: 'sunday' });
    expect(ask({ metrics: ['revenue'], grain: 'year', fiscal: true }, fiscal)).toEqual([
      ['2023-02-01', 15],
      ['2024-02-01', 34],
    ]);
    expect(ask({ metrics: ['quarter_to_date'], grain: 'month', fiscal: true }, fiscal)).toEqual([
      ['2024-01-01', 15],
      ['2024-02-01', 7],
      ['2024-03-01', 11],
      ['2024-04-01', 11],
      ['2024-05-01', 23],
    ]);
    expect(ask({ metrics: ['revenue'], grain: 'year' }, fiscal)).toEqual([['2024-01-01', 49]]);
    expect(ask({ metrics: ['visits_count'], grain: 'week' }, fiscal)).toEqual([
      ['2023-12-31', 3],
      ['2024-01-28', 1],
      ['2024-04-28', 1],
    ]);
  });

  it('gives columns names that differ', () => {
    const by = ['stores.city', { field: 'customers.region', as: 'City' }, 'metric_time:year', 'opened_on:year'];
    const { columns, metrics, datasets } = compileMetrics(
      { metrics: ['revenue', 'REVENUE', 'growth'], by: [...by, 'metric_time:month'] },
      SHOP,
    );
    expect(columns.map(({ name }) => name)).toEqual([
      'city',
      'region',
      'year',
      'opened_on_year',
      'month',
      'revenue',
      'growth',
    ]);
    expect(metrics).toEqual(['revenue', 'growth']);
    expect(datasets).toEqual(['sales', 'stores', 'customers']);
  });

  it.each([postgresDialect, mysqlDialect, snowflakeDialect, bigqueryDialect, duckdbDialect, sqliteDialect])(
    'writes what a person can read, for $name',
    (dialect) => {
      const request: MetricRequest = {
        metrics: ['growth', 'revenue_per_visit'],
        by: ['city'],
        grain: 'month',
        where: ["metric_time >= DATE '2024-02-01'"],
        order: [{ by: 'growth', direction: 'desc' }],
        limit: 10,
      };
      expect(compileMetrics(request, boundShop({}, {}, dialect)).sql).toMatchSnapshot();
    },
  );
});
