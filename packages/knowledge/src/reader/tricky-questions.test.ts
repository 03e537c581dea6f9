import type { ValueMatch } from '@askema/core';
import { afterAll, describe, expect, it } from 'vitest';
import { dataset, field, metric } from '../bind/test-support/model-parts.ts';
import type { MetricDefinition } from '../model/metric-definition.ts';
import { type ReadQuestion, readMetricQuestion } from './read-metric-question.ts';
import { amount, bindShop, cell, openShop, SHOP_MODEL, shopKnowledge } from './test-support/shop.ts';

const shop = openShop();
afterAll(() => void shop.close());

const growth: MetricDefinition = {
  kind: 'derived',
  expression: '(now - before) / before',
  inputs: [
    { metric: 'revenue', alias: 'now' },
    { metric: 'revenue', alias: 'before', offset: { count: 1, unit: 'year' } },
  ],
};
const bound = bindShop(
  shopKnowledge({
    metrics: [
      ...(SHOP_MODEL.metrics ?? []),
      metric('yearly_growth', growth),
      metric('gold_revenue', { ...amount('SUM(orders.amount)'), filter: "customers.tier = 'G'" }),
      metric('delivery_time', amount('AVG(orders.amount)'), { unit: 'days' }),
    ],
  }),
);
const CITIES = [
  cell('customers.city', 'Berlin'),
  cell('customers.city', 'Bonn'),
  cell('stores.region', 'North'),
  cell('stores.store_name', 'Market'),
];
const read = (question: string, values: readonly ValueMatch[] = CITIES, knowledge = bound): ReadQuestion =>
  readMetricQuestion(question, knowledge, { today: '2024-05-15', values });

function rows(question: string): unknown {
  const answer = read(question);
  return answer.kind === 'request' ? shop.prepare(answer.compiled.sql).raw().all() : answer.reason;
}

const assumed = (question: string): readonly string[] => {
  const answer = read(question);
  return answer.kind === 'request' ? answer.assumptions : [answer.reason];
};

