import { type ComparedCell, type ComparedTable, cellsEqual, type NumericTolerance } from './cell-equality.ts';
import type { ColumnOrder } from './column-permutation.ts';

type ComparedRow = readonly ComparedCell[];

/**
 * True when the rows of both tables can be paired so that each pair is equal cell by cell under the tolerance. Rows are
 * grouped by their keys first, so that pairs are only sought where they can be.
 */
export function rowsMatch(
  first: ComparedTable,
  second: ComparedTable,
  order: ColumnOrder,
  tolerance: NumericTolerance,
): boolean {
  const groups = new Map<string, { first: ComparedRow[]; second: ComparedRow[] }>();
  const groupOf = (name: string): { first: ComparedRow[]; second: ComparedRow[] } => {
    const known = groups.get(name) ?? { first: [], second: [] };
    groups.set(name, known);
    return known;
  };
  for (const [position, row] of first.cells.entries()) groupOf(first.keys[position]?.join(',') ?? '').first.push(row);
  for (const [position, row] of second.cells.entries()) {
    const keys = second.keys[position];
    groupOf(order.map((column) => keys?.[column]).join(',')).second.push(inOrder(row, order));
  }
  return [...groups.values()].every((group) => groupMatches(group.first, group.second, tolerance));
}

/** True when row n of one table equals row n of the other, for each n. */
export function rowsMatchInOrder(
  first: ComparedTable,
  second: ComparedTable,
  order: ColumnOrder,
  tolerance: NumericTolerance,
): boolean {
  return first.cells.every((row, position) => {
    const other = second.cells[position];
    return other !== undefined && rowsEqual(row, inOrder(other, order), tolerance);
  });
}

/**
 * A perfect matching between two lists, or undefined. Augmenting paths (Kuhn): exact also where equality is not
 * transitive.
 */
export function perfectMatching(size: number, fits: (left: number, right: number) => boolean): number[] | undefined {
  const leftOf = new Array<number>(size).fill(-1);
  const augment = (left: number, seen: Set<number>): boolean => {
    for (let right = 0; right < size; right += 1) {
      if (seen.has(right) || !fits(left, right)) continue;
      seen.add(right);
      const holder = leftOf[right] ?? -1;
      if (holder === -1 || augment(holder, seen)) {
        leftOf[right] = left;
        return true;
      }
    }
    return false;
  };
  for (let left = 0; left < size; left += 1) if (!augment(left, new Set())) return undefined;
  const rightOf = new Array<number>(size).fill(-1);
  for (const [right, left] of leftOf.entries()) rightOf[left] = right;
  return rightOf;
}

/** Beyond this, rows are paired in sorted order only, which is exact unless fractions chain within the tolerance. */
const MATCHING_LIMIT = 300;

function groupMatches(first: ComparedRow[], second: ComparedRow[], tolerance: NumericTolerance): boolean {
  if (first.length !== second.length) return false;
  first.sort(compareRows);
  second.sort(compareRows);
  if (first.every((row, position) => rowsEqual(row, second[position] ?? [], tolerance))) return true;
  if (first.length > MATCHING_LIMIT) return false;
  const fits = (left: number, right: number): boolean => rowsEqual(first[left] ?? [], second[right] ?? [], tolerance);
  return perfectMatching(first.length, fits) !== undefined;
}

function inOrder(row: ComparedRow, order: ColumnOrder): ComparedRow {
  return order.flatMap((column) => row[column] ?? []);
}

function rowsEqual(a: ComparedRow, b: ComparedRow, tolerance: NumericTolerance): boolean {
  return (
    a.length === b.length &&
    a.every((cell, position) => {
      const other = b[position];
      return other !== undefined && cellsEqual(cell, other, tolerance);
    })
  );
}

function compareRows(a: ComparedRow, b: ComparedRow): number {
  for (const [position, left] of a.entries()) {
    const right = b[position];
    if (left.kind !== 'number' || right?.kind !== 'number') continue;
    if (left.approximate !== right.approximate) return left.approximate - right.approximate;
    if (left.whole !== undefined && right.whole !== undefined && left.whole !== right.whole)
      return left.whole < right.whole ? -1 : 1;
  }
  return 0;
}
