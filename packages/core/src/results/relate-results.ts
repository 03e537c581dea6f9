import { type ComparableResult, type ComparedTable, compareTables, DEFAULT_TOLERANCE } from './cell-equality.ts';
import { plainForm, roundedResult, sharedDecimals } from './plain-form.ts';
import { findProjection } from './project-columns.ts';
import { type AgreementOptions, resultsAgree } from './results-agree.ts';

/**
 * How two results stand to each other, the closest relation first:
 * - `equal`: they agree under the key that was asked for.
 * - `other-form`: they agree once both are rounded to the decimals of the coarser one, and case, blanks, midnights and the signs that
 *   numbers are written with are left out.
 * - `extra-columns`: the rows of one, cut to some of its columns, are the other's. `wider` says which one has more.
 * - `repeated-rows`: as `equal` or `extra-columns`, but only when repeated rows count once.
 * - `overlap`: some rows or some columns are the same.
 * - `different`: nothing is.
 */
export interface ResultRelation {
  readonly type: 'equal' | 'other-form' | 'extra-columns' | 'repeated-rows' | 'overlap' | 'different';
  readonly wider?: 'first' | 'second' | undefined;
  /** In [0, 1]: the share of columns, weighted by rows, that both have; 1 for the relations before `overlap`. */
  readonly overlap: number;
}

/** The relation between two results, whatever the order of their rows and columns. Swapping them swaps `wider` and nothing else. */
export function relateResults(
  first: ComparableResult,
  second: ComparableResult,
  options: AgreementOptions = {},
): ResultRelation {
  if (resultsAgree(first, second, options)) return { type: 'equal', overlap: 1 };
  if (first.rows.length === 0 || second.rows.length === 0) return { type: 'different', overlap: 0 };
  const [left, right] = inOneForm(first, second);
  if (resultsAgree(left, right, options)) return { type: 'other-form', overlap: 1 };
  const [a, b] = compareTables([left, right], DEFAULT_TOLERANCE);
  const wider = widerOf(first, second);
  const sameCount = first.rows.length === second.rows.length;
  if (sameCount && wider !== undefined && isProjection(a, b, 'multiset'))
    return { type: 'extra-columns', wider, overlap: 1 };
  if (!sameCount && isProjection(a, b, 'set')) return { type: 'repeated-rows', wider, overlap: 1 };
  const overlap = columnOverlap(a, b);
  return overlap === 0 ? { type: 'different', overlap: 0 } : { type: 'overlap', wider, overlap };
}

function inOneForm(first: ComparableResult, second: ComparableResult): readonly [ComparableResult, ComparableResult] {
  const [left, right] = [plainForm(first), plainForm(second)];
  const decimals = sharedDecimals(left, right);
  return decimals === undefined ? [left, right] : [roundedResult(left, decimals), roundedResult(right, decimals)];
}

function widerOf(first: ComparableResult, second: ComparableResult): 'first' | 'second' | undefined {
  const difference = first.columns.length - second.columns.length;
  return difference > 0 ? 'first' : difference < 0 ? 'second' : undefined;
}

function isProjection(a: ComparedTable, b: ComparedTable, rows: 'multiset' | 'set'): boolean {
  const isNarrow = (a.keys[0]?.length ?? 0) <= (b.keys[0]?.length ?? 0);
  return findProjection(isNarrow ? a : b, isNarrow ? b : a, rows) !== undefined;
}

/**
 * Each column is held against the column of the other result with which it shares most cells (as multisets, shared over the
 * larger number); the mean over the columns of both.
 */
function columnOverlap(a: ComparedTable, b: ComparedTable): number {
  const left = columnCounts(a);
  const right = columnCounts(b);
  const shares = left.map((one) => right.map((other) => sharedCells(one, other)));
  const best = [
    ...shares.map((row) => Math.max(0, ...row)),
    ...right.map((_, column) => Math.max(0, ...shares.map((row) => row[column] ?? 0))),
  ];
  const most = Math.max(a.keys.length, b.keys.length);
  return best.reduce((sum, shared) => sum + shared / most, 0) / best.length;
}

function columnCounts(table: ComparedTable): Map<number, number>[] {
  const counts = Array.from({ length: table.keys[0]?.length ?? 0 }, () => new Map<number, number>());
  for (const row of table.keys)
    for (const [column, key] of row.entries()) counts[column]?.set(key, (counts[column]?.get(key) ?? 0) + 1);
  return counts;
}

function sharedCells(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number {
  let shared = 0;
  for (const [key, count] of a) shared += Math.min(count, b.get(key) ?? 0);
  return shared;
}
