import type { ComparableResult } from '@askema/core';
import type { Metric } from './metric.ts';
import { cellKeys, rowKey } from './row-key.ts';

/**
 * The soft F1 of BIRD's mini-dev set (evaluation_f1.py): repeated rows are dropped, then the rows of both results are
 * held against each other one by one, in their order; a row earns the share of cells that stand anywhere in its
 * partner, so the order of columns does not count and that of rows does. The best of several gold statements. Does not
 * apply where no gold statement ran.
 */
export const birdSoftF1: Metric = {
  id: 'bird-soft-f1',
  title: 'BIRD soft F1',
  score({ gold, result }) {
    if (gold.length === 0) return undefined;
    return result === undefined ? 0 : Math.max(...gold.map((one) => softF1(result, one.result)));
  },
};

/** From 0 to 1. */
function softF1(candidate: ComparableResult, gold: ComparableResult): number {
  const predicted = distinctRows(candidate);
  const expected = distinctRows(gold);
  if (predicted.length === 0 && expected.length === 0) return 1;
  let matched = 0;
  let onlyPredicted = Math.max(0, predicted.length - expected.length);
  let onlyExpected = Math.max(0, expected.length - predicted.length);
  for (const [position, wanted] of expected.entries()) {
    const row = predicted[position];
    if (row === undefined) break;
    const [inPredicted, inExpected] = [new Set(row), new Set(wanted)];
    const hits = row.filter((cell) => inExpected.has(cell)).length;
    matched += hits / wanted.length;
    onlyPredicted += (row.length - hits) / wanted.length;
    onlyExpected += wanted.filter((cell) => !inPredicted.has(cell)).length / wanted.length;
  }
  const precision = share(matched, matched + onlyPredicted);
  const recall = share(matched, matched + onlyExpected);
  return share(2 * precision * recall, precision + recall);
}

function distinctRows(result: ComparableResult): readonly (readonly string[])[] {
  return [...new Map(cellKeys(result).map((cells) => [rowKey(cells), cells])).values()];
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
