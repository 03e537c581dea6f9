import { hash } from 'node:crypto';
import { encodeValue } from '../values/encode-value.ts';

/** 16 hex digits of SHA-256: enough to notice a change, not a proof against forgery. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}

/** The hash of plain data; undefined for anything else. The order of keys counts. */
export function hashValue(value: unknown): string | undefined {
  let encoded: unknown;
  try {
    encoded = encodeValue(value);
  } catch {
    return undefined;
  }
  return hashText(JSON.stringify(encoded));
}
