import {
  type ComparableResult,
  type ComparedTable,
  cellsEqual,
  compareTables,
  DEFAULT_TOLERANCE,
  type NumericTolerance,
} from './cell-equality.ts';
import { type ColumnOrder, findColumnOrder, sameRows } from './column-permutation.ts';
import { perfectMatching, rowsMatch, rowsMatchInOrder } from './row-matching.ts';

export interface ExecutionMatchOptions extends Partial<NumericTolerance> {
  /** True when the order of the rows is part of the answer. */
  readonly orderMatters: boolean;
}

/** Whether a candidate's result is the answer. `columnOrder` names, for each column of gold, the candidate's column. */
export type ExecutionMatch =
  | { readonly match: true; readonly columnOrder: ColumnOrder }
  | {
      readonly match: false;
      /**
       * - `columns`, `rows`: another number of them. `values`: other contents. `order`: the right rows in another order.
       * - `undecided`: so symmetric that the search was given up; counts as no match.
       */
      readonly kind: 'columns' | 'rows' | 'values' | 'order' | 'undecided';
      readonly reason: string;
    };

/**
 * Compares two results as multisets of rows, with the columns in any order and by their contents, never by their names. A missing
 * or an extra column is wrong. The association of values in a row is kept: one order of the columns must fit all rows. Row
 * order counts only where `orderMatters`. How cells are compared: {@link comparedCell}; two empty results match when they have
 * the same number of columns.
 */
export function executionMatch(
  gold: ComparableResult,
  candidate: ComparableResult,
  options: ExecutionMatchOptions,
): ExecutionMatch {
  const width = gold.columns.length;
  if (candidate.columns.length !== width) {
    return mismatch('columns', `${counted(candidate.columns.length, 'column')} where ${width} are asked for`);
  }
  if (candidate.rows.length !== gold.rows.length) {
    return mismatch('rows', `${counted(candidate.rows.length, 'row')} where there should be ${gold.rows.length}`);
  }
  const asWritten = gold.columns.map((_, column) => column);
  if (gold.rows.length === 0) return { match: true, columnOrder: asWritten };
  const tolerance: NumericTolerance = {
    absoluteTolerance: options.absoluteTolerance ?? DEFAULT_TOLERANCE.absoluteTolerance,
    relativeTolerance: options.relativeTolerance ?? DEFAULT_TOLERANCE.relativeTolerance,
  };
  const [left, right] = compareTables([gold, candidate], tolerance);
  if (options.orderMatters) {
    const order = orderedColumns(left, right, width, tolerance);
    if (order !== undefined) return { match: true, columnOrder: order };
    return unordered(left, right, asWritten, tolerance).match
      ? mismatch('order', 'the right rows in another order')
      : mismatch('values', 'other values');
  }
  return unordered(left, right, asWritten, tolerance);
}

function unordered(
  gold: ComparedTable,
  candidate: ComparedTable,
  asWritten: ColumnOrder,
  tolerance: NumericTolerance,
): ExecutionMatch {
  const accept = (order: ColumnOrder): boolean => rowsMatch(gold, candidate, order, tolerance);
  if (sameRows(gold, candidate, asWritten) && accept(asWritten)) return { match: true, columnOrder: asWritten };
  const found = findColumnOrder(gold, candidate, accept);
  switch (found.type) {
    case 'found':
      return { match: true, columnOrder: found.order };
    case 'none':
      return mismatch('values', 'other values');
    case 'undecided':
      return mismatch('undecided', 'the results are too symmetric to be compared within bounds');
  }
}

/** With a fixed row order each column stands alone: a matching of equal columns is all there is to find. */
function orderedColumns(
  gold: ComparedTable,
  candidate: ComparedTable,
  width: number,
  tolerance: NumericTolerance,
): ColumnOrder | undefined {
  const fits = (left: number, right: number): boolean =>
    gold.cells.every((row, position) => {
      const a = row[left];
      const b = candidate.cells[position]?.[right];
      return a !== undefined && b !== undefined && cellsEqual(a, b, tolerance);
    });
  const known = new Map<number, boolean>();
  const fitsOnce = (left: number, right: number): boolean => {
    const place = left * width + right;
    const answer = known.get(place) ?? fits(left, right);
    known.set(place, answer);
    return answer;
  };
  const order = perfectMatching(width, fitsOnce);
  return order !== undefined && rowsMatchInOrder(gold, candidate, order, tolerance) ? order : undefined;
}

function mismatch(
  kind: Extract<ExecutionMatch, { match: false }>['kind'],
  reason: string,
): Extract<ExecutionMatch, { match: false }> {
  return { match: false, kind, reason };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
