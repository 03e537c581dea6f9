import type { Value } from '@askema/core';

/** A cell that is a number, and where it is drawn. */
export interface Numeric {
  /** For positions only: big integers and long decimals lose digits here. Infinite and NaN as the cell says. */
  readonly approximate: number;
  readonly cell: number | bigint | string;
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;
/** Floating point numbers hold 15 decimal digits for sure; what stands behind them is noise of the binary form. */
const SURE_DIGITS = 15;
/** A longer text is no number that a person reads. */
const LONGEST = 400;

/** The cell as a number, or undefined where it is none. Exact decimals come as texts. */
export function numericOf(value: Value | undefined): Numeric | undefined {
  const approximate = approximateOf(value);
  return approximate === undefined ? undefined : { approximate, cell: value as Numeric['cell'] };
}

/** All digits as the database sent them; labels are made of these, of few of a million numbers. */
export function digitsOf({ cell }: Numeric): string {
  return typeof cell === 'number' ? floatDigits(cell) : String(cell);
}

/** The cell as a place in a picture, or undefined where it is no number. */
export function approximateOf(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && value.length <= LONGEST && DECIMAL.test(value) ? Number(value) : undefined;
}

function floatDigits(value: number): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  return String(Number(value.toPrecision(SURE_DIGITS)));
}
