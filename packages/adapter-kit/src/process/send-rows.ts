import type { Row, Value } from '@askema/core';
import type { DriverTalk } from '@askema/core/node';
import type { Conversation } from './conversation.ts';

/** A batch is sent when it has so many rows or bytes, or when so much time has passed since the last one. */
const BATCH_ROWS = 512;
const BATCH_BYTES = 256 * 1024;
const BATCH_MS = 50;

/** How much of a result a caller wants. */
export interface RowCaps {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/**
 * Sends rows until the result or a cap ends, and says which cap. Chunks are sent when they end; their rows are taken one
 * by one, so that a row beyond a cap costs nothing.
 */
export async function sendRows<T extends DriverTalk>(
  conversation: Conversation<T>,
  chunks: AsyncIterable<Iterable<Row>> | Iterable<Iterable<Row>>,
  { maxRows, maxBytes }: RowCaps,
): Promise<'rows' | 'bytes' | undefined> {
  let batch: Row[] = [];
  let batchBytes = 0;
  let sentAt = performance.now();
  let count = 0;
  let total = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await conversation.sendRows(batch);
    batch = [];
    batchBytes = 0;
    sentAt = performance.now();
  };
  let cut: 'rows' | 'bytes' | undefined;
  for await (const chunk of chunks) {
    for (const row of chunk) {
      const bytes = rowBytes(row);
      cut = count >= maxRows ? 'rows' : total + bytes > maxBytes ? 'bytes' : undefined;
      if (cut !== undefined) break;
      batch.push(row);
      count += 1;
      total += bytes;
      batchBytes += bytes;
      if (batch.length >= BATCH_ROWS || batchBytes >= BATCH_BYTES || performance.now() - sentAt >= BATCH_MS) {
        await flush();
        // The next row may take its time, and a driver that blocks its thread lets nothing be sent meanwhile.
        conversation.flush();
      }
    }
    await flush();
    if (cut !== undefined) return cut;
  }
  return undefined;
}

/** About what a row takes, as `rowBytes` of core sizes it; a process loads nothing of core. A test compares the two. */
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

/** A whole number while it is exact as one, else the bigint. */
export function wholeNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
