import type { Row, Value } from '@askema/core';

/** About what a row takes, as `rowBytes` of core sizes it; this process loads nothing of core. */
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
