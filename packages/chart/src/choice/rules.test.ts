import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkChartSpec } from '../spec/check-chart-spec.ts';
import { type ChoiceCase, shownOf } from '../test-support/choices.ts';
import { monthOf, resultOf, rowsOf, shapeReader } from '../test-support/results.ts';
import { chartOf } from './chart-of.ts';
import { CHART_RULES } from './rules.ts';

const shapeOf = shapeReader();

const status = ['new', 'paid', 'sent'];
const cities = rowsOf(40, (at) => [`city ${at}`, at * 3]);

/** One of each rule at least. */
const CASES: readonly ChoiceCase[] = [
  { rule: 'no-rows', result: resultOf('name, n', []), shows: 'table' },
  { rule: 'no-rows', result: { columns: [], rows: [[]] }, shows: 'table' },
  { rule: 'one-number', result: resultOf('count(*)', [[12]]), shows: 'number: number' },
  { rule: 'one-number', result: resultOf('orders, revenue', [[12, 40.5]]), shows: 'number: number' },
  { rule: 'one-row', result: resultOf('name, age', [['Ann', 40]]), shows: 'table' },
  { rule: 'one-row', result: resultOf('avg(price)', [[null]]), shows: 'table' },
  { rule: 'one-row', result: resultOf('customer_id', [[7]]), shows: 'table' },
  {
    rule: 'no-measure',
    result: resultOf('name, customer_id', [
      ['Ann', 1],
      ['Bo', 2],
    ]),
    shows: 'table',
  },
  {
    rule: 'no-measure',
    result: resultOf('make, year', [
      ['Audi', 1999],
      ['BMW', 2001],
    ]),
    shows: 'table',
  },
  {
    rule: 'time-ranking',
    result: resultOf('month, n', [
      ['2024-03', 9],
      ['2024-01', 5],
      ['2024-07', 4],
    ]),
    sql: 'SELECT month, count(*) AS n FROM o GROUP BY month ORDER BY n DESC LIMIT 3',
    shows: 'chart: bar given, bar x',
  },
  {
    rule: 'time-parts',
    result: resultOf(
      'weekday, n',
      rowsOf(7, (at) => [at, at * 2]),
    ),
    shows: 'chart: bar x',
  },
  {
    rule: 'time-parts',
    result: resultOf('month, n', [
      ['March', 1],
      ['January', 2],
    ]),
    shows: 'chart: bar x',
  },
  {
    rule: 'time-parts',
    result: resultOf(
      'year, quarter, revenue',
      rowsOf(8, (at) => [2023 + Math.floor(at / 4), (at % 4) + 1, at]),
    ),
    shows: 'chart: bar x',
  },
  {
    rule: 'time-events',
    result: resultOf(
      'ordered_at, total',
      rowsOf(20, (at) => [new Date(1e12 + at * at * 7e6).toISOString(), at]),
    ),
    shows: 'chart: scatter given',
  },
  {
    rule: 'time-line',
    result: resultOf(
      'month, revenue',
      rowsOf(12, (at) => [monthOf(at), at]),
    ),
    shows: 'chart: line x, bar x',
  },
  {
    rule: 'time-line',
    result: resultOf(
      'year, avg(weight)',
      rowsOf(40, (at) => [1970 + at, at]),
    ),
    shows: 'chart: line x',
  },
  {
    rule: 'time-line',
    result: resultOf('year, n', [
      [2023, 5],
      [2024, 8],
    ]),
    shows: 'chart: bar x',
  },
  {
    rule: 'time-series',
    result: resultOf(
      'month, status, revenue',
      rowsOf(36, (at) => [monthOf(at % 12), status[Math.floor(at / 12)] ?? '', at]),
    ),
    shows: 'chart: line given by 1',
  },
  {
    rule: 'time-series',
    result: resultOf(
      'month, shop, revenue',
      rowsOf(240, (at) => [monthOf(at % 12), `shop ${Math.floor(at / 12)}`, at]),
    ),
    shows: 'table: line given by 1 top 8',
  },
  {
    rule: 'time-repeated',
    result: resultOf(
      'day, total',
      rowsOf(20, (at) => [`2024-01-0${1 + Math.floor(at / 3)}`, at]),
    ),
    shows: 'table: scatter given',
  },
  {
    rule: 'two-labels',
    result: resultOf(
      'country, status, count(*)',
      rowsOf(12, (at) => [`c${Math.floor(at / 3)}`, status[at % 3] ?? '', at]),
    ),
    shows: 'chart: stacked bar given by 1, grouped bar given by 1',
  },
  {
    rule: 'two-labels',
    result: resultOf(
      'country, status, avg(total)',
      rowsOf(12, (at) => [`c${Math.floor(at / 3)}`, status[at % 3] ?? '', at]),
    ),
    shows: 'chart: grouped bar given by 1',
  },
  {
    rule: 'repeated-labels',
    result: resultOf('name, grade', [
      ['Ann', 1],
      ['Ann', 2],
      ['Bo', 2],
    ]),
    shows: 'table',
  },
  { rule: 'too-many-bars', result: resultOf('city, people', cities), shows: 'table: bar value top 20' },
  {
    rule: 'listing',
    result: resultOf('name, age', [
      ['Ann', 40],
      ['Bo', 30],
    ]),
    sql: 'SELECT name, age FROM people',
    shows: 'table: bar value',
  },
  {
    rule: 'bars',
    result: resultOf('name, n', [
      ['Ann', 40],
      ['Bo', 30],
    ]),
    shows: 'chart: bar given',
  },
  {
    rule: 'bars',
    result: resultOf('n, city', [
      [4, 'Oslo'],
      [9, 'Bergen'],
    ]),
    sql: 'SELECT count(*) AS n, city FROM people GROUP BY city',
    shows: 'chart: bar value',
  },
  {
    rule: 'bars',
    result: resultOf('customer_id, sum(total)', [
      [17, 40],
      [3, 30],
    ]),
    shows: 'chart: bar given',
  },
  {
    rule: 'bars',
    result: resultOf('status, count(*)', [
      ['new', 4],
      ['sent', 9],
    ]),
    question: 'What share of orders has each status?',
    shows: 'chart: bar given, stacked bar given by 0',
  },
  {
    rule: 'ordered-numbers',
    result: resultOf(
      'age, n',
      rowsOf(9, (at) => [20 + at, at]),
    ),
    sql: 'SELECT age, count(*) AS n FROM people GROUP BY age',
    shows: 'chart: bar x',
  },
  {
    rule: 'ordered-numbers',
    result: resultOf(
      'price, n',
      rowsOf(90, (at) => [20 + at, at]),
    ),
    sql: 'SELECT price, count(*) AS n FROM products GROUP BY price',
    shows: 'chart: line x',
  },
  {
    rule: 'two-numbers',
    result: resultOf(
      'weight, power',
      rowsOf(50, (at) => [at, 100 - at]),
    ),
    shows: 'chart: scatter given',
  },
  {
    rule: 'two-numbers',
    result: resultOf(
      'weight, power',
      rowsOf(2_001, (at) => [at, -at]),
    ),
    shows: 'table: scatter given',
  },
  { rule: 'numbers-only', result: resultOf('price', [[1], [2], [3]]), shows: 'table' },
  {
    rule: 'rows-cut',
    result: resultOf(
      'name, n',
      [
        ['a', 1],
        ['b', 2],
      ],
      'rows',
    ),
    shows: 'table: bar given',
  },
  {
    rule: 'column-left-out',
    result: resultOf('month, n, note', [
      ['2024-01', 1, null],
      ['2024-02', 2, null],
    ]),
    shows: 'table: bar x',
  },
  {
    rule: 'row-left-out',
    result: resultOf('month, n', [
      [null, 1],
      ['2024-01', 2],
      ['2024-02', 2],
      ['2024-03', 9],
    ]),
    shows: 'table: line x, bar x',
  },
  {
    rule: 'row-left-out',
    result: resultOf('name, n:NUMERIC', [
      ['a', Number.NaN],
      ['b', 2],
    ]),
    shows: 'table: bar given',
  },
];

