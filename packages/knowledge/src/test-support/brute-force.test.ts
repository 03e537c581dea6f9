import { describe, expect, it } from 'vitest';
import { bruteForce } from './brute-force.ts';
import { firstDay, moved } from './plain-calendar.ts';
import { isReachable } from './plain-metrics.ts';
import type { Cell, PlainMetric, PlainRequest, PlainStar } from './plain-star.ts';

const input = (metric: string) => ({ metric });
const before = { count: 1, unit: 'month' } as const;
const METRICS: readonly PlainMetric[] = [
  { name: 'total', kind: 'aggregate', expression: { aggregate: 'sum', dataset: 'sale', field: 'amount' } },
  { name: 'guests', kind: 'aggregate', expression: { aggregate: 'sum', dataset: 'visit', field: 'guests' } },
  { name: 'per_guest', kind: 'ratio', numerator: input('total'), denominator: input('guests') },
  { name: 'running', kind: 'cumulative', input: input('total') },
  { name: 'this_year', kind: 'cumulative', input: input('total'), grainToDate: 'year' },
  { name: 'two_months', kind: 'cumulative', input: input('total'), window: { count: 2, unit: 'month' } },
  {
    name: 'rise',
    kind: 'derived',
    inputs: [{ metric: 'total' }, { metric: 'total', alias: 'old', offset: before }],
    expression: { left: { alias: 'total' }, operator: '-', right: { alias: 'old' } },
  },
  {
    name: 'last_guests',
    kind: 'aggregate',
    expression: { aggregate: 'sum', dataset: 'visit', field: 'guests' },
    nonAdditive: { field: 'visit.day', choice: 'last', within: [] },
  },
];

const STAR: PlainStar = {
  metrics: METRICS,
  links: [
    { from: 'sale', column: 'shop', to: 'shop', toColumn: 'id' },
    { from: 'visit', column: 'shop', to: 'shop', toColumn: 'id' },
  ],
  tables: [
    {
      name: 'shop',
      key: 'id',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'text' },
      ],
      rows: [
        { id: 1, name: 'east' },
        { id: 2, name: 'west' },
      ],
    },
    {
      name: 'sale',
      time: 'day',
      columns: [
        { name: 'shop', type: 'integer' },
        { name: 'day', type: 'date' },
        { name: 'amount', type: 'decimal' },
      ],
      rows: [
        { shop: 1, day: '2023-12-31', amount: 10 },
        { shop: 1, day: '2024-01-05', amount: 20 },
        { shop: 2, day: '2024-01-20', amount: 5 },
        { shop: null, day: '2024-03-01', amount: 7 },
        { shop: 9, day: '2024-03-02', amount: 1 },
      ],
    },
    {
      name: 'visit',
      time: 'day',
      columns: [
        { name: 'shop', type: 'integer' },
        { name: 'day', type: 'date' },
        { name: 'guests', type: 'integer' },
      ],
      rows: [
        { shop: 1, day: '2024-01-05', guests: 4 },
        { shop: 1, day: '2024-01-06', guests: 6 },
        { shop: 2, day: '2024-01-05', guests: 0 },
      ],
    },
  ],
};

function computed(metrics: readonly string[], by: PlainRequest['by'] = []): Readonly<Record<string, readonly Cell[]>> {
  const { groups, values } = bruteForce(STAR, { metrics, by, where: [] });
  return Object.fromEntries(groups.map(({ key }) => [key.join(), values(key)]));
}

const MONTH = [{ field: 'metric_time', grain: 'month' }] as const;

describe('bruteForce', () => {
  it('adds up each fact apart, and keeps rows whose shop is unknown', () => {
    expect(computed(['total', 'guests', 'per_guest'], [{ field: 'shop.name' }])).toEqual({
      east: [30, 10, 3],
      west: [5, 0, null],
      '': [8, null, null],
    });
  });

  it('looks back by the calendar', () => {
    expect(computed(['total', 'running', 'this_year', 'two_months', 'rise'], MONTH)).toEqual({
      '2023-12-01': [10, 10, 10, 10, null],
      '2024-01-01': [25, 35, 25, 35, 15],
      // Nothing was sold in February.
      '2024-03-01': [8, 43, 33, 8, null],
    });
  });

  it('takes the rows of the last day of each group', () => {
    expect(computed(['last_guests'])).toEqual({ '': [6] });
    expect(computed(['last_guests'], [{ field: 'shop.name' }])).toEqual({ east: [6], west: [0] });
  });

  it('knows what is reached only from one to many', () => {
    const reached = (field: string) => isReachable(STAR, { metrics: ['total'], by: [{ field }], where: [] });
    expect([reached('shop.name'), reached('visit.day')]).toEqual([true, false]);
  });
});

describe('the calendar', () => {
  it.each([
    ['2024-02-29', 'week', {}, '2024-02-26'],
    ['2024-03-03', 'week', { weekStart: 'sunday' }, '2024-03-03'],
    ['2024-03-31', 'quarter', { fiscalYearStart: 2 }, '2024-02-01'],
    ['2024-03-31', 'year', { fiscalYearStart: 4 }, '2023-04-01'],
  ] as const)('%s lies in a %s %j that begins on %s', (day, grain, calendar, first) => {
    expect(firstDay(day, grain, calendar)).toBe(first);
  });

  it('stays within the month', () => {
    expect([moved('2024-03-31', -1, 'month'), moved('2024-02-29', 1, 'year')]).toEqual(['2024-02-29', '2025-02-28']);
  });
});
