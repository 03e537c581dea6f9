import type { ValueMatch } from '@askema/core';
import { afterAll, describe, expect, it } from 'vitest';
import { dataset, field, join, metric } from '../bind/test-support/model-parts.ts';
import { type ReadQuestion, readMetricQuestion } from './read-metric-question.ts';
import { amount, bindShop, cell, openShop, SHOP_MODEL, shopKnowledge } from './test-support/shop.ts';

const shop = openShop();
afterAll(() => void shop.close());

const bound = bindShop();
const read = (question: string, values: readonly ValueMatch[] = [], knowledge = bound): ReadQuestion =>
  readMetricQuestion(question, knowledge, { today: '2024-05-15', values });

/** Rows that the statement of a question gives; the reason where it is declined. */
function rows(question: string, values: readonly ValueMatch[] = [], knowledge = bound): unknown {
  const answer = read(question, values, knowledge);
  return answer.kind === 'request' ? shop.prepare(answer.compiled.sql).raw().all() : answer.reason;
}

describe('readMetricQuestion, by what knowledge says', () => {
  it('reads cells that were found, and no others', () => {
    expect(rows('revenue in Berlin')).toBe('Nothing accounts for "Berlin" in the question.');
    expect(rows('revenue in berlin', [cell('customers.city', 'Berlin', 'berlin')])).toEqual([[700]]);
    expect(rows('Old Mill revenue in 2023', [cell('stores.store_name', 'Old Mill')])).toEqual([[150]]);
    expect(rows('revenue in the region North', [cell('stores.region', 'North')])).toEqual([[260]]);
    expect(rows('revenue from customers in Berlin', [cell('customers.city', 'Berlin')])).toEqual([[700]]);
    expect(rows('revenue from customers in the North', [cell('stores.region', 'North')])).toContain('North');
    expect(rows('How many orders did Old Mill have?', [cell('stores.store_name', 'Old Mill')])).toEqual([[2]]);
    expect(rows('revenue in Berli', [cell('customers.city', 'Berlin', 'Berli')])).toContain('Berli');
    // A column that no dimension is made of.
    expect(rows('revenue of Ben', [cell('stores.manager', 'Ben')])).toContain('Ben');
  });

  it('compares cells as the settings say', () => {
    const values = [cell('customers.city', 'Berlin', 'BERLIN'), cell('customers.city', 'BERLIN')];
    const where = (matching?: 'exact' | 'insensitive' | 'contains') => {
      const answer = read('revenue in BERLIN', values, bindShop(shopKnowledge({}, { settings: { matching } })));
      return answer.kind === 'request' ? answer.request.where : answer.kind;
    };
    expect(where()).toEqual(["customers.city = 'BERLIN'"]);
    expect(where('exact')).toEqual(["customers.city = 'BERLIN'"]);
    expect(where('insensitive')).toEqual(["customers.city IN ('Berlin', 'BERLIN')"]);
    expect(where('contains')).toBe('declined');
  });

  it('asks back where somebody is called like what others mean, and takes no answer from them', () => {
    const city = cell('customers.city', 'Berlin');
    const whoIs = (name: string) => cell('customers.name', name);
    expect(rows('revenue of Berlin customers', [city])).toEqual([[700]]);
    for (const [question, values] of [
      ['revenue of Berlin customers', [city, whoIs('Berlin')]],
      ['revenue of gold customers', [whoIs('gold')]],
    ] as const)
      expect(read(question, values)).toMatchObject({ kind: 'declined', readings: { length: 2 } });
    // Words that hold a question together, and a part of a longer name, are no cells, whoever is called so.
    for (const [question, name] of [
      ['orders without Berlin', 'without'],
      ['stores without orders', 'without'],
      ['revenue in Berlin?? not', 'not'],
      ['big orders in Berlin', 'big'],
    ] as const)
      expect(rows(question, [city, whoIs(name)])).toEqual(rows(question, [city]));
    expect(rows('revenue of IT', [whoIs('IT')])).toEqual([[null]]);
    expect(rows('revenue !Berlin', [city])).toContain('!');
  });

  it('finds a cell in two dimensions: both are named', () => {
    const values = [cell('customers.city', 'Market'), cell('stores.store_name', 'Market')];
    const answer = read('revenue in Market', values);
    expect(answer).toMatchObject({ kind: 'declined', readings: { length: 2 } });
    expect(rows('revenue in Market')).toContain('Market');
    expect(answer.kind === 'declined' && answer.reason).toMatch(/customers\.city.*stores\.store_name/u);
    expect(rows('revenue in the store Market', values)).toEqual([[230]]);
  });

  it('compares with the month before for each month', () => {
    expect(rows('revenue growth in March 2024')).toEqual([['2024-03-01', expect.closeTo(170 / 30, 6)]]);
  });

  it('says what it understood, and what it took for granted', () => {
    expect(read('orders by customer since May')).toMatchObject({
      reading: 'Orders by name (customers.name), from 2024-05-01 on',
      assumptions: [
        'Those with the same `name` are counted as one.',
        'The month without a year is that of 2024.',
        'Rows of orders are put in time by orders.ordered_at.',
      ],
    });
  });

  it('counts fiscal years as the settings say, and says so where the calendar was meant', () => {
    const fiscal = bindShop(shopKnowledge({}, { settings: { fiscalYearStart: 4 } }));
    expect(rows('revenue in fiscal year 2024', [], fiscal)).toEqual([[350]]);
    expect(rows('revenue by fiscal year', [], fiscal)).toEqual([
      ['2022-04-01', 100],
      ['2023-04-01', 350],
      ['2024-04-01', 540],
    ]);
    expect(read('revenue in 2024', [], fiscal)).toMatchObject({
      assumptions: expect.arrayContaining(['Years and quarters are those of the calendar, not fiscal ones.']),
    });
  });

  it('limits by a time that nobody declared only where a verb names it', () => {
    const opened = bindShop(
      shopKnowledge({
        datasets: [
          dataset('stores', [
            field('opened_on', "CAST('2024-01-01' AS DATE)", { dimension: { isTime: true } }),
            field('region', 'region', { dimension: {} }),
          ]),
        ],
        relationships: [],
        metrics: [metric('store_count', 'COUNT(stores.store_id)', { label: 'Number of stores' })],
        filters: [],
      }),
    );
    expect(rows('How many stores opened in 2024?', [], opened)).toEqual([[3]]);
    expect(rows('How many stores were there in 2024?', [], opened)).toContain('default_time');
  });

  it('declines values that the rows are filtered by already, unless they surely pass', () => {
    const [stores, customers, orders] = SHOP_MODEL.datasets ?? [];
    const open = bindShop(
      shopKnowledge({
        datasets: [stores!, customers!, { ...orders!, defaultFilter: "status <> 'C'" }],
        metrics: [
          ...SHOP_MODEL.metrics!,
          metric('delivered', {
            ...amount('SUM(orders.amount)'),
            filter: "orders.status IN ('D', 'O') AND orders.amount > 0",
          }),
        ],
      }),
    );
    expect(rows('revenue', [], open)).toEqual([[960]]);
    expect(rows('open orders', [], open)).toEqual([[2]]);
    expect(rows('cancelled orders', [], open)).toContain('filtered');
    expect(rows('delivered from open orders', [], open)).toEqual([[540]]);
    expect(rows('delivered from cancelled orders', [], open)).toContain('filtered');
  });

  it('shows what a thing is called with the key that tells it apart', () => {
    const [, , orders] = SHOP_MODEL.datasets ?? [];
    const people = dataset(
      'customers',
      [
        field('customer_id', 'customer_id', { dimension: {} }),
        field('name', "CASE WHEN name <> '' THEN 'Ann' END", { dimension: {} }),
      ],
      { primaryKey: ['customer_id'] },
    );
    const same = bindShop(
      shopKnowledge({
        datasets: [people, orders!],
        relationships: [join('orders.customer_id > customers.customer_id')],
        metrics: [metric('revenue', 'SUM(orders.amount)')],
      }),
    );
    expect(rows('revenue by customer', [], same)).toEqual([
      ['Ann', 1, 170],
      ['Ann', 2, 250],
      ['Ann', 3, 530],
      [null, null, 40],
    ]);
    expect(rows('top 1 customer by revenue', [], same)).toEqual([['Ann', 3, 530]]);
    expect(rows('revenue by customer id', [], same)).toEqual([
      [1, 170],
      [2, 250],
      [3, 530],
      [null, 40],
    ]);
  });

  it('asks which one, where a word names two metrics', () => {
    const twice = bindShop(
      shopKnowledge({
        metrics: [
          ...SHOP_MODEL.metrics!,
          metric('margin', 'AVG(orders.amount)', { ai: { synonyms: ['sales'], examples: [] } }),
        ],
      }),
    );
    const answer = read('sales by region', [], twice);
    expect(answer).toMatchObject({ kind: 'declined', readings: { length: 2 } });
  });
});
