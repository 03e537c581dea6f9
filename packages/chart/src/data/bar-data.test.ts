import { describe, expect, test } from 'vitest';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { resultOf } from '../test-support/results.ts';
import { barData, keptSeries } from './bar-data.ts';

const spec: ChartSpec = { kind: 'bar', x: [0], y: [1], sort: 'x', format: 'plain', title: '' };

describe('bars in the order of x have a place for each step', () => {
  test.each<[string, (string | number)[], string]>([
    ['month', ['01', '03'], '01,,03'],
    ['month', ['March', 'June'], 'March,,,June'],
    ['hour', [8, 11], '8,,,11'],
    ['month', ['2023-11', '2024-02'], '2023-11,,,2024-02'],
    ['year', [2019, 2020, 2022], '2019,2020,,2022'],
    ['day', ['2024-02-28', '2024-03-01'], '2024-02-28,,2024-03-01'],
    ['price_from', [0, 25, 75], '0,25,,75'],
    ['share', [0.1, 0.2, 0.4], '0.1,0.2,,0.4'],
    ['week', ['52', '01'], `01,⋯,52`],
    ['country', ['a', 'c'], 'a,c'],
  ])('%s %j', (name, labels, shown) => {
    const rows = labels.map((label) => [label, 1]);
    const { slots } = barData(spec, resultOf(`${name}${typeof labels[0] === 'number' ? ':NUMERIC' : ''}, n`, rows), 40);
    expect(slots.map(({ label }) => label).join()).toBe(shown);
  });

  test.each<[string, (string | number)[][], number]>([
    [
      'year, month',
      [
        [2023, '11'],
        [2024, '02'],
      ],
      2,
    ],
    [
      'year, quarter',
      [
        [2023, 4],
        [2024, 2],
      ],
      1,
    ],
    [
      'year, week',
      [
        [2023, 52],
        [2024, 2],
      ],
      1,
    ],
    [
      'year, month, day',
      [
        [2023, 2, 27],
        [2023, 3, 2],
      ],
      2,
    ],
    [
      'day, hour',
      [
        ['2024-02-28', 23],
        ['2024-02-29', 2],
      ],
      2,
    ],
    [
      'month, day',
      [
        [4, 30],
        [5, 2],
      ],
      1,
    ],
  ])('%s', (names, places, missing) => {
    const x = places[0]?.map((_, at) => at) ?? [];
    const result = resultOf(
      `${names}, n`,
      places.map((place) => [...place, 1]),
    );
    expect(barData({ ...spec, x, y: [x.length] }, result).emptySteps).toBe(missing);
  });
});

test.each([
  [[9, 8, 7, 6], 2, 'a b'],
  [[9, 7, 8, 7], 3, 'a c'],
  [[7, 9, 7, 7], 3, 'b'],
  // All are equal: there is nothing to choose by.
  [[7, 7, 7, 7], 3, 'a b c'],
])('of series as high as %j the first %i: %s', (highest, most, kept) => {
  const rows = highest.flatMap((value, at) => [
    ['x', 'abcd'[at] ?? '', 1],
    ['y', 'abcd'[at] ?? '', value],
  ]);
  const series = keptSeries({ ...spec, y: [2], series: 1 }, resultOf('k, s, n', rows), most);
  expect(series).toEqual({ kept: kept.split(' '), omitted: 4 - kept.split(' ').length });
});
