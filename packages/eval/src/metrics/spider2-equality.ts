import type { PandasColumn, PandasTable } from './pandas-csv.ts';
import { pythonFloat } from './python-number.ts';

/** How far two numbers may lie apart: the larger of both. */
const ABSOLUTE_TOLERANCE = 1e-2;
const RELATIVE_TOLERANCE = 1e-9;

/** A cell as the evaluator holds it against another: its text as Python writes it, by which columns are sorted, and its number. */
export interface Spider2Cell {
  readonly text: string;
  readonly number: number | undefined;
}

/** A column, sorted alone where the order of rows does not count. */
export type Spider2Vector = readonly Spider2Cell[];

const ZERO: Spider2Cell = { text: '0', number: 0 };

/**
 * The columns of a table as the evaluator compares them. A missing cell is 0. In a table of numbers of several types all whole numbers
 * are floating point, as pandas makes them when it transposes.
 */
export function spider2Vectors({ columns }: PandasTable, ignoreOrder: boolean): readonly Spider2Vector[] {
  const types = new Set(columns.map(({ type }) => type));
  const allFloat = types.size > 1 && [...types].every((type) => type !== 'bool' && type !== 'object');
  return columns.map((column) => {
    const cells = column.cells.map((cell) => cellOf(cell, allFloat || column.type === 'float64'));
    return ignoreOrder ? cells.sort(compareCells) : cells;
  });
}

function cellOf(cell: PandasColumn['cells'][number], isFloat: boolean): Spider2Cell {
  if (cell === undefined) return ZERO;
  if (typeof cell === 'string') return { text: cell, number: undefined };
  if (typeof cell === 'boolean') return { text: cell ? 'True' : 'False', number: cell ? 1 : 0 };
  const number = Number(cell);
  return { text: isFloat ? pythonFloat(number) : `${cell}`, number };
}

function compareCells(a: Spider2Cell, b: Spider2Cell): number {
  if (a.text !== b.text) return a.text < b.text ? -1 : 1;
  return Number(a.number !== undefined) - Number(b.number !== undefined);
}

/** Whether two columns hold the same, place by place. */
export function spider2VectorsMatch(a: Spider2Vector, b: Spider2Vector): boolean {
  if (a.length !== b.length) return false;
  return a.every((cell, position) => {
    const other = b[position];
    if (other === undefined) return false;
    if (cell.number === undefined || other.number === undefined)
      return cell.number === other.number && cell.text === other.text;
    return isClose(cell.number, other.number);
  });
}

function isClose(a: number, b: number): boolean {
  if (a === b) return true;
  const reach = Math.max(ABSOLUTE_TOLERANCE, RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b)));
  return Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= reach;
}
