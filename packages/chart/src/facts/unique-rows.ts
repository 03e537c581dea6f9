import type { QueryResult } from '@askema/core';

/** Whether no two rows have the same values in these columns; NULL is a value here. */
export function isUnique(rows: QueryResult['rows'], columns: readonly number[]): boolean {
  const seen = new Set<string>();
  for (const row of rows) {
    const key = keyOf(row, columns);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** The values of some columns as one text that no other values have. */
function keyOf(row: QueryResult['rows'][number], columns: readonly number[]): string {
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column] ?? null;
      return value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
    }),
  );
}
