import { expect, test } from 'vitest';
import { type ChoiceCase, shownOf } from '../test-support/choices.ts';
import { resultOf, rowsOf, shapeReader } from '../test-support/results.ts';
import { chartOf } from './chart-of.ts';

const shapeOf = shapeReader();
const status = ['new', 'paid', 'sent'];

/** What would be read as something else: time in the order of its text, steps closed up, the first for the largest. */
const CASES: readonly ChoiceCase[] = [
  {
    rule: 'time-ranking',
    result: resultOf('month, n', [
      ['2024-03', 9],
      ['2015-01', 5],
      ['2009-07', 4],
    ]),
    sql: 'SELECT month, count(*) AS n FROM o GROUP BY month ORDER BY n DESC LIMIT 3',
    shows: 'chart: bar given',
  },
  {
    rule: 'time-line',
    result: resultOf('tag, revenue', [
      ['01.04.2024', 9],
      ['02.04.2024', 5],
      ['31.03.2024', 4],
    ]),
    sql: 'SELECT tag, sum(total) AS revenue FROM o GROUP BY tag ORDER BY tag',
    shows: 'chart: line x, bar x',
  },
  {
    rule: 'time-line',
    result: resultOf(
      'week, n',
      rowsOf(26, (at) => [`2024-${String(at + 1).padStart(2, '0')}`, at]),
    ),
    shows: 'chart: line x',
  },
  {
    rule: 'bars',
    result: resultOf('d, n', [
      ['03/04/2024', 9],
      ['05/06/2024', 5],
    ]),
    shows: 'chart: bar given',
  },
  {
    rule: 'too-many-bars',
    result: resultOf(
      'city, lines',
      rowsOf(90, (at) => [`city ${at}`, at < 40 ? 5 : 1]),
    ),
    shows: 'table',
  },
  {
    rule: 'too-many-bars',
    result: resultOf(
      'customer_id, lines, total',
      rowsOf(90, (at) => [at, at % 5, at * 3]),
    ),
    shows: 'table',
  },
  {
    rule: 'too-many-bars',
    result: resultOf(
      'customer_id, total',
      rowsOf(90, (at) => [at, at * 3]),
    ),
    sql: 'SELECT customer_id, total FROM totals ORDER BY customer_id',
    shows: 'table: bar value top 20',
  },
  {
    rule: 'ordered-numbers',
    result: resultOf(
      'price, n',
      rowsOf(9, (at) => [at * at * 3.37, at]),
    ),
    sql: 'SELECT price, count(*) AS n FROM products GROUP BY price',
    shows: 'chart: scatter given',
  },
  {
    rule: 'two-labels',
    result: resultOf(
      'country, status, count(*)',
      rowsOf(48, (at) => [`c${Math.floor(at / 3)}`, status[at % 3] ?? '', at]),
    ),
    shows: 'chart: stacked bar given by 1',
  },
  {
    rule: 'bars',
    result: resultOf('orders, customers', [
      ['2-5', 136],
      ['11+', 14],
      ['1', 29],
    ]),
    shows: 'chart: bar x',
  },
  {
    rule: 'too-many-bars',
    result: resultOf(
      'name, price, sold',
      rowsOf(90, (at) => [`p${at}`, at, at * 3]),
    ),
    question: 'Price versus quantity sold',
    shows: 'table: scatter given',
  },
];

test.each(CASES)('$rule: $shows', async ({ rule, result, sql, question, shows }) => {
  const choice = chartOf(result, { shape: sql === undefined ? undefined : await shapeOf(sql), question });
  expect([choice.rule, shownOf(choice)]).toEqual([rule, shows]);
});
