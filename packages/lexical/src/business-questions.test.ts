import { describe, expect, it } from 'vitest';
import { smallDatabase } from './testing/small-database.ts';

const shop = smallDatabase(
  {
    carriers: ['carrier_id number key', 'name text required'],
    orders: [
      '"Order No" number key',
      '"Customer Name" text required',
      '"Order Date" date required',
      'region text',
      'carrier_id number > carriers',
      'qty number required',
      '"Total Amt" number',
      'paid bool required',
      'revenue number',
    ],
    shops: ['shop_id number key', 'name text required', 'has_parking bool required'],
  },
  {
    carriers: [
      [1, 'DHL'],
      [2, 'Raben'],
    ],
    orders: [
      [1, 'Ann', '2023-11-05', 'North', 1, 3, 30, true, 30],
      [2, 'Ann', '2024-01-10', 'North', 2, 1, 15, false, 15],
      [3, 'Bo', '2024-02-11', 'South', null, 8, null, true, 8],
      [4, 'Bo', '2024-05-31', null, 1, 2, 20, true, 20],
      [5, 'Cy', '2024-06-14', 'South', 2, 9, 5, false, 5],
    ],
    shops: [
      [1, 'Main', true],
      [2, 'Side', false],
    ],
  },
);

const answered = async (question: string, today = '2024-06-15') => {
  const answer = await shop.ask(question, { today });
  expect(answer.outcome, answer.explanation).toBe('sql');
  return { rows: shop.rows(answer.sql), explanation: answer.explanation };
};

describe('time', () => {
  it.each([
    [
      'Number of orders per quarter',
      [
        [2023, 4, 1],
        [2024, 1, 2],
        [2024, 2, 2],
      ],
    ],
    [
      'How many orders were there each month in 2024?',
      [
        [2024, 1, 1],
        [2024, 2, 1],
        [2024, 5, 1],
        [2024, 6, 1],
      ],
    ],
    [
      'Monthly total amount since 2024',
      [
        [2024, 1, 15],
        [2024, 2, null],
        [2024, 5, 20],
        [2024, 6, 5],
      ],
    ],
    [
      'Orders per year',
      [
        [2023, 1],
        [2024, 4],
      ],
    ],
    ['How many orders were there between January and February 2024?', [[2]]],
    ['How many orders were there in May 2024?', [[1]]],
  ])('%s', async (question, rows) => {
    expect((await answered(question)).rows).toEqual(rows);
  });

  it.each([
    ['How many orders were there last year?', 1, '2023-01-01 to before 2024-01-01'],
    ['How many orders were there in the last 30 days?', 2, '2024-05-16 to before 2024-06-16'],
    ['How many orders were there this month?', 1, '2024-06-01 to before 2024-07-01'],
  ])('%s: says which day it counts from', async (question, count, span) => {
    const { rows, explanation } = await answered(question);
    expect(rows).toEqual([[count]]);
    expect(explanation).toContain('today is taken to be 2024-06-15');
    expect(explanation).toContain(span);
  });
});

describe('shares', () => {
  it.each([
    ['What percentage of orders are paid?', 60],
    ['What is the percentage of orders that were paid?', 60],
    ['What share of orders are from the South?', 40],
  ])('%s', async (question, percent) => {
    expect((await answered(question)).rows).toEqual([[percent]]);
  });
});

describe('names', () => {
  it('a named column beats a synonym of a part of its name', async () => {
    const { rows } = await answered('Show the total amount by customer name');
    expect(rows).toEqual(
      expect.arrayContaining([
        ['Ann', 45],
        ['Bo', 20],
        ['Cy', 5],
      ]),
    );
    expect((await answered('Which orders have no total amount?')).rows).toEqual([[3]]);
  });

  it('has_parking asks something of a shop, and is nothing to count', async () => {
    expect((await answered('How many shops have parking?')).rows).toEqual([[1]]);
  });

  it('groups by two columns', async () => {
    expect((await answered('Number of orders by region and customer name')).rows).toHaveLength(4);
  });
});

describe('what is left open', () => {
  it('says that rows without a value are left out of what is not so', async () => {
    const { rows, explanation } = await answered('How many orders are not from the North?');
    expect(rows).toEqual([[2]]);
    expect(explanation).toContain('rows without a value of orders.region are left out');
    const related = await answered('How many orders are not with DHL?');
    expect(related.rows).toEqual([[2]]);
    expect(related.explanation).toContain('rows without a value of carriers.name are left out');
  });

  it('takes a turnover that is no column for the sum of what is paid', async () => {
    expect((await answered('What was the turnover in the North in 2024?')).rows).toEqual([[15]]);
    expect((await answered('How much did we earn in 2023?')).rows).toEqual([[30]]);
  });

  it('asks back whether a revenue is the sum or that of each row, and declines one that is nowhere', async () => {
    const open = await shop.ask('What was the revenue in the North in 2024?');
    expect([open.outcome, open.sql]).toEqual(['needs_clarification', '']);
    expect(open.explanation).toContain('sum of revenue in orders');
    const unknown = await shop.ask('What was the profit in the North in 2024?');
    expect(unknown.explanation).toContain("matches 'profit'");
  });
});
