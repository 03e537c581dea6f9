import type { Row, Value } from '../values/value.ts';
import type { ResultColumn, ResultEvent } from './adapter-spec.ts';

export interface BoundedRowsOptions {
  readonly columns: readonly ResultColumn[];
  readonly maxRows: number;
  readonly maxBytes: number;
  /** Asked when the source has ended: which cap made it end by itself, before it had handed over what lies beyond. */
  readonly cut?: (() => 'rows' | 'bytes' | undefined) | undefined;
  /**
   * Called after the last row that is handed over: what the `end` event adds (bytes processed, query id, affected
   * rows).
   */
  readonly end?: (() => Omit<Extract<ResultEvent, { type: 'end' }>, 'type' | 'truncated'>) | undefined;
}

/**
 * The events of a result within its caps: rows are handed over until one more would pass a cap, and then the source is
 * left (its `return()` is called), so ask it for no more than `maxRows + 1` rows. A cell that is larger than the cap is
 * not handed over.
 */
export async function* boundedRows(
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  { columns, maxRows, maxBytes, cut, end }: BoundedRowsOptions,
): AsyncGenerator<ResultEvent, void, void> {
  yield { type: 'columns', columns };
  let rows = 0;
  let bytes = 0;
  for await (const batch of batches) {
    const passed: Row[] = [];
    let truncated: 'rows' | 'bytes' | undefined;
    for (const row of batch) {
      bytes += rowBytes(row);
      truncated = rows >= maxRows ? 'rows' : bytes > maxBytes ? 'bytes' : undefined;
      if (truncated !== undefined) break;
      rows += 1;
      passed.push(row);
    }
    if (passed.length > 0) yield { type: 'rows', rows: passed };
    if (truncated !== undefined) {
      yield { type: 'end', truncated, ...end?.() };
      return;
    }
  }
  const truncated = cut?.();
  yield { type: 'end', ...(truncated === undefined ? {} : { truncated }), ...end?.() };
}

/** About what a row takes: 8 bytes for a number, the bytes of UTF-8 for text, the JSON of a nested value. */
export function rowBytes(row: Row): number {
  let bytes = 0;
  for (const value of row) bytes += valueBytes(value);
  return bytes;
}

function valueBytes(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (value === null || typeof value === 'boolean') return 1;
  if (typeof value === 'object') return Buffer.byteLength(JSON.stringify(value));
  return 8;
}
