import type { Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { birdEx } from './bird-ex.ts';
import { birdSoftF1 } from './bird-soft-f1.ts';
import { inputOf } from './fixtures/metric-input.ts';

function ex(gold: readonly Row[], rows: readonly Row[]): unknown {
  return birdEx.score(inputOf({ gold: [gold], rows }));
}

function f1(gold: readonly Row[], rows: readonly Row[]): unknown {
  return birdSoftF1.score(inputOf({ gold: [gold], rows }));
}

describe('birdEx', () => {
  it('compares sets of rows: repeats and row order do not count, column order and every bit do', () => {
    expect(
      ex(
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [
          [2, 'b'],
          [1, 'a'],
          [1, 'a'],
        ],
      ),
    ).toBe(1);
    expect(ex([[1, 'a']], [['a', 1]])).toBe(0);
    expect(ex([[0.3]], [[0.1 + 0.2]])).toBe(0);
    expect(ex([[1]], [[1, 1]])).toBe(0);
    expect(ex([], [])).toBe(1);
    expect(ex([[2]], [[2.0], [2n]])).toBe(1);
  });

  it('takes any gold, fails where nothing came, and needs gold', () => {
    expect(birdEx.score(inputOf({ gold: [[[1]], [[2]]], rows: [[2]] }))).toBe(1);
    expect(birdEx.score(inputOf({ gold: [[[1]]] }))).toBe(0);
    expect(birdEx.score(inputOf({ rows: [[1]] }))).toBeUndefined();
  });
});

describe('birdSoftF1', () => {
  it('gives a row the share of cells that its partner has, in any column', () => {
    expect(
      f1(
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [
          ['a', 1],
          ['b', 2],
        ],
      ),
    ).toBe(1);
    // One of two cells: 0.5 right, 0.5 too many, 0.5 missing.
    expect(f1([[1, 'a']], [[1, 'x']])).toBe(0.5);
    // A column too many: 2 of 2 cells right and one half row too many.
    expect(f1([[1, 'a']], [[1, 'a', 9]])).toBeCloseTo(2 / 2.5, 12);
  });

  it('pairs rows by their place, once repeats are gone', () => {
    expect(f1([[1], [2]], [[2], [1]])).toBe(0);
    expect(f1([[1], [2]], [[1], [1], [2]])).toBe(1);
    expect(f1([[1], [2], [3]], [[1]])).toBe(0.5);
    expect(f1([[1]], [[1], [2], [3]])).toBe(0.5);
  });

  it('is 1 for two empty results and 0 where one is empty', () => {
    expect(f1([], [])).toBe(1);
    expect(f1([[1]], [])).toBe(0);
    expect(f1([], [[1]])).toBe(0);
    expect(birdSoftF1.score(inputOf({ gold: [[[1]]] }))).toBe(0);
    expect(birdSoftF1.score(inputOf({ rows: [[1]] }))).toBeUndefined();
    expect(birdSoftF1.score(inputOf({ gold: [[[5]], [[1]]], rows: [[1]] }))).toBe(1);
  });
});
