import { createHash } from 'node:crypto';
import type { ComparableResult } from '@askema/core';
import { canonicalColumns } from './canonical-columns.ts';
import { cellKeys } from './row-key.ts';

/**
 * SHA-256, in hexadecimal, of what a result holds, with rows and columns in any order and without names. Two results have one hash when
 * one order of the columns makes them the same multiset of rows, cell by cell; so it agrees with execution match where no fraction is
 * equal only by tolerance. Results that are too symmetric to be brought into one order within bounds are told apart by what no order
 * changes.
 */
export function hashResult(result: ComparableResult): string {
  const cells = cellKeys(result);
  const names = [...new Set(cells.flat())].sort();
  const ranks = new Map(names.map((name, rank) => [name, rank]));
  const table = cells.map((row) => Int32Array.from(row, (cell) => ranks.get(cell) ?? 0));
  const hash = createHash('sha256').update(`${result.columns.length}x${table.length};`);
  for (const name of names) hash.update(`${name.length}:${name}`);
  return hash.update(canonicalColumns(table, result.columns.length)).digest('hex');
}
