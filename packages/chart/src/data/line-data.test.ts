import { describe, expect, test } from 'vitest';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { resultOf } from '../test-support/results.ts';
import { lineData } from './line-data.ts';

const spec: ChartSpec = { kind: 'line', x: [0], y: [1], sort: 'x', format: 'plain', title: '' };
/** The labels of each piece. */
function piecesOf(
  labels: readonly (string | number)[],
  values: readonly (number | null)[] = labels.map(() => 1),
  name = 'year',
): unknown {
  const result = resultOf(
    `${name}:NUMERIC, n:NUMERIC`,
    labels.map((label, at) => [label, values[at] ?? null]),
  );
  const { panels, gaps } = lineData(spec, result);
  return [panels[0]?.lines[0]?.pieces.map((piece) => piece.map(({ cell }) => cell).join(' ')), gaps];
}
const day = (at: number): string => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);

describe('a line is broken where a step is missing', () => {
  test.each<[string, (string | number)[], string[]]>([
    ['a year', [2000, 2001, 2003, 2004], ['2000 2001', '2003 2004']],
    ['no year of every second', [2000, 2002, 2004], ['2000 2002 2004']],
    ['in rows in any order', [2003, 2000, 2001], ['2000 2001', '2003']],
    ['a quarter', ['2023-Q3', '2023-Q4', '2024-Q1', '2024-Q3'], ['2023-Q3 2023-Q4 2024-Q1', '2024-Q3']],
    ['no week at the end of a long year', ['2020-W52', '2020-W53', '2021-W01'], ['2020-W52 2020-W53 2021-W01']],
    ['days without a rhythm', [0, 1, 5, 7, 8].map(day), [`${day(0)} ${day(1)}`, day(5), `${day(7)} ${day(8)}`]],
    [
      'a month among their first days',
      ['2024-01-01', '2024-02-01', '2024-04-01'],
      ['2024-01-01 2024-02-01', '2024-04-01'],
    ],
    [
      'an hour',
      ['2024-01-01 00:00', '2024-01-01 01:00', '2024-01-01 02:00', '2024-01-01 05:00'],
      ['2024-01-01 00:00 2024-01-01 01:00 2024-01-01 02:00', '2024-01-01 05:00'],
    ],
    ['a week that a year has in its own way', ['2023-52', '2024-01', '2024-03'], ['2023-52 2024-01', '2024-03']],
  ])('%s', (_, labels, pieces) => {
    const name = labels[0] === '2023-52' ? 'week' : 'year';
    expect(piecesOf(labels, undefined, name)).toEqual([pieces, pieces.length - 1]);
  });

  test('a step of numbers', () => expect(piecesOf([20, 25, 40], undefined, 'age')).toEqual([['20 25', '40'], 1]));
  test('numbers without a grid are none', () =>
    expect(piecesOf([1.00001, 2.5, 70.123456], undefined, 'price')).toMatchObject([{ length: 1 }, 0]));
  test('NULL', () => expect(piecesOf([2000, 2001, 2002], [1, null, 3])).toEqual([['2000', '2002'], 1]));
  test('weekends of working days are none', () => {
    const working = Array.from({ length: 21 }, (_, at) => day(at)).filter((_, at) => at % 7 < 5);
    expect(piecesOf(working)).toEqual([[working.join(' ')], 0]);
    expect(piecesOf(working.filter((_, at) => at !== 7))).toMatchObject([{ length: 2 }, 1]);
  });
  test('a step that only one of two lines lacks', () => {
    const rows = [1, 2, 3, 4, 5].flatMap((month) => [
      [`2024-0${month}`, 'a', 1],
      ...(month % 2 === 1 ? [[`2024-0${month}`, 'b', 1]] : []),
    ]);
    const { panels } = lineData({ ...spec, y: [2], series: 1 }, resultOf('month, s, n', rows));
    expect(panels[0]?.lines.map(({ pieces }) => pieces.length)).toEqual([1, 3]);
  });
});
