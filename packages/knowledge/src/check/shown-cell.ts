import { oneLine, type Row, shortened, type Value } from '@askema/core';

/** A cell in a message, in one short line: what it says is data and no advice. */
export function shownCell(value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return 'bytes';
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return JSON.stringify(shortened(oneLine(text), 60));
}

/** `a = "1", b = "x"` */
export function shownRow(columns: readonly string[], row: Row): string {
  return columns.map((column, at) => `\`${column}\` = ${shownCell(row[at] ?? null)}`).join(', ');
}
