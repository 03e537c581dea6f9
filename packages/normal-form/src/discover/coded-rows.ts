import type { Row, Value } from '@askema/core';

/** Stands for NULL in `codes`. */
export const NULL_CODE = -1;

/** One column as numbers: rows with equal codes have equal values. */
export interface CodedColumn {
  /** One for each row: 0 to `distinctCount` - 1 in the order of first appearance, or {@link NULL_CODE}. */
  readonly codes: Int32Array;
  /** NULL is no value. */
  readonly distinctCount: number;
  readonly nullCount: number;
}

/** Rows as columns of numbers; all have the same length. */
export interface CodedRows {
  readonly rowCount: number;
  readonly columns: readonly CodedColumn[];
}

/**
 * Codes the first `columnCount` values of each row. Values are equal when they are exactly the same: `'a'` is not
 * `'A'`, `1` is not `'1'`; bytes and nested values are compared by their content. A value that a row lacks is NULL.
 */
export function codeRows(rows: readonly Row[], columnCount: number): CodedRows {
  const columns = Array.from({ length: columnCount }, (_, at) => codeColumn(rows, at));
  return { rowCount: rows.length, columns };
}

function codeColumn(rows: readonly Row[], at: number): CodedColumn {
  const codes = new Int32Array(rows.length);
  const plain = new Map<unknown, number>();
  const written = new Map<string, number>();
  let distinctCount = 0;
  let nullCount = 0;
  for (let row = 0; row < rows.length; row += 1) {
    const value: Value = rows[row]?.[at] ?? null;
    if (value === null) {
      codes[row] = NULL_CODE;
      nullCount += 1;
      continue;
    }
    const isObject = typeof value === 'object';
    const key = isObject ? keyText(value) : value;
    const known = isObject ? written.get(key as string) : plain.get(key);
    if (known !== undefined) {
      codes[row] = known;
      continue;
    }
    if (isObject) written.set(key as string, distinctCount);
    else plain.set(key, distinctCount);
    codes[row] = distinctCount;
    distinctCount += 1;
  }
  return { codes, distinctCount, nullCount };
}

/** Bytes and JSON never share a text. */
function keyText(value: object): string {
  if (!(value instanceof Uint8Array)) return JSON.stringify(value);
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}
