import { oneLine, type QueryResult, type Value } from '@askema/core';
import {
  type ExactNumber,
  exactNumber,
  exactText,
  roundedRatio,
  shortened,
  signOf,
  subtract,
  withoutSign,
} from './exact-number.ts';
import { MAX_CELL_CHARACTERS, MAX_COLUMNS } from './part-table.ts';
import type { Citation, CitedCell } from './summary.ts';

/** A result that can be cited, as far as it was shown. */
export interface CitedPart {
  readonly result: Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;
  /** Its first rows, which the model has seen. */
  readonly shown: number;
}

/** What stands in place of a mark, or why nothing can. */
export type FilledMark =
  | {
      /** A difference and a change with their sign, also the plus. */
      readonly text: string;
      /** The same without its sign, where words say the direction. */
      readonly unsigned: string;
      readonly kind: Citation['kind'];
      readonly cells: readonly CitedCell[];
      /** Of a difference or a change. */
      readonly sign?: -1 | 0 | 1 | undefined;
      readonly refused?: undefined;
    }
  | { readonly refused: string };

const ROWS = /^rows\s+(\d{1,4})$/i;
const CELL = String.raw`(\d{1,4})\s*:\s*(\d{1,9})\s*:\s*(.{1,100}?)`;
const ONE = new RegExp(`^${CELL}$`, 'u');
const TWO = new RegExp(`^${CELL}\\s*([-−–/÷%])\\s*${CELL}$`, 'u');

/** Fills one mark; `body` is what stands between its brackets. Cells are put in as they are, and never read. */
export function fillMark(body: string, parts: readonly CitedPart[]): FilledMark {
  const mark = body.trim();
  const rows = ROWS.exec(mark);
  if (rows !== null) return rowsOf(mark, Number(rows[1]) - 1, parts);
  const two = TWO.exec(mark);
  if (two !== null) {
    const [, part, row, column = '', sign, otherPart, otherRow, otherColumn = ''] = two;
    const a = cellAt(part, row, column, parts);
    const b = cellAt(otherPart, otherRow, otherColumn, parts);
    return computed(mark, sign ?? '', a, b);
  }
  const one = ONE.exec(mark);
  if (one === null) return { refused: `[[${mark}]] is no mark` };
  const [, part, row, column = ''] = one;
  const cell = cellAt(part, row, column, parts);
  return cell === undefined ? nowhere(mark) : cellText(mark, cell);
}

interface Pointed {
  readonly place: CitedCell;
  readonly value: Value;
  readonly number: ExactNumber | undefined;
}

function cellAt(
  part: string | undefined,
  row: string | undefined,
  column: string,
  parts: readonly CitedPart[],
): Pointed | undefined {
  const place = { part: Number(part) - 1, row: Number(row) - 1 };
  const cited = parts[place.part];
  if (cited === undefined || place.row >= cited.shown) return undefined;
  const { columns, rows } = cited.result;
  const position = columnAt(column.trim(), columns.slice(0, MAX_COLUMNS));
  const value = rows[place.row]?.[position];
  if (value === undefined) return undefined;
  return { place: { ...place, column: position }, value, number: exactNumber(value, columns[position]?.type) };
}

/** By number, as the prompt has it; else by name. -1 where there is none. */
function columnAt(column: string, columns: CitedPart['result']['columns']): number {
  const number = /^\d{1,4}$/.test(column) ? Number(column) - 1 : -1;
  if (number >= 0 && number < columns.length) return number;
  return columns.findIndex(({ name }) => name === column);
}

function rowsOf(mark: string, part: number, parts: readonly CitedPart[]): FilledMark {
  const result = parts[part]?.result;
  if (result === undefined) return nowhere(mark);
  if (result.truncated !== undefined)
    return { refused: `[[${mark}]]: the result was cut, and nobody has counted its rows` };
  return filled(String(result.rows.length), 'rows', []);
}

function cellText(mark: string, { place, value, number }: Pointed): FilledMark {
  if (value === null) return { refused: `[[${mark}]] is NULL: there is no value` };
  if (value instanceof Uint8Array) return { refused: `[[${mark}]] holds bytes` };
  const whole = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const written = number !== undefined && isBinaryFraction(value) ? exactText(shortened(number)) : whole;
  if (number !== undefined && written.length > MAX_CELL_CHARACTERS)
    return { refused: `[[${mark}]] has more than ${MAX_CELL_CHARACTERS} digits` };
  const text = oneLine(written.trim(), MAX_CELL_CHARACTERS);
  if (text === '') return { refused: `[[${mark}]] is empty: there is no value` };
  return filled(text, 'cell', [place]);
}

function computed(mark: string, sign: string, a: Pointed | undefined, b: Pointed | undefined): FilledMark {
  if (a === undefined || b === undefined) return nowhere(mark);
  const [first, second] = [a.number, b.number];
  if (first === undefined || second === undefined)
    return { refused: `[[${mark}]] needs two numbers, and a cell of it is none` };
  const cells = [a.place, b.place];
  const difference = subtract(first, second);
  const isRounded = isBinaryFraction(a.value) || isBinaryFraction(b.value);
  if (sign !== '/' && sign !== '÷' && sign !== '%')
    return signed(isRounded ? shortened(difference) : difference, '', 'difference', cells, difference);
  if (signOf(second) === 0) return { refused: `[[${mark}]] would divide by 0` };
  if (sign !== '%') return filled(exactText(roundedRatio(first, second, 1n)), 'ratio', cells);
  if (signOf(second) < 0) return { refused: `[[${mark}]]: a change from a negative number has no percentage` };
  return signed(roundedRatio(difference, second, 100n), '%', 'change', cells, difference);
}

/** Drivers give exact decimals as text. */
function isBinaryFraction(value: Value): boolean {
  return typeof value === 'number' && !Number.isInteger(value);
}

function signed(
  value: ExactNumber,
  unit: string,
  kind: Citation['kind'],
  cells: readonly CitedCell[],
  difference: ExactNumber,
): FilledMark {
  const unsigned = `${exactText(withoutSign(value))}${unit}`;
  const plus = signOf(value) === 1 ? '+' : '';
  return { text: `${plus}${exactText(value)}${unit}`, unsigned, kind, cells, sign: signOf(difference) };
}

function filled(text: string, kind: Citation['kind'], cells: readonly CitedCell[]): FilledMark {
  return { text, unsigned: text, kind, cells };
}

function nowhere(mark: string): FilledMark {
  return { refused: `[[${mark}]] points at nothing that was shown` };
}
