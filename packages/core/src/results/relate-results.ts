import type { Value } from '../values/value.ts';
import { type ComparableResult, comparedCell } from './cell-equality.ts';
import type { KeyTable } from './column-sums.ts';
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
  const [a, b] = keyTables(inOneForm(first, second));
  const wider = widerOf(first, second);
  const sameCount = first.rows.length === second.rows.length;
  if (isProjection(a, b, sameCount ? 'multiset' : 'set')) {
    const type = !sameCount ? 'repeated-rows' : wider === undefined ? 'other-form' : 'extra-columns';
    return { type, wider, overlap: 1 };
  }
  const overlap = columnOverlap(a, b);
  return overlap === 0 ? { type: 'different', overlap: 0 } : { type: 'overlap', wider, overlap };
}

function inOneForm(first: ComparableResult, second: ComparableResult): readonly [ComparableResult, ComparableResult] {
  const [left, right] = [plainForm(first), plainForm(second)];
  const decimals = sharedDecimals(left, right);
  return decimals === undefined ? [left, right] : [roundedResult(left, decimals), roundedResult(right, decimals)];
}

/** Digits in which two fractions of one form must be the same. */
const DIGITS = 12;

/** Both results in one numbering: cells of one form are equal when their texts are. */
function keyTables(results: readonly [ComparableResult, ComparableResult]): readonly [KeyTable, KeyTable] {
  const numbers = new Map<string, number>();
  const keyOf = (value: Value, type: ComparableResult['columns'][number]['type']): number => {
    const cell = comparedCell(value, type);
    const name =
      cell.kind === 'other' ? cell.key : `number:${cell.whole ?? Number(cell.approximate.toPrecision(DIGITS))}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
  const table = ({ columns, rows }: ComparableResult): KeyTable => ({
    keys: rows.map((row) => Int32Array.from(columns, ({ type }, position) => keyOf(row[position] ?? null, type))),
  });
  return [table(results[0]), table(results[1])];
}

function widerOf(first: ComparableResult, second: ComparableResult): 'first' | 'second' | undefined {
  const difference = first.columns.length - second.columns.length;
  return difference > 0 ? 'first' : difference < 0 ? 'second' : undefined;
}

function isProjection(a: KeyTable, b: KeyTable, rows: 'multiset' | 'set'): boolean {
  const isNarrow = (a.keys[0]?.length ?? 0) <= (b.keys[0]?.length ?? 0);
  return findProjection(isNarrow ? a : b, isNarrow ? b : a, rows) !== undefined;
}

/**
 * Each column is held against the column of the other result with which it shares most cells (as multisets, shared over the
 * larger number); the mean over the columns of both.
 */
function columnOverlap(a: KeyTable, b: KeyTable): number {
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

function columnCounts(table: KeyTable): Map<number, number>[] {
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
