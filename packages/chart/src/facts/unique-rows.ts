import type { QueryResult, Row, Value } from '@askema/core';

/** Whether no two rows have the same values in these columns; NULL is a value here. */
export function isUnique(rows: QueryResult['rows'], columns: readonly number[]): boolean {
  const [only] = columns;
  if (only !== undefined && columns.length === 1)
    return isInOrder(rows, only) || hasNoTwice(rows, (row) => textOf(row[only]));
  return hasNoTwice(rows, (row) => keyOf(row, columns));
}

function hasNoTwice(rows: QueryResult['rows'], keyOf: (row: Row) => string | null): boolean {
  const seen = new Set<string | null>();
  for (const row of rows) {
    const key = keyOf(row);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** The values of some columns as one text that no other values have. */
function keyOf(row: Row, columns: readonly number[]): string {
  let key = '';
  for (const column of columns) {
    const text = textOf(row[column]);
    key += text === null ? '-' : `${text.length}:${text}`;
  }
  return key;
}

function textOf(value: Value | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether each value is greater than the one before, as times mostly are: then nothing has to be remembered. */
function isInOrder(rows: QueryResult['rows'], column: number): boolean {
  let before: Value | undefined;
  for (const [at, row] of rows.entries()) {
    const value = row[column];
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    if (at > 0 && !(typeof value === typeof before && value > (before as typeof value))) return false;
    before = value;
  }
  return true;
}
