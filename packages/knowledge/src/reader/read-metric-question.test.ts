import type { ValueMatch } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import { catalogOf, dataset, field, metric } from '../bind/test-support/model-parts.ts';
import { type ReadQuestion, readMetricQuestion } from './read-metric-question.ts';
import { bindShop, cell, openShop, SHOP_MODEL, shopKnowledge } from './test-support/shop.ts';

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

/** What was understood says the word as well. */
const SAME_WORD = /^(?:not|without): .* is not |^average: Average order value/u;

/** Questions with the rows that answer them. */
const ANSWERS: readonly (readonly [string, unknown[][]])[] = [
  ['revenue', [[990]]],
  ['What is our total turnover?', [[990]]],
  ['How many orders are there?', [[7]]],
  ['How many orders did we get in 2023?', [[2]]],
  ['number of stores', [[3]]],
  ['How many orders have we shipped?', [[4]]],
  [
    'revenue by region',
    [
      ['North', 260],
      ['South', 230],
      [null, 500],
    ],
  ],
  [
    'Revenue by region in 2024',
    [
      ['North', 110],
      ['South', 230],
      [null, 500],
    ],
  ],
  [
    'orders per loyalty tier',
    [
      ['B', 4],
      ['G', 2],
      [null, 1],
    ],
  ],
  ['orders by region and status in 2023', [['North', 'D', 2]]],
  [
    'average order value for each store',
    [
      ['Harbour', 55],
      ['Market', 115],
      ['Old Mill', 75],
      [null, 500],
    ],
  ],
  [
    'monthly revenue since March',
    [
      ['2024-03-01', 200],
      ['2024-04-01', 500],
      ['2024-05-01', 40],
    ],
  ],
  [
    'revenue per quarter in 2023',
    [
      ['2023-01-01', 100],
      ['2023-10-01', 50],
    ],
  ],
  ["last year's revenue", [[150]]],
  ['revenue last month', [[500]]],
  ['revenue year to date', [[840]]],
  ['revenue between January and February 2024', [[100]]],
  ['revenue from gold customers', [[170]]],
  ['open orders', [[2]]],
  ['revenue with status cancelled', [[30]]],
  ['revenue of delivered or cancelled orders', [[450]]],
  ['revenue excluding cancelled orders', [[960]]],
  ['How many rush orders were there in 2024?', [[1]]],
  [
    'revenue of big orders by region',
    [
      ['North', 100],
      ['South', 200],
      [null, 500],
    ],
  ],
  ['Which region has the highest revenue?', [['North', 260]]],
  ['Which region had the fewest orders?', [['South', 2]]],
  ['How many orders were cancelled?', [[1]]],
  ['cancelled orders in 2024', [[1]]],
  [
    'top 2 regions by orders',
    [
      ['North', 4],
      ['South', 2],
    ],
  ],
  ['Top store by revenue in 2023', [['Old Mill', 150]]],
  ['delivered value in April 2024', [[200]]],
  ['How many new customers joined in 2023?', [[2]]],
  ['revenue and orders by region in 2023', [['North', 150, 2]]],
  [
    'running revenue by year',
    [
      ['2023-01-01', 150],
      ['2024-01-01', 990],
    ],
  ],
];

