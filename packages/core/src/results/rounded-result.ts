import type { Value } from '../values/value.ts';
import { type ComparableResult, comparedCell } from './cell-equality.ts';

/** More decimals than this are noise of floating point, no choice of rounding. */
const MAX_DECIMALS = 8;

/**
 * The decimals of the coarser of two results, or undefined when rounding could not bring them together: neither has fractions, or both
 * have as many decimals.
 */
export function sharedDecimals(first: ComparableResult, second: ComparableResult): number | undefined {
  const left = mostDecimals(first);
  const right = mostDecimals(second);
  return left === right || left === 0 || right === 0 ? undefined : Math.min(left, right);
}

/** A result with its fractions rounded half away from zero to some decimals. Whole numbers and texts stay as they are. */
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
