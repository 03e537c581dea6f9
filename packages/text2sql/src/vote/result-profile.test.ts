import type { ComparableResult, Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { implausibleReasons, resultProfile } from './result-profile.ts';

function table(rows: readonly Row[], width = rows[0]?.length ?? 0): ComparableResult {
  return {
    columns: Array.from({ length: width }, (_, column) => ({ name: `c${column}`, type: 'NUMERIC' as const })),
    rows,
  };
}

describe('resultProfile', () => {
  it('counts what is no information, column by column', () => {
    const profile = resultProfile(
      table([
        [null, 0, '0.00'],
        [Number.NaN, -0, ''],
        [1, 0n, 'x'],
        [1, 0n, 'x'],
      ]),
    );
    expect(profile).toEqual({
      rowCount: 4,
      repeatedRows: 1,
      columns: [
        { name: 'c0', nulls: 2, zeros: 0, emptyTexts: 0 },
        { name: 'c1', nulls: 0, zeros: 4, emptyTexts: 0 },
        { name: 'c2', nulls: 0, zeros: 1, emptyTexts: 1 },
      ],
    });
  });

  it('does not take false for a zero', () => {
    expect(resultProfile(table([[false]])).columns[0]?.zeros).toBe(0);
  });
});

describe('implausibleReasons', () => {
  it.each([
    ['no columns', table([]), ['no-columns']],
    ['no rows', table([], 2), ['no-rows']],
    ['a single 0', table([[0]]), ['all-blank']],
    [
      'zeros, NULL and empty texts',
      table([
        [0, null],
        ['', null],
      ]),
      ['all-blank'],
    ],
    [
      'one column NULL throughout',
      table([
        [1, null],
        [2, null],
      ]),
      ['null-column', 'blank-column'],
    ],
    [
      'one column of zeros',
      table([
        [1, 0],
        [2, 0],
      ]),
      ['blank-column'],
    ],
    [
      'some zeros',
      table([
        [1, 0],
        [2, 5],
      ]),
      [],
    ],
    ['most rows repeated', table([[1], [1], [1]]), ['repeated-rows']],
    ['half of the rows repeated', table([[1], [1]]), []],
  ] as const)('%s', (_name, result, reasons) => {
    expect(implausibleReasons(resultProfile(result))).toEqual(reasons);
  });
});
