import type { DataType } from '../schema/schema.ts';
import type { Value } from '../values/value.ts';
import { type ComparableResult, comparedCell } from './cell-equality.ts';

/** How far two numbers may lie apart in a vote of ReFoRCE's released code; the benchmark itself scores with 0.01. */
export const OFFICIAL_VOTE_TOLERANCE = 1e-3;

const RELATIVE_TOLERANCE = 1e-9;

/** A result as the evaluator sees it: each column sorted on its own. */
export interface OfficialTable {
  readonly rowCount: number;
  readonly columns: readonly (readonly OfficialCell[])[];
}

type OfficialCell = number | string;

/**
 * A result in the form in which the evaluator of Spider 2.0 compares it with `ignore_order`: NULL, NaN and empty text
 * are 0, booleans are numbers, and every column is sorted alone, by the text of its cells. So the association of values
 * in a row is lost.
 */
export function officialTable(result: ComparableResult): OfficialTable {
  return {
    rowCount: result.rows.length,
    columns: result.columns.map((column, position) =>
      result.rows
        .map((row) => officialCell(row[position] ?? null, column.type))
        .map((cell) => ({ cell, text: String(cell) }))
        .sort((a, b) => compareText(a.text, b.text) || compareText(typeof b.cell, typeof a.cell))
        .map(({ cell }) => cell),
    ),
  };
}

/**
 * Whether two results are the same to the vote of ReFoRCE's released code: both shapes equal, and each column of one
 * has some column of the other with the same cells, pairwise after sorting. Not a matching: one column may stand for
 * several. The evaluator looks in one direction only, from gold; between candidates there is no gold, so one direction,
 * whichever it is, is enough.
 */
export function officialTablesAgree(a: OfficialTable, b: OfficialTable, tolerance = OFFICIAL_VOTE_TOLERANCE): boolean {
  if (a.rowCount !== b.rowCount || a.columns.length !== b.columns.length) return false;
  return covers(a, b, tolerance) || covers(b, a, tolerance);
}

function covers(a: OfficialTable, b: OfficialTable, tolerance: number): boolean {
  return a.columns.every((column) => b.columns.some((other) => columnsMatch(column, other, tolerance)));
}

function columnsMatch(a: readonly OfficialCell[], b: readonly OfficialCell[], tolerance: number): boolean {
  return a.every((cell, position) => {
    const other = b[position];
    return typeof cell === 'number' && typeof other === 'number' ? isClose(cell, other, tolerance) : cell === other;
  });
}

function isClose(a: number, b: number, tolerance: number): boolean {
  if (a === b) return true;
  const reach = Math.max(tolerance, RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b)));
  return Math.abs(a - b) <= reach && Math.abs(a - b) !== Number.POSITIVE_INFINITY;
}

function officialCell(value: Value, type: DataType | undefined): OfficialCell {
  if (value === null || value === '' || (typeof value === 'number' && Number.isNaN(value))) return 0;
  if (typeof value === 'number') return value;
  const cell = comparedCell(value, type);
  if (cell.kind === 'number') return cell.approximate;
  return typeof value === 'string' ? value : cell.key;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
