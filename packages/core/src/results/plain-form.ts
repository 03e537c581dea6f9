import type { Value } from '../values/value.ts';
import { type ComparableResult, comparedCell } from './cell-equality.ts';

const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0{1,9})?)?(?:Z|[+-]00:?00)?$/i;
const WRITTEN_NUMBER = /^([+-]?)[$€£¥]? ?([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?) ?%?$/;

/** A longer text is neither a number nor a date. */
const MAX_WRITTEN = 40;

/**
 * A result without what is only dress: texts in lower case and without blanks around them, an empty text is NULL, a
 * time of midnight is its date, a number written with a currency, thousands separators or a percent sign is the number.
 * Two answers that differ in more than dress may become equal; a comparison of plain forms finds what is alike, not
 * what is the same.
 */
export function plainForm(result: ComparableResult): ComparableResult {
  return {
    columns: result.columns,
    rows: result.rows.map((row) =>
      result.columns.map((column, position) => {
        const value = row[position] ?? null;
        return typeof value === 'string' && column.type !== 'NUMERIC' ? plainText(value) : value;
      }),
    ),
  };
}

function plainText(text: string): Value {
  const plain = text.trim().toLowerCase();
  if (plain === '') return null;
  if (plain.length > MAX_WRITTEN) return plain;
  const date = MIDNIGHT.exec(plain)?.[1];
  if (date !== undefined) return date;
  const [, sign, digits] = WRITTEN_NUMBER.exec(plain.replaceAll(/\s+/g, ' ').replace(/^([+-]?[$€£¥]) +/, '$1')) ?? [];
  if (digits === undefined) return plain;
  const number = Number(digits.replaceAll(',', ''));
  return sign === '-' ? -number : number;
}

/** More decimals than this are noise of floating point, no choice of rounding. */
const MAX_DECIMALS = 8;

/**
 * The decimals of the coarser of two results, or undefined when rounding could not bring them together: one has no
 * fractions.
 */
export function sharedDecimals(first: ComparableResult, second: ComparableResult): number | undefined {
  const least = Math.min(mostDecimals(first), mostDecimals(second));
  return least === 0 ? undefined : least;
}

/**
 * A result with its fractions rounded half away from zero to some decimals. Whole numbers and texts stay as they are.
 */
export function roundedResult(result: ComparableResult, decimals: number): ComparableResult {
  return {
    columns: result.columns,
    rows: result.rows.map((row) =>
      result.columns.map((column, position) => {
        const value = row[position] ?? null;
        const cell = comparedCell(value, column.type);
        return cell.kind === 'number' && !Number.isInteger(cell.approximate)
          ? round(cell.approximate, decimals)
          : value;
      }),
    ),
  };
}

function mostDecimals(result: ComparableResult): number {
  let most = 0;
  for (const row of result.rows)
    for (const [position, column] of result.columns.entries())
      most = Math.max(most, decimalsOf(row[position] ?? null, column.type));
  return most;
}

function decimalsOf(value: Value, type: ComparableResult['columns'][number]['type']): number {
  const cell = comparedCell(value, type);
  if (cell.kind !== 'number' || Number.isInteger(cell.approximate)) return 0;
  const text = cell.approximate.toFixed(MAX_DECIMALS).replace(/0+$/, '');
  return text.length - text.indexOf('.') - 1;
}

function round(value: number, decimals: number): Value {
  const scale = 10 ** decimals;
  const scaled = Math.abs(value) * scale;
  // A decimal half such as 1.005 is stored a little too small: half an ulp brings it back.
  return Number.isFinite(scaled) ? (Math.sign(value) * Math.round(scaled * (1 + Number.EPSILON))) / scale : value;
}
