import type { ComparableResult } from '@askema/core';
import type { Metric } from './metric.ts';
import { cellKeys, rowKey } from './row-key.ts';

/**
 * Execution accuracy as BIRD judges it (evaluation_ex.py of its mini-dev set): the sets of rows are equal. So repeated
 * rows and the order of rows do not count, the order of columns does, and fractions must be equal to the last digit.
 * Any of several gold statements will do. Does not apply where no gold statement ran.
 */
export const birdEx: Metric = {
  id: 'bird-ex',
  title: 'BIRD EX',
  score({ gold, result }) {
    if (gold.length === 0) return undefined;
    if (result === undefined) return 0;
    const rows = rowSet(result);
    return gold.some((one) => equalSets(rowSet(one.result), rows)) ? 1 : 0;
  },
};

function rowSet(result: ComparableResult): ReadonlySet<string> {
  return new Set(cellKeys(result).map(rowKey));
}

function equalSets(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((row) => b.has(row));
}