describe('readMetricQuestion', () => {
  it.each(ANSWERS)('answers: %s', (question, expected) => {
    expect(rows(question)).toEqual(expected);
  });

  it.each([
    'net revenue',
    'revenue after tax',
    'revenue by supplier',
    'revenue per square metre',
    'average revenue by region',
    'total average order value',
    'how many revenue',
    'how many sales',
    'How much did orders bring in?',
    'revenue by weekday',
    'revenue over 100',
    'revenue next month',
    'revenue without tax',
    'revenue until May',
    'why did revenue fall in May?',
    'forecast revenue',
    'revenue compared to last year',
    'share of revenue from gold customers',
    'number of stores in 2024',
    'number of stores by region and month',
    'running revenue',
    'latest value today',
    'revenue at the end of each month',
    'revenue at the end of March 2024',
    'Which store shipped the most revenue?',
    'In which months was revenue highest?',
    'How did revenue develop in 2024?',
    'orders placed and delivered in March',
    'revenue for the first quarter',
    'revenue growth by year',
    'new customers by region',
    'new customers who joined in 2023',
    'orders cancelled in February 2024',
    'How many orders were cancelled by month?',
    'revenue delivered in April 2024',
    'top regions by revenue',
    'which regions have the highest revenue',
    'highest revenue',
    'revenue by region by region',
    'revenue in 2023 and 2024',
    'revenue in fiscal year 2024',
    'median order value',
    'delete all orders of last year',
    'orders by customer id',
    'revenue > 100',
    'region',
    '',
    '?',
  ])('declines what it cannot be sure of: %s', (question) => {
    expect(read(question)).toMatchObject({ kind: 'declined' });
  });

  it('accounts for every word: one that changes the meaning is never passed over', () => {
    const changing = [
      'not',
      'no',
      'without',
      'net',
      'average',
      'median',
      'projected',
      'minus',
      'vs',
      'until',
      'half',
      '%',
    ];
    for (const [question] of ANSWERS) {
      const words = question.split(' ');
      for (const word of changing)
        for (let at = 0; at <= words.length; at += 1) {
          const changed = words.toSpliced(at, 0, word).join(' ');
          const answer = read(changed);
          if (answer.kind === 'request') expect(`${word}: ${answer.reading}`, changed).toMatch(SAME_WORD);
        }
    }
  });

  it('takes the words of knowledge as names, whatever they say', () => {
    const hostile = bindKnowledge(
      shopKnowledge({
        metrics: [
          metric('order', 'SUM(orders.amount)'),
          metric('select', 'COUNT(orders.order_id)', {
            ai: { synonyms: ["x'; DROP TABLE orders; --", 'ignore the limits', 'the', 'by', 'in'], examples: [] },
          }),
        ],
      }),
      { catalog: bound.catalog, dialect: sqliteDialect },
    );
    expect(rows('order by region', [], hostile)).toEqual(rows('revenue by region'));
    expect(rows('select', [], hostile)).toEqual([[7]]);
    expect(rows('ignore the limits', [], hostile)).toEqual([[7]]);
    expect(rows("x'; DROP TABLE orders; --", [], hostile)).toMatch(/^Nothing/u);
    expect(rows('the', [], hostile)).toMatch(/^The question|^Nothing/u);
    expect(rows(`order in "x' OR 1=1 --"`, [cell('customers.city', "x' OR 1=1 --")], hostile)).toEqual([[null]]);
    expect(shop.prepare('SELECT COUNT(*) FROM orders').pluck().get()).toBe(7);
  });

  it('reads any text, and gives the same again', () => {
    const words =
      'revenue orders by per region status in 2024 last month top 3 gold customers and or how many , the'.split(' ');
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((some) => some.join(' ')),
    );
    fc.assert(
      fc.property(text, (question) => {
        const first = read(question);
        expect(read(question)).toEqual(first);
        if (first.kind === 'request') expect(() => shop.prepare(first.compiled.sql).all()).not.toThrow();
      }),
    );
  });

  it('is quick with 500 metrics and 20,000 fields', () => {
    const names = Array.from({ length: 400 }, (_, at) => `table_${at}`);
    const columns = Array.from({ length: 50 }, (_, at) => `column_${at}`);
    const large = bindKnowledge(
      shopKnowledge({
        datasets: [
          ...SHOP_MODEL.datasets!,
          ...names.map((name) =>
            dataset(
              name,
              columns.map((column) => field(column, column, { dimension: {} })),
            ),
          ),
        ],
        metrics: [
          ...SHOP_MODEL.metrics!,
          ...Array.from({ length: 500 }, (_, at) => metric(`metric_${at}`, `SUM(table_${at % 400}.column_1)`)),
        ],
      }),
      {
        catalog: catalogOf(sqliteDialect, {
          ...Object.fromEntries(names.map((name) => [name, columns.map((column) => `${column} INTEGER`)])),
          orders: [
            'order_id INTEGER',
            'store_id INTEGER',
            'customer_id INTEGER',
            'amount INTEGER',
            'status TEXT',
            'is_rush BOOLEAN',
            'ordered_at DATE',
            'delivered_at DATE',
          ],
          stores: ['store_id INTEGER', 'store_name TEXT', 'region TEXT'],
          customers: ['customer_id INTEGER', 'name TEXT', 'city TEXT', 'tier TEXT', 'joined_at TEXT'],
        }),
        dialect: sqliteDialect,
      },
    );
    read('revenue by region in 2024', [], large);
    const before = process.cpuUsage();
    for (let at = 0; at < 10; at += 1)
      expect(read('monthly revenue by region in 2024', [], large).kind).toBe('request');
    const { user, system } = process.cpuUsage(before);
    // 20 ms each on a machine that does nothing else.
    expect((user + system) / 10_000).toBeLessThan(100);
  });
});
