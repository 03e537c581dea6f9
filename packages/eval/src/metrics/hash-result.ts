import { createHash } from 'node:crypto';
import type { ComparableResult } from '@askema/core';
import { canonicalColumns, digest } from './canonical-columns.ts';
import { cellKeys } from './row-key.ts';

/**
 * SHA-256, in hexadecimal, of what a result holds, with rows and columns in any order and without names. Two results have one hash when
 * one order of the columns makes them the same multiset of rows, cell by cell; so it agrees with execution match where no fraction is
 * equal only by tolerance. Results that are too symmetric to be brought into one order within bounds are told apart by what no order
 * changes.
 */
export function hashResult(result: ComparableResult): string {
  const width = result.columns.length;
  const ids = new Map<string, number>();
  const table = cellKeys(result).map((cells) => Int32Array.from(cells, (cell) => idOf(cell, ids)));
  const names = [...ids.keys()].sort();
  const ranks = new Int32Array(names.length);
  for (const [rank, name] of names.entries()) ranks[ids.get(name) ?? 0] = rank;
  for (const row of table) for (let column = 0; column < width; column += 1) row[column] = ranks[row[column] ?? 0] ?? 0;
  return createHash('sha256')
    .update(`${width}x${table.length};`)
    .update(digest(names.map((name) => `${name.length}:${name}`)))
    .update(canonicalColumns(table, width))
    .digest('hex');
}

function idOf(cell: string, ids: Map<string, number>): number {
  const known = ids.get(cell);
  if (known !== undefined) return known;
  ids.set(cell, ids.size);
  return ids.size - 1;
}
