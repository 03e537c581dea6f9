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

/** Most texts are so, and a million of them are looked at. */
const PLAIN = /^[ -~]*$/;

/** Any text for a picture or a terminal. Not even as a character reference may XML hold U+FFFE and U+FFFF. */
export function safeText(text: string): string {
  if (text.length <= LONGEST && PLAIN.test(text)) return text;
  return oneLine(text, LONGEST).replaceAll(/[\ufffe\uffff]/g, (each) => `\\u{${each.charCodeAt(0).toString(16)}}`);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text that keeps its order to itself (UAX 9, isolates): a Hebrew name does not turn the number beside it around.
 * Marks that a text brings along are escaped before.
 */
export function isolated(text: string, direction: 'ltr' | 'rtl' = 'ltr'): string {
  const safe = safeText(text);
  return direction === 'rtl' || RIGHT_TO_LEFT.test(safe) ? `\u2068${safe}\u2069` : safe;
}
