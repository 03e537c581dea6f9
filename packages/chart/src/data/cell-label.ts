import { oneLine, type Value } from '@askema/core';

/** A longer label says no more. */
const LONGEST = 300;

/** A cell as the name of a bar or a line: one line, without what reorders, hides or moves. NULL is said. */
export function cellLabel(value: Value | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array)
    return `\\x${[...value.subarray(0, 32)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  if (typeof value === 'object') return safeText(JSON.stringify(value));
  const text = String(value);
  if (text === '') return '(empty)';
  return safeText(text.replace(/^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?(?:Z|\+00:?00)?$/i, '$1'));
}

/** Any text for a picture or a terminal. Not even as a character reference may XML hold U+FFFE and U+FFFF. */
export function safeText(text: string): string {
  return oneLine(text, LONGEST).replaceAll(/[\ufffe\uffff]/g, (each) => `\\u{${each.charCodeAt(0).toString(16)}}`);
}
