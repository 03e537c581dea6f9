import { isAskemaError } from '@askema/core';
import { describe, expect, it } from 'vitest';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { join, metric } from '../bind/test-support/model-parts.ts';
import type { Metric } from '../model/semantic-model.ts';
import { compileMetrics } from './compile-metrics.ts';
import type { MetricRequest } from './metric-request.ts';
import { boundShop, MODEL, openShop } from './test-support/shop.ts';

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

describe('what compileMetrics refuses', () => {
  it.each<[string, MetricRequest, string]>([
    ['a join that repeats rows', { metrics: ['revenue'], by: ['items.product'] }, 'fan-out'],
    ['a condition over one', { metrics: ['revenue'], where: ["items.product = 'tea'"] }, 'fan-out'],
    ['facts that meet in a dimension only', { metrics: ['visits_count'], by: ['sales.status'] }, 'fan-out'],
    ['a metric that is not there', { metrics: ['revenues'] }, 'unknown-metric: .*Did you mean `revenue`'],
    [
      'a field that is not there',
      { metrics: ['revenue'], by: ['stores.citty'] },
      'unknown-field: .*Did you mean `city`',
    ],
    ['a column that is no field', { metrics: ['revenue'], by: ['stores.store_id'] }, 'unknown-field'],
    [
      'a column that is no field in a condition',
      { metrics: ['revenue'], where: ['stores.store_id = 1'] },
      'unknown-field',
    ],
    ['a condition that is no SQL', { metrics: ['revenue'], where: ['sales.amount >'] }, 'condition: .*character 15'],
    ['a condition that writes', { metrics: ['revenue'], where: ['1 = 1; DROP TABLE sales'] }, 'condition'],
    ['a sub-query', { metrics: ['revenue'], where: ['amount > (SELECT 1)'] }, 'condition'],
    [
      'a filter that is not there',
      { metrics: ['revenue'], where: ['big sals'] },
      'condition: .*Did you mean `big sales`',
    ],
    ['an aggregate in a condition', { metrics: ['revenue'], where: ['SUM(sales.amount) > 1'] }, 'condition'],
    [
      'periods that depend on rows',
      { metrics: ['growth'], grain: 'month', where: ["metric_time > '2024-01-01' OR city = 'Rome'"] },
      'condition',
    ],
    ['a metric without a time', { metrics: ['item_revenue'], grain: 'month' }, 'no-time'],
    ['an offset without a time', { metrics: ['growth'] }, 'needs-time'],
    ['an offset that is finer than the period', { metrics: ['growth'], grain: 'year' }, 'offset'],
    ['a window without a time', { metrics: ['two_months'], by: ['city'] }, 'needs-time'],
    ['a grain of what is no time', { metrics: ['revenue'], by: ['stores.city:month'] }, 'not-a-time'],
    ['a grain that is not there', { metrics: ['revenue'], by: ['sales.sold_at:moth'] }, 'grain: .*`month`'],
    ['gaps without a time', { metrics: ['revenue'], fillGaps: true }, 'needs-time'],
    ['a fiscal year that nobody defined', { metrics: ['revenue'], grain: 'year', fiscal: true }, 'grain'],
    ['no metrics', { metrics: [] }, 'bad-request'],
    ['an order by what is not there', { metrics: ['revenue'], order: [{ by: 'city' }] }, 'bad-request'],
    [
      'a direction that is none',
      { metrics: ['revenue'], order: [{ by: 'revenue', direction: 'up' as 'asc' }] },
      "bad-request: .*'asc' or 'desc'",
    ],
    ['half a limit', { metrics: ['revenue'], limit: 0.5 }, 'bad-request'],
  ])('refuses %s', (_, request, reason) => {
    expect(refusal(request)).toMatch(new RegExp(`^METRIC_REFUSED ${reason}`));
  });

  it('refuses what no join reaches, and to count once what has no key', () => {
    const apart = boundShop({ relationships: [] });
    expect(refusal({ metrics: ['revenue'], by: ['city'] }, apart)).toMatch(/unreachable: .*`sales` to `stores`/);
    const datasets = (MODEL.datasets ?? []).map((entry) => ({ ...entry, primaryKey: [] }));
    expect(refusal({ metrics: ['revenue'], by: ['items.product'], fanOut: 'once' }, boundShop({ datasets }))).toMatch(
      /no-key: .*`sales`/,
    );
  });

  it('refuses two ways to a dimension, and takes the shorter of two', () => {
    const relationships = MODEL.relationships ?? [];
    const twice = boundShop({
      relationships: [
        ...relationships,
        { ...join('items.item_id > stores.store_id'), name: 'odd' },
        { ...join('sales.sale_id > stores.store_id'), name: 'second' },
      ],
    });
    expect(refusal({ metrics: ['revenue'], by: ['city'] }, twice)).toMatch(
      /ambiguous-path: .*`sales_stores`.*`second`/,
    );
    expect(refusal({ metrics: ['item_revenue'], by: ['city'] }, twice)).toMatch(
      /LEFT JOIN stores ON stores.store_id = items.item_id/,
    );
    const same = boundShop({
      relationships: [...relationships, { ...join('sales.store_id > stores.store_id'), name: 'same' }],
    });
    expect(ask({ metrics: ['revenue'], by: ['city'], limit: 1 }, same)).toEqual([['Berlin', 35]]);
  });

  it.each([
    ['adds up text', metric('bad', 'SUM(sales.status)'), 'METRIC_REFUSED text-as-number'],
    ['computes with text', metric('bad', 'MAX(sales.status + 1)'), 'METRIC_REFUSED text-as-number'],
    ['multiplies facts', metric('bad', 'SUM(sales.amount * visits.visit_id)'), 'METRIC_REFUSED fan-out'],
    ['counts nothing in particular', metric('bad', 'COUNT(*)'), 'KNOWLEDGE_INVALID .*whose rows'],
    ['has a column outside', metric('bad', 'SUM(sales.amount) + sales.amount'), 'KNOWLEDGE_INVALID .*outside'],
    ['nests aggregates', metric('bad', 'SUM(MAX(sales.amount))'), 'KNOWLEDGE_INVALID .*inside of'],
    ['aggregates nothing', metric('bad', '1'), 'KNOWLEDGE_INVALID .*aggregates nothing'],
    [
      'compares with half a month',
      metric('bad', {
        kind: 'derived',
        expression: 'revenue',
        inputs: [{ metric: 'revenue', offset: { count: 0.5, unit: 'month' } }],
      }),
      'KNOWLEDGE_INVALID .*whole number',
    ],
    [
      'runs twice',
      metric('bad', { kind: 'cumulative', input: { metric: 'running_revenue' } }),
      'KNOWLEDGE_INVALID .*running',
    ],
  ])('refuses a metric that %s', (_, bad, message) => {
    const metrics = [...(MODEL.metrics ?? []), bad];
    const bound = boundShop({ metrics });
    const whole: BoundKnowledge = { ...bound, metrics: new Map([...bound.metrics, ['bad', bad]]) };
    expect(refusal({ metrics: ['bad'], grain: 'month' }, whole)).toMatch(new RegExp(`^${message}`));
  });

  it('refuses metrics that are made of themselves, or of too many parts', () => {
    const ratio = (name: string, input: string) =>
      metric(name, { kind: 'ratio', numerator: { metric: input }, denominator: { metric: input } });
    const withMetrics = (metrics: readonly Metric[]): BoundKnowledge => ({
      ...SHOP,
      metrics: new Map([...SHOP.metrics, ...metrics.map((entry) => [entry.name, entry] as const)]),
    });
    const circle = withMetrics([ratio('a', 'b'), ratio('b', 'a')]);
    expect(refusal({ metrics: ['a'] }, circle)).toMatch(/^KNOWLEDGE_INVALID .*a → b → a/);
    const tower = withMetrics(
      Array.from({ length: 40 }, (_unused, at) => ratio(`t${at}`, at === 0 ? 'revenue' : `t${at - 1}`)),
    );
    expect(refusal({ metrics: ['t39'] }, tower)).toMatch(/^KNOWLEDGE_INVALID .*more than 1000 parts/);
  });
});
