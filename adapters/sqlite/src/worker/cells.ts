import type { Row, Value } from '@askema/core';

/** What the driver gives for one cell with `safeIntegers`: every INTEGER is a bigint, every REAL a number. */
type Cell = null | bigint | number | string | Buffer;

/** A row as the caller sees it, and what it counts against the byte cap. */
export interface SizedRow {
  readonly row: Row;
  readonly bytes: number;
}

/**
 * Exact values: integers are numbers up to 2^53 and bigint beyond; text counts by its UTF-8 bytes, numbers as 8, NULL
 * as 1.
 */
export function sizeRow(cells: readonly unknown[]): SizedRow {
  let bytes = 0;
  const row: Value[] = [];
  for (const cell of cells as readonly Cell[]) {
    switch (typeof cell) {
      case 'bigint':
        bytes += 8;
        row.push(cell >= Number.MIN_SAFE_INTEGER && cell <= Number.MAX_SAFE_INTEGER ? Number(cell) : cell);
        break;
      case 'number':
        bytes += 8;
        row.push(cell);
        break;
      case 'string':
        bytes += Buffer.byteLength(cell);
        row.push(cell);
        break;
      default:
        bytes += cell === null ? 1 : cell.byteLength;
        row.push(cell === null ? null : new Uint8Array(cell.buffer, cell.byteOffset, cell.byteLength));
    }
  }
  return { row, bytes };
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
