import { describe, expect, test } from 'vitest';
import { monthOf, resultOf, rowsOf } from '../test-support/results.ts';
import type { ChartSpec } from './chart-spec.ts';
import { checkChartSpec } from './check-chart-spec.ts';

const result = resultOf(
  'month, country, customer_id, orders, avg(total), balance',
  rowsOf(6, (at) => [monthOf(Math.floor(at / 2)), at % 2 === 0 ? 'NO' : 'SE', at, at, at / 2, at - 3]),
);
const [MONTH, COUNTRY, ID, ORDERS, AVERAGE, BALANCE] = [0, 1, 2, 3, 4, 5];
const bars = {
  kind: 'bar',
  x: [MONTH],
  y: [ORDERS],
  series: COUNTRY,
  layout: 'grouped',
  sort: 'x',
  format: 'plain',
  title: '',
} as const;
const line = { kind: 'line', x: [MONTH], y: [ORDERS], series: COUNTRY, sort: 'x', format: 'plain', title: '' } as const;

test('what holds is handed back', () => {
  for (const spec of [bars, line]) expect(checkChartSpec(spec, result)).toEqual(spec);
});

describe('what is refused', () => {
  test.each<[string, object, RegExp]>([
    ['an identifier as a measure', { ...bars, y: [ID] }, /"customer_id" is an identifier/],
    ['a category as a measure', { ...bars, x: [MONTH], series: undefined, y: [COUNTRY] }, /"country" holds no numbers/],
    ['a line over categories', { ...line, x: [COUNTRY], series: MONTH }, /not over "country"; draw bars/],
    [
      'a line through two values of a month',
      { ...line, series: undefined },
      /"month" has the same value in several rows/,
    ],
    ['bars that hide each other', { ...bars, x: [COUNTRY], series: COUNTRY }, /used twice/],
    [
      'a series that does not tell rows apart',
      { ...bars, x: [COUNTRY], series: undefined, y: [ORDERS, AVERAGE], sort: 'up' },
      /sort/,
    ],
    ['stacked averages', { ...bars, y: [AVERAGE], layout: 'stacked' }, /"avg\(total\)" are not known to add up/],
    ['stacked negatives', { ...bars, y: [BALANCE], layout: 'stacked' }, /"balance"/],
    ['a column that is not there', { ...bars, y: [9] }, /column 9 is not there; the result has 6/],
    [
      'a number of many rows',
      { kind: 'number', x: [], y: [ORDERS], sort: 'given', format: 'plain', title: '' },
      /the result has 6 rows/,
    ],
    ['an expression', { ...bars, y: ['orders * 2'] }, /y\.0/],
    ['an unknown field, with the near one', { ...bars, serie: 1 }, /Did you mean `series`/],
    ['a link', { ...bars, href: 'javascript:alert(1)' }, /href/],
    ['no object', null as unknown as object, /expected object/],
    ['more than three labels', { ...bars, x: [0, 1, 2, 3] }, /x/],
  ])('%s', (_, spec, message) => {
    expect(() => checkChartSpec(spec, result)).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID', message: expect.stringMatching(message) }),
    );
  });

  test('what the rules do not offer, whatever its title', () => {
    const offered: readonly ChartSpec[] = [checkChartSpec(line, result)];
    expect(checkChartSpec({ ...line, title: 'By country' }, result, { offered })).toMatchObject({
      title: 'By country',
    });
    expect(() => checkChartSpec(bars, result, { offered })).toThrow(/none of the 1 charts/);
    expect(() => checkChartSpec(bars, result, { offered: [] })).toThrow(/no chart is offered/);
  });
});