describe('readMetricQuestion, where words say more than they seem to', () => {
  it.each([
    'Which store had the highest revenue in each region?',
    'Top 2 stores by revenue per region',
    'Which store had the most orders by month?',
    'For each region, which store had the highest revenue?',
    // Compared for each month, of which nobody said one.
    'Which store had the highest revenue growth?',
  ])('takes no first of each group for the first of all: %s', (question) => {
    expect(rows(question)).toContain('within each group');
  });

  it('takes the first of one compared period', () => {
    expect(rows('Which tier had the highest revenue growth in March 2024?')).toEqual([
      ['2024-03-01', 'B', expect.any(Number)],
    ]);
  });

  it('compares whole periods only', () => {
    const march = (200 - 100) / 100;
    expect(rows('yearly growth in 2024')).toEqual([['2024-01-01', expect.closeTo((840 - 150) / 150, 6)]]);
    expect(rows('yearly growth in March 2024')).toEqual([['2024-03-01', expect.closeTo(march, 6)]]);
    expect(rows('yearly growth by month in March 2024')).toEqual([['2024-03-01', expect.closeTo(march, 6)]]);
    for (const limits of ['since March 2024', 'year to date', 'in the last 30 days', 'by month since 2024-03-02'])
      expect(rows(`yearly growth ${limits}`)).not.toBeInstanceOf(Array);
    expect(assumed('yearly growth in 2024')).toContain(
      'The year of 2024-05-15 is not over, and is compared as far as it goes.',
    );
    expect(assumed('yearly growth in 2023')).not.toContainEqual(expect.stringContaining('not over'));
  });

  it('says which periods it cuts, and where running values begin', () => {
    const cut = 'Of the first or last month, only what lies within the limits of time counts.';
    expect(assumed('revenue by month since 2024-03-02')).toContain(cut);
    expect(assumed('revenue by month since March 2024')).not.toContain(cut);
    expect(assumed('running revenue by month in 2024')).toContain(
      'Running values begin with the first row, not with 2024-01-01.',
    );
  });

  it('knows no end of what is not over', () => {
    expect(rows('latest value at the end of 2023')).toEqual([[50]]);
    expect(rows('latest value at the end of 2024')).toContain('end');
  });

  it.each(['revenue in Berlin in Bonn', 'Berlin Bonn revenue', 'revenue in Berlin excluding Berlin'])(
    'asks for no row that cannot be: %s',
    (question) => {
      expect(rows(question)).toContain('No row is both');
    },
  );

  it('leaves nothing out that counts alone', () => {
    expect(rows('gold revenue excluding gold')).toContain('filtered by that already');
    expect(rows('gold revenue excluding basic customers')).toEqual([[170]]);
  });

  it.each(['revenue excluding gold customers in Berlin', 'revenue without Berlin, gold'])(
    'does not guess what is left out: %s',
    (question) => {
      expect(rows(question)).toContain('may belong to what is left out');
    },
  );

  it('reads what is left out where it is clear', () => {
    expect(rows('revenue in Berlin excluding gold customers')).toEqual([[530]]);
    expect(rows('revenue excluding gold and basic customers')).toEqual([[null]]);
  });

  it.each(['revenue of Berlin stores', 'new customers of North orders', 'new customers in Berlin orders'])(
    'takes values only of what the rows belong to: %s',
    (question) => {
      expect(read(question).kind).toBe('declined');
    },
  );

  it('takes two questions for no list of values', () => {
    expect(rows('orders in Berlin and customers in Bonn')).toContain('and customers in Bonn');
    expect(rows('revenue of gold customers and basic customers')).toEqual([[950]]);
  });

  it('takes "by" for a group, and for how something was done', () => {
    const berlin = 'revenue by tier in Berlin';
    expect(rows(berlin)).toEqual([
      ['B', 530],
      ['G', 170],
    ]);
    expect(rows('revenue by city in Berlin')).toEqual([['Berlin', 700]]);
    for (const words of ['by Berlin', 'by gold customers', 'by Berlin customer'])
      expect(rows(`revenue ${words}`)).toContain('says nothing of');
    expect(rows('orders placed by gold customers')).toEqual([[2]]);
    expect(rows('orders shipped by city in Berlin')).toEqual([['Berlin', 2]]);
    expect(read('orders shipped by customers in Berlin')).toMatchObject({ kind: 'declined', readings: { length: 2 } });
  });

  it('does not take "per" for a group where it can be a mean', () => {
    for (const question of ['revenue per customer by city', 'total revenue per store by region'])
      expect(rows(question)).toContain('can be meant as a mean');
    expect(read('revenue per customer and city').kind).toBe('request');
    expect(assumed('revenue per customer')).toContain('It is shown for each name, not divided by their number.');
    expect(assumed('revenue by customer')).not.toContainEqual(expect.stringContaining('not divided'));
    const key = field('order_id', 'order_id', { dimension: {}, ai: { synonyms: ['order'], examples: [] } });
    const datasets = (SHOP_MODEL.datasets ?? []).map((one) => ({ ...one, fields: [...one.fields, key] }));
    const keyed = bindShop(shopKnowledge({ datasets: datasets.filter(({ name }) => name === 'orders') }));
    expect(read('revenue per order', [], keyed)).toMatchObject({ reason: expect.stringContaining('mean') });
  });

  it.each([
    'list orders',
    'Show me all orders in Berlin',
    'Who are the new customers?',
    'What are the orders in 2024?',
  ])('gives no number for a list of rows: %s', (question) => {
    expect(rows(question)).toContain('list of rows');
  });

  it('gives the number where it is asked for, and shows what is no list', () => {
    expect(rows('Show me the number of orders')).toEqual([[7]]);
    expect(rows('List revenue by city')).toMatchObject({ length: 3 });
    expect(read('What are total orders?').kind).toBe('request');
  });

  it('measures only what the question can ask for', () => {
    for (const question of ['How long are orders?', 'How long is revenue?', 'How large are orders?'])
      expect(rows(question)).toContain('do not fit');
    expect(read('How long is the delivery time?').kind).toBe('request');
    expect(read('How large is the number of orders?').kind).toBe('request');
  });

  it('adds metrics up for nobody', () => {
    for (const question of ['sum of revenue and orders', 'revenue and orders combined', 'revenue plus orders'])
      expect(read(question).kind).toBe('declined');
    expect(rows('sum of revenue')).toEqual([[990]]);
    expect(rows('total amount of orders')).toContain('do not fit');
    expect(rows('total revenue and orders')).toEqual([[990, 7]]);
  });

  it('counts each once only where it is clear who is left out', () => {
    const buyers = metric('buyers', 'COUNT(DISTINCT orders.customer_id)');
    const knowledge = bindShop(shopKnowledge({ metrics: [buyers, ...(SHOP_MODEL.metrics ?? [])] }));
    const count = (question: string) => read(question, CITIES, knowledge);
    // Who bought in the South may have bought in the North as well.
    for (const question of ['buyers not in the North', 'buyers of delivered and open orders'])
      expect(count(question)).toMatchObject({ reason: expect.stringContaining('of each row') });
    for (const question of ['buyers not in Berlin', 'buyers in Berlin and Bonn', 'buyers of delivered or open orders'])
      expect(count(question).kind, question).toBe('request');
    expect(count('orders not in the North').kind).toBe('request');
  });

  it('does not take what ends today for a whole year', () => {
    for (const question of ['revenue over the last year', 'revenue within the last month'])
      expect(read(question).kind).toBe('declined');
    expect(rows('revenue over the last 4 months')).toEqual([[800]]);
    expect(rows('revenue in the last year')).toEqual([[150]]);
  });

  it('says that only what has rows is compared', () => {
    expect(assumed('Which store had the fewest orders?')).toContain('Only what has rows is compared.');
    expect(assumed('Which store had the most orders?')).not.toContain('Only what has rows is compared.');
  });

  it('keeps metrics apart that differ by a plural', () => {
    const metrics = [metric('orders', 'COUNT(orders.order_id)'), metric('order_total', 'SUM(orders.amount)')];
    const two = bindShop(shopKnowledge({ metrics }));
    expect(read('orders total', [], two).kind).toBe('declined');
    expect(read('order totals', [], two)).toMatchObject({ request: { metrics: ['order_total'] } });
  });

  it('says by what time rows are put in time that others belong to', () => {
    const told = 'Rows of customers are put in time by customers.joined_at.';
    expect(assumed('new customers in 2024')).toContain(told);
    expect(assumed('new customers by city')).not.toContain(told);
  });

  it('says that rows of one name are counted as one', () => {
    const named = dataset('stores', [field('store', 'store_name', { dimension: {} })], { primaryKey: ['store_id'] });
    const others = (SHOP_MODEL.datasets ?? []).filter(({ name }) => name !== 'stores');
    const knowledge = bindShop(shopKnowledge({ datasets: [named, ...others] }));
    expect(read('revenue by store', [], knowledge)).toMatchObject({
      assumptions: ['Those with the same `store` are counted as one.'],
    });
  });
});
