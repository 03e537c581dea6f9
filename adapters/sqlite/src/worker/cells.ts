import { wholeNumber } from '@askema/adapter-kit/process';
import type { Row, Value } from '@askema/core';

/** What the driver gives for one cell with `safeIntegers`: every INTEGER is a bigint, every REAL a number. */
type Cell = null | bigint | number | string | Buffer;

/** Exact values: integers are numbers up to 2^53 and bigint beyond. */
export function toRow(cells: readonly unknown[]): Row {
  return (cells as readonly Cell[]).map((cell): Value => {
    if (typeof cell === 'bigint') return wholeNumber(cell);
    if (cell === null || typeof cell !== 'object') return cell;
    return new Uint8Array(cell.buffer, cell.byteOffset, cell.byteLength);
  });
}

type Bindable = null | bigint | number | string | Buffer;

/**
 * A parameter as the driver binds it. better-sqlite3 binds every number as REAL, which `typeof`, `||` and columns
 * without a type would show, so whole numbers go as bigint; booleans go as 1 and 0, as SQLite has no others.
 */
export function toBindable(value: unknown): Bindable {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value as Bindable;
}
