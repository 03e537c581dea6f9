import type { Value } from '../values/value.ts';
import { type ComparableResult, comparedCell } from './cell-equality.ts';
import { columnSums, type KeyTable } from './column-sums.ts';
import { plainForm, roundedResult, sharedDecimals } from './plain-form.ts';
import { type AgreementOptions, resultsAgree } from './results-agree.ts';

/**
 * How two results stand to each other, the closest relation first:
 * - `equal`: they agree under the key that was asked for.
 * - `other-form`: they agree once both are rounded to the decimals of the coarser one, and case, blanks, midnights and
 *   the signs that numbers are written with are left out.
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

/**
 * The relation between two results, whatever the order of their rows and columns. Swapping them swaps `wider` and
 * nothing else.
 */
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
 * Each column is held against the column of the other result with which it shares most cells (as multisets, shared over
 * the larger number); the mean over the columns of both.
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

/** Sets of rows that a search may count before it gives up. Only tables of many equal columns come near it. */
const MAX_CHECKS = 500;

/**
 * For each column of the narrow table, a column of the wide one, such that the wide table cut to these columns holds
 * the same rows; or undefined. `rows`: as a multiset, or as a set (repeated rows count once). Rows are compared by
 * their keys.
 *
 * Columns of the narrow table are fixed one by one; after each, the rows cut to the columns fixed so far must be the
 * same on both sides, which ends wrong branches at once.
 */
function findProjection(narrow: KeyTable, wide: KeyTable, rows: 'multiset' | 'set'): readonly number[] | undefined {
  const width = narrow.keys[0]?.length ?? 0;
  const wideWidth = wide.keys[0]?.length ?? 0;
  if (width === 0 || width > wideWidth) return undefined;
  const wideSums = columnSums(wide, wideWidth, rows);
  const choices = columnSums(narrow, width, rows).map((sum) =>
    [...wideSums.keys()].filter((column) => wideSums[column] === sum),
  );
  if (choices.some((columns) => columns.length === 0)) return undefined;
  const order = [...choices.keys()].sort((a, b) => (choices[a]?.length ?? 0) - (choices[b]?.length ?? 0) || a - b);
  const fixed: number[] = [];
  let checks = 0;
  const fix = (depth: number): boolean => {
    const column = order[depth];
    if (column === undefined) return true;
    const left = order.slice(0, depth + 1);
    const content = rowsKey(narrow, left, rows);
    for (const choice of choices[column] ?? []) {
      if (fixed.includes(choice)) continue;
      checks += 1;
      if (checks > MAX_CHECKS) return false;
      fixed[depth] = choice;
      fixed.length = depth + 1;
      if (rowsKey(wide, fixed, rows) === content && fix(depth + 1)) return true;
      fixed.length = depth;
    }
    return false;
  };
  if (!fix(0)) return undefined;
  return Array.from({ length: width }, (_, column) => fixed[order.indexOf(column)] ?? 0);
}

/** The rows cut to some columns, as one text that is the same for the same rows in any order. */
function rowsKey(table: KeyTable, columns: readonly number[], rows: 'multiset' | 'set'): string {
  const names = table.keys.map((row) => columns.map((column) => row[column]).join(','));
  return (rows === 'set' ? [...new Set(names)] : names).sort().join(';');
}