const GUARDS = ['rows-cut', 'column-left-out', 'row-left-out'];

describe('the rules', () => {
  test.each(CASES)('$rule: $shows', async ({ rule, result, sql, question, shows }) => {
    const options = { shape: sql === undefined ? undefined : await shapeOf(sql), question };
    const choice = chartOf(result, options);
    expect([choice.rule, shownOf(choice)]).toEqual([rule, shows]);
    expect(choice.spec).toEqual(choice.first === 'table' ? undefined : choice.offered[0]);
    expect(choice.reason).toMatch(/^\S.*\.$/);
    for (const spec of choice.offered) expect(checkChartSpec(spec, result, options)).toEqual(spec);
  });

  test('each has a case here and a line in the guide', () => {
    const ids = [...CHART_RULES.map(({ id }) => id), ...GUARDS];
    expect(new Set(CASES.map(({ rule }) => rule))).toEqual(new Set(ids));
    const guide = readFileSync(new URL('../../../../docs/guide/charts.md', import.meta.url), 'utf8');
    for (const { id, when } of CHART_RULES) expect(guide).toContain(`| \`${id}\` | ${when} |`);
    for (const id of GUARDS) expect(guide).toContain(`\`${id}\``);
  });
});

test('what a chart would leave out is named', () => {
  const { reason } = chartOf(
    resultOf('name, n, note', [
      ['a', 1, null],
      ['b', 2, null],
    ]),
  );
  expect(reason).toContain('leaves out the column "note"');
});
