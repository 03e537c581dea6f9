import {
  type ComparableResult,
  type ComparedTable,
  cellsEqual,
  compareTables,
  DEFAULT_TOLERANCE,
  type NumericTolerance,
} from './cell-equality.ts';
import { type ColumnOrder, findColumnOrder, sameRows } from './column-permutation.ts';
import { mayHoldSameColumns } from './column-sums.ts';
import { perfectMatching, rowsMatch, rowsMatchInOrder } from './row-matching.ts';

/** How two results are compared. */
export interface CompareOptions extends Partial<NumericTolerance> {
  /** True when the order of the rows counts. Default: false. */
  readonly orderMatters?: boolean | undefined;
}

/** Whether two results are the same. `columnOrder` names, for each column of the first, the column of the second. */
export type ResultComparison =
  | { readonly match: true; readonly columnOrder: ColumnOrder }
  | {
      readonly match: false;
      /**
       * - `columns`, `rows`: another number of them. `values`: other contents. `order`: the same rows in another order.
       * - `undecided`: so symmetric that the search was given up; counts as not the same.
       */
      readonly kind: 'columns' | 'rows' | 'values' | 'order' | 'undecided';
    };

/**
 * Compares two results as multisets of rows, with the columns in any order and by their contents, never by their names.
 * A missing or an extra column is a difference. The association of values in a row is kept: one order of the columns
 * must fit all rows. Row order counts only where `orderMatters`. How cells are compared: {@link comparedCell}; two
 * empty results match when they have the same number of columns.
 */
export function compareResults(
  first: ComparableResult,
  second: ComparableResult,
  options: CompareOptions = {},
): ResultComparison {
  const width = first.columns.length;
  if (second.columns.length !== width) return mismatch('columns');
  if (second.rows.length !== first.rows.length) return mismatch('rows');
  const asWritten = first.columns.map((_, column) => column);
  if (first.rows.length === 0) return { match: true, columnOrder: asWritten };
  const tolerance: NumericTolerance = {
    absoluteTolerance: options.absoluteTolerance ?? DEFAULT_TOLERANCE.absoluteTolerance,
    relativeTolerance: options.relativeTolerance ?? DEFAULT_TOLERANCE.relativeTolerance,
  };
  const [left, right] = compareTables([first, second], tolerance);
  if (options.orderMatters) {
    const order = orderedColumns(left, right, width, tolerance);
    if (order !== undefined) return { match: true, columnOrder: order };
    return unordered(left, right, asWritten, tolerance).match ? mismatch('order') : mismatch('values');
  }
  return unordered(left, right, asWritten, tolerance);
}

function unordered(
  first: ComparedTable,
  second: ComparedTable,
  asWritten: ColumnOrder,
  tolerance: NumericTolerance,
): ResultComparison {
  if (!mayHoldSameColumns(first, second, asWritten.length)) return mismatch('values');
  const accept = (order: ColumnOrder): boolean => rowsMatch(first, second, order, tolerance);
  if (sameRows(first, second, asWritten) && accept(asWritten)) return { match: true, columnOrder: asWritten };
  const found = findColumnOrder(first, second, accept);
  switch (found.type) {
    case 'found':
      return { match: true, columnOrder: found.order };
    case 'none':
      return mismatch('values');
    case 'undecided':
      return mismatch('undecided');
  }
}

/** With a fixed row order each column stands alone: a matching of equal columns is all there is to find. */
function orderedColumns(
  first: ComparedTable,
  second: ComparedTable,
  width: number,
  tolerance: NumericTolerance,
): ColumnOrder | undefined {
  const fits = (left: number, right: number): boolean =>
    first.cells.every((row, position) => {
      const a = row[left];
      const b = second.cells[position]?.[right];
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
  return order !== undefined && rowsMatchInOrder(first, second, order, tolerance) ? order : undefined;
}

function mismatch(kind: Extract<ResultComparison, { match: false }>['kind']): ResultComparison {
  return { match: false, kind };
}
