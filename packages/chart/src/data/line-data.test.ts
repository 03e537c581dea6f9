import { describe, expect, test } from 'vitest';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { resultOf } from '../test-support/results.ts';
import { lineData } from './line-data.ts';

const spec: ChartSpec = { kind: 'line', x: [0], y: [1], sort: 'x', format: 'plain', title: '' };
/** The labels of each piece. */
function piecesOf(
  labels: readonly (string | number)[],
  values: readonly (number | null)[] = labels.map(() => 1),
): unknown {
  const result = resultOf(
    'year:NUMERIC, n:NUMERIC',
    labels.map((label, at) => [label, values[at] ?? null]),
  );
  const { panels, gaps, passedOver } = lineData(spec, result);
  return [panels[0]?.lines[0]?.pieces.map((piece) => piece.map(({ cell }) => cell).join(' ')), gaps, passedOver];
}
const day = (at: number): string => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);

describe('gaps', () => {
  test('a missing year', () => expect(piecesOf([2000, 2001, 2003, 2004])).toEqual([['2000 2001', '2003 2004'], 1, 0]));
  test('every second year is a rhythm', () => expect(piecesOf([2000, 2002, 2004])).toEqual([['2000 2002 2004'], 0, 0]));
  test('NULL', () => expect(piecesOf([2000, 2001, 2002], [1, null, 3])).toEqual([['2000', '2002'], 1, 0]));
  test('rows in any order', () => expect(piecesOf([2003, 2000, 2001])).toEqual([['2000 2001', '2003'], 1, 0]));
  test('quarters and weeks of two years', () => {
    expect(piecesOf(['2023-Q3', '2023-Q4', '2024-Q1', '2024-Q3'])).toEqual([
      ['2023-Q3 2023-Q4 2024-Q1', '2024-Q3'],
      1,
      0,
    ]);
    expect(piecesOf(['2020-W52', '2020-W53', '2021-W01'])).toEqual([['2020-W52 2020-W53 2021-W01'], 0, 0]);
  });
  test('weekends of working days are none; days without a rhythm are counted', () => {
    const working = Array.from({ length: 21 }, (_, at) => day(at)).filter((_, at) => at % 7 < 5);
    expect(piecesOf(working)).toEqual([[working.join(' ')], 0, 0]);
    expect(piecesOf(working.filter((_, at) => at !== 7))).toMatchObject([{ length: 2 }, 1, 0]);
    expect(piecesOf([day(0), day(1), day(5), day(7), day(8)])).toMatchObject([{ length: 1 }, 0, 4]);
  });
});
