import type { DataType, Value } from '@askema/core';

/** A number without loss: `digits` times ten to the power of `-scale`. */
export interface ExactNumber {
  readonly digits: bigint;
  /** Decimals, 0 or more. */
  readonly scale: number;
}

const WRITTEN = /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * The number in a cell; undefined for what is none: text outside of a column of type `NUMERIC`, where drivers write exact
 * decimals, NaN and infinities, and booleans.
 */
export function exactNumber(value: Value, type: DataType | undefined): ExactNumber | undefined {
  if (typeof value === 'bigint') return { digits: value, scale: 0 };
  if (typeof value !== 'number' && !(typeof value === 'string' && type === 'NUMERIC')) return undefined;
  const [, sign = '', whole = '', decimals = '', power = '0'] = WRITTEN.exec(String(value).trim()) ?? [];
  if (whole === '' && decimals === '') return undefined;
  const digits = BigInt(`${whole}${decimals}`) * (sign === '-' ? -1n : 1n);
  const scale = decimals.length - Number(power);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** `a - b`, exactly. */
export function subtract(a: ExactNumber, b: ExactNumber): ExactNumber {
  const scale = Math.max(a.scale, b.scale);
  return { digits: scaled(a, scale) - scaled(b, scale), scale };
}

/** `times * a / b`, rounded to one decimal, halves away from zero. `b` must not be 0. */
export function roundedRatio(a: ExactNumber, b: ExactNumber, times: 1n | 100n): ExactNumber {
  const scale = Math.max(a.scale, b.scale);
  const above = scaled(a, scale) * times * 10n;
  const below = scaled(b, scale);
  const isNegative = above < 0n !== below < 0n;
  const rounded = (2n * size(above) + size(below)) / (2n * size(below));
  return { digits: isNegative ? -rounded : rounded, scale: 1 };
}

export function signOf({ digits }: ExactNumber): -1 | 0 | 1 {
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

export function withoutSign({ digits, scale }: ExactNumber): ExactNumber {
  return { digits: size(digits), scale };
}

/** With all its decimals: `-0.50`. */
export function exactText({ digits, scale }: ExactNumber): string {
  const all = size(digits)
    .toString()
    .padStart(scale + 1, '0');
  const whole = all.slice(0, all.length - scale);
  const text = scale === 0 ? whole : `${whole}.${all.slice(-scale)}`;
  return digits < 0n ? `-${text}` : text;
}

function scaled({ digits, scale }: ExactNumber, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}

function size(digits: bigint): bigint {
  return digits < 0n ? -digits : digits;
}
