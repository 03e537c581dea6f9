import { describe, expect, it } from 'vitest';
import { smallDatabase } from './testing/small-database.ts';

/** A shop that lends and sells tools: yes and no in every spelling, amounts, quantities, and times that may be missing. */
const shop = smallDatabase(
  {
    customers: [
      'customer_id number key',
      'first_name text required',
      'last_name text required',
      'company text',
      'joined_on date required',
      'newsletter text required',
    ],
    tools: [
      'tool_id number key',
      'tool_name text required',
      'kind text required',
      'daily_price number required',
      'is_electric number required',
      'weight_kg number',
    ],
    loans: [
      'loan_id number key',
      'customer_id number required > customers',
      'tool_id number required > tools',
      'lent_on date required',
      'returned_on date',
      'insured text required',
    ],
    sales: [
      'sale_id number key',
      'customer_id number required > customers',
      'article text required',
      'quantity number required',
      'total number required',
      'sold_on date required',
      'pay_meth text required',
    ],
    emps: [
      'emp_id number key',
      'emp_nm text required',
      'job_ttl text required',
      'hrly_wage number required',
      'hire_dt date required',
    ],
  },
  {
    customers: [
      [1, 'Ann', 'Adler', null, '2023-02-01', 'yes'],
      [2, 'Bo', 'Brown', 'Brown Ltd', '2024-01-10', 'no'],
      [3, 'Cy', 'Costa', null, '2024-05-05', 'yes'],
    ],
    tools: [
      [1, 'Big Drill', 'drill', 12, 1, 4],
      [2, 'Hand Saw', 'saw', 3, 0, 1],
      [3, 'Small Drill', 'drill', 7, 1, 2],
    ],
    loans: [
      [1, 1, 1, '2024-01-05', '2024-01-09', 'Y'],
      [2, 1, 1, '2024-01-20', '2024-01-21', 'N'],
      [3, 1, 2, '2024-03-05', null, 'Y'],
      [4, 2, 1, '2024-06-01', null, 'N'],
    ],
    sales: [
      [1, 1, 'Nail Box', 10, 40, '2024-02-01', 'Cash'],
      [2, 1, 'Glove', 2, 12, '2024-06-10', 'Card'],
      [3, 2, 'Nail Box', 5, 20, '2023-12-30', 'Card'],
    ],
    emps: [
      [1, 'Dora', 'Clerk', 15, '2022-01-01'],
      [2, 'Emil', 'Smith', 22, '2021-04-01'],
    ],
  },
);

const rowsOf = async (question: string): Promise<readonly unknown[][]> => {
  const { outcome, sql, explanation } = await shop.ask(question, { today: '2024-06-15' });
  expect(outcome, explanation).toBe('sql');
  return shop.rows(sql);
};

describe('yes and no', () => {
  it.each<[question: string, rows: unknown[][]]>([
    ['How many electric tools do we have?', [[2]]],
    ['Which tools are not electric?', [['Hand Saw']]],
    ['How many customers get the newsletter?', [[2]]],
    ['How many loans were insured in January 2024?', [[1]]],
    ['What percentage of loans are insured?', [[50]]],
    ['List all electric drills', [['Big Drill'], ['Small Drill']]],
  ])('%s', async (question, rows) => {
    expect(await rowsOf(question)).toEqual(rows);
  });
});

describe('quantities and money', () => {
  it.each<[question: string, rows: unknown[][]]>([
    ['How many nail boxes did we sell?', [[15]]],
    ['How many units were sold in 2024?', [[12]]],
    ['How much did we earn in 2024?', [[52]]],
    ['What did we earn from sales last year?', [[20]]],
    ['How much was paid in cash?', [[40]]],
    [
      'Revenue by article, highest first',
      [
        ['Nail Box', 60],
        ['Glove', 12],
      ],
    ],
    [
      'Total sales by pay method',
      [
        ['Card', 32],
        ['Cash', 40],
      ],
    ],
    ['Top 1 customers by amount spent', [['Ann', 'Adler']]],
    ['Which is our best-selling article?', [['Nail Box']]],
    ['Sales above 30', [[1]]],
  ])('%s', async (question, rows) => {
    expect(await rowsOf(question)).toEqual(rows);
  });
});

describe('verbs', () => {
  it.each<[question: string, rows: unknown[][]]>([
    ['Which customers borrowed more than 2 tools?', [['Ann', 'Adler']]],
    ['Which tools were borrowed more than twice?', [['Big Drill']]],
    ['Which tools have never been borrowed?', [['Small Drill']]],
    ['Which tools has nobody borrowed?', [['Small Drill']]],
    ['Which tool is borrowed the most?', [['Big Drill']]],
    [
      'How many times was each tool borrowed?',
      [
        ['Big Drill', 3],
        ['Hand Saw', 1],
      ],
    ],
    ['How many loans have not been returned yet?', [[2]]],
    ['How many loans are unreturned?', [[2]]],
    ['How many people joined in 2024?', [[2]]],
    ['Who joined most recently?', [['Cy', 'Costa']]],
    ['Who earns the most?', [['Emil']]],
    ['Who was hired in 2022?', [['Dora']]],
    ['How many tools do we offer?', [[3]]],
    ['Which customers borrowed both a drill and a saw?', [['Ann', 'Adler']]],
  ])('%s', async (question, rows) => {
    expect(await rowsOf(question)).toEqual(rows);
  });
});

describe('times and comparisons', () => {
  it.each<[question: string, rows: unknown[][]]>([
    ['How many loans were there in the first half of 2024?', [[4]]],
    ['How many loans since the beginning of March 2024?', [[2]]],
    ['In which month of 2024 did we have the most loans?', [[2024, 1, 2]]],
    ['When was the first loan of Big Drill?', [['2024-01-05']]],
    ['What is the largest sale by quantity?', [[1]]],
    ['What does the Big Drill cost?', [[12]]],
    ['How many new customers joined in 2024?', [[2]]],
    ['Which tools weigh more than 3 kg?', [['Big Drill']]],
  ])('%s', async (question, rows) => {
    expect(await rowsOf(question)).toEqual(rows);
  });
});

describe('declines', () => {
  it.each(['Who bought the most?', 'What do tools cost?'])('%s', async (question) => {
    expect((await shop.ask(question)).outcome).not.toBe('sql');
  });
});
