import { expect, test } from 'vitest';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { monthOf, resultOf, rowsOf } from '../test-support/results.ts';
import { bar } from '../test-support/specs.ts';
import { describeChart } from './describe-chart.ts';

test.each<[ChartSpec, ReturnType<typeof resultOf>, string]>([
  [
    bar,
    resultOf('country, n', [
      ['NO', 3],
      ['SE', 9],
      ['DK', 1],
    ]),
    'Bars of n for 3 country. Highest: 9 (SE); lowest: 1 (DK).',
  ],
  [
    { ...bar, format: 'percent' },
    resultOf('country, pct', [
      ['NO', 12.5],
      ['SE', 12.5],
    ]),
    'Bars of pct for 2 country. All values are 12.5%.',
  ],
  [
    { ...bar, y: [2], series: 1, layout: 'stacked' },
    resultOf('country, status, n', [
      ['NO', 'new', 3],
      ['NO', 'sent', null],
    ]),
    'Bars, stacked, of n for 1 country, by status. The one value: 3 (NO, new). 1 bar has no number.',
  ],
  [
    { ...bar, kind: 'line', sort: 'x' },
    resultOf(
      'month, n',
      rowsOf(4, (at) => [monthOf(3 - at), at]),
    ),
    'Line of n over month, from 2024-01 to 2024-04. Highest: 3 (2024-01); lowest: 0 (2024-04).',
  ],
  [
    { ...bar, kind: 'line', sort: 'x', y: [1, 2] },
    resultOf('year, n, total', [
      [2020, 1, 50],
      [2021, 2, null],
      [2022, 3, 40],
    ]),
    'Line of n, total over year, from 2020 to 2022. Highest of n: 3 (2022); lowest: 1 (2020). Highest of total: 50 (2020); lowest: 40 (2022). 1 value is not shown: NULL or no finite number. 1 gap: a value or a step is missing there.',
  ],
  [
    { ...bar, kind: 'scatter' },
    resultOf('a:NUMERIC, b:NUMERIC', [
      [1, 5],
      [2, 7],
      [null, 8],
    ]),
    '2 dots: a across, b upwards. Highest: 7 (2); lowest: 5 (1). 1 value is not shown: NULL or no finite number.',
  ],
  [
    { ...bar, kind: 'number', x: [], y: [0, 1] },
    resultOf('n, total:NUMERIC', [[3, '9007199254740993.10']]),
    'n: 3; total: 9,007,199,254,740,993.1.',
  ],
])('%# %j', (spec, result, text) => expect(describeChart(spec, result)).toBe(text));

test('what is cut off is described as well, and equal ones are not cut apart', () => {
  const result = resultOf(
    'k, n',
    [5, 1, 4, 3, 3, 2].map((n, at) => [`k${at}`, n]),
  );
  expect(describeChart({ ...bar, sort: 'value', limit: 3 }, result)).toBe(
    'Bars of n for the largest 2 of 6 k. Highest: 5 (k0); lowest: 1 (k1). 4 smaller bars are not shown: these are the largest.',
  );
  const lines = resultOf(
    'year, s, n',
    rowsOf(9, (at) => [2020 + (at % 3), `s${Math.floor(at / 3)}`, at]),
  );
  expect(describeChart({ ...bar, kind: 'line', sort: 'x', y: [2], series: 1, limit: 2 }, lines)).toContain(
    'Highest: 8 (2022, s2); lowest: 0 (2020, s0). 1 more series is not shown',
  );
});

test('big integers that are one float are told apart', () => {
  const result = resultOf('k, n', [
    ['a', 9007199254740992n],
    ['b', 9007199254740993n],
  ]);
  expect(describeChart(bar, result)).toContain('Highest: 9,007,199,254,740,993 (b); lowest: 9,007,199,254,740,992 (a)');
});

test('numbers are written as the language does', () => {
  expect(
    describeChart(
      bar,
      resultOf('k, n', [
        ['a', 1234.5],
        ['b', 1],
      ]),
      { locale: 'de' },
    ),
  ).toContain('1.234,5');
});
