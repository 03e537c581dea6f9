import { isAskemaError } from '@askema/core';
import { describe, expect, it } from 'vitest';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { compileMetrics } from './compile-metrics.ts';
import type { MetricRequest } from './metric-request.ts';
import { boundShop, openShop } from './test-support/shop.ts';

const { ask } = openShop();
const SHOP = boundShop();

const refusal = (request: MetricRequest, bound: BoundKnowledge = SHOP): string => {
  try {
    return compileMetrics(request, bound).sql;
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return `${thrown.code} ${String(thrown.details.reason)}: ${thrown.message}`;
  }
};

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
  });
});

it('x', () => expect(refusal({ metrics: ['revenue'], by: ['items.product'] })).toBe(''));
