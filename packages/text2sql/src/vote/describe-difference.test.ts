import type { ComparableResult, Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { featureLikeness, statementFeatures } from './break-tie.ts';
import { describeDifference } from './describe-difference.ts';

function answer(sql: string, rows: readonly Row[]): { sql: string; result: ComparableResult } {
  return {
    sql,
    result: { columns: Array.from({ length: rows[0]?.length ?? 1 }, (_, at) => ({ name: `c${at}` })), rows },
  };
}

describe('describeDifference', () => {
  it('counts rows and columns, and finds what one statement does and the other does not', () => {
    const facts = describeDifference(
      answer('SELECT count(*) FROM orders', [[5], [6], [7]]),
      answer("SELECT COUNT (DISTINCT id), city FROM orders WHERE state = 'open' LIMIT 2", [
        [5, 'x'],
        [6, 'y'],
      ]),
    );
    expect(facts).toEqual([
      'A has 1 more row than B.',
      'B has 1 more column than A.',
      'About 44 % of the cells are the same, column by column.',
      'B counts distinct values, A does not.',
      'B cuts rows with LIMIT, A does not.',
      "Only B uses: distinct, city, state, 'open', 2.",
    ]);
  });

  it.each<[string, readonly Row[], readonly Row[], string]>([
    ['the same', [[1], [2]], [[1], [2]], 'Both results are the same.'],
    ['another order', [[1], [2]], [[2], [1]], 'Both results hold the same rows, in another order.'],
    ['rounding', [[1.234]], [[1.23]], 'The results differ in rounding or in the form of texts, dates or numbers only.'],
    [
      'an extra column',
      [[1], [2]],
      [
        [1, 'a'],
        [2, 'b'],
      ],
      'The other columns hold the same rows.',
    ],
    ['repeated rows', [[1]], [[1], [1]], 'They hold the same rows when repeated rows count once.'],
    ['nothing alike', [[1]], [[2]], 'No column holds any of the same values.'],
  ])('%s', (_name, a, b, fact) => {
    expect(describeDifference(answer('SELECT 1', a), answer('SELECT 1', b))).toContain(fact);
  });

  it('keeps hostile names on one line and short', () => {
    const facts = describeDifference(answer('SELECT 1', [[1]]), answer(`SELECT "x\n${'y'.repeat(500)}" FROM t`, [[1]]));
    expect(facts.every((fact) => !fact.includes('\n') && fact.length < 700)).toBe(true);
  });
});

describe('statementFeatures', () => {
  it('sees names, texts and numbers, and neither comments nor common keywords', () => {
    const features = statementFeatures(
      'SELECT "Name" FROM `My Table` -- secret\n/* hidden */ WHERE kind = \'A b\' AND n > 1.5',
    );
    expect([...features].sort()).toEqual(["'a b'", '1.5', 'kind', 'my table', 'name']);
  });

  it('is done with unclosed quotes and a megabyte of stars in a moment', () => {
    const started = performance.now();
    for (const part of ["'", '"', '`', '/*', '*', '/* *', "''"]) statementFeatures(part.repeat(300_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('likens statements by what they share', () => {
    const [a, b] = [statementFeatures('SELECT name FROM customer'), statementFeatures('SELECT name FROM orders')];
    expect(featureLikeness(a, a)).toBe(1);
    expect(featureLikeness(a, b)).toBeCloseTo(1 / 3);
    expect(featureLikeness(new Set(), new Set())).toBe(1);
  });
});
