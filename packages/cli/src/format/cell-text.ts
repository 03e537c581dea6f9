import type { DataType, ResultColumn, Row, Value } from '@askema/core';

/** A cell as text without any escaping; null is undefined, so that each format decides how it looks. */
export function cellText(value: Value): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return hexadecimal(value);
  // V8 keeps what `String` makes of numbers: 30 MB in a large result. JSON writes the same text.
  if (typeof value === 'object' || Number.isFinite(value)) return JSON.stringify(value);
  return String(value);
}

/** Bytes as `\x00ff`, the hex format of PostgreSQL (https://www.postgresql.org/docs/current/datatype-binary.html). */
function hexadecimal(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** True for columns whose cells are read as numbers: by their type, or because every cell that is there is one. */
export function isNumericColumn(column: ResultColumn, index: number, rows: readonly Row[]): boolean {
  const cells = rows.map((row) => row[index]).filter((cell) => cell !== null && cell !== undefined);
  if (cells.length === 0) return column.type === ('NUMERIC' satisfies DataType);
  if (cells.every((cell) => typeof cell === 'number' || typeof cell === 'bigint')) return true;
  // Exact decimals are strings.
  return column.type === 'NUMERIC' && cells.every((cell) => typeof cell !== 'object' && /^-?[\d.]/.test(String(cell)));
}
