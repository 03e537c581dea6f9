import type { JsonValue } from './value.ts';

/** A deeper document stays text: what works on values goes down level by level. */
const MAX_LEVELS = 400;

/** Numbers with so few digits are the same as a double. */
const EXACT_DIGITS = 15;

/** Most documents have no such number, and telling each by its source costs time. */
const PERHAPS_INEXACT = /\d[\d.]{14}|\d[eE]/;

/** With what stands in the text as well (ECMAScript: JSON.parse source text access; Node 22 has it). */
type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context?: { readonly source?: string | undefined },
) => unknown;

/**
 * A cell with JSON as a value. A number in it that a double cannot hold, and every whole one beyond 2^53, is a text of
 * its digits. What is no JSON, or nested more than 400 levels deep, stays the text that it is.
 */
export function parseExactJson(text: string): JsonValue {
  if (text.length > 2 * MAX_LEVELS && levelsOf(text) > MAX_LEVELS) return text;
  try {
    return PERHAPS_INEXACT.test(text)
      ? JSON.parse(text, exactNumber as Parameters<typeof JSON.parse>[1])
      : JSON.parse(text);
  } catch {
    return text;
  }
}

const exactNumber: Reviver = (_key, value, context) => {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  const [, mantissa = '', exponent] = /^-?([\d.]*)(e.*)?$/i.exec(source) ?? [];
  const significant = mantissa.replace('.', '').replace(/^0+/, '');
  if (significant.length <= EXACT_DIGITS) {
    const isLost = !Number.isFinite(value) || (value === 0 && significant !== '');
    return isLost ? source : value;
  }
  if (exponent === undefined && !mantissa.includes('.')) return Number.isSafeInteger(value) ? value : source;
  return withoutLastZeros(String(value)) === withoutLastZeros(source) ? value : source;
};

function withoutLastZeros(number: string): string {
  return number.includes('.') && !/e/i.test(number) ? number.replace(/0+$/, '').replace(/\.$/, '') : number;
}

/** How deep brackets and braces are nested. */
function levelsOf(text: string): number {
  let level = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === 34) inString = !inString;
    else if (inString) continue;
    else if (code === 123 || code === 91) {
      level += 1;
      if (level > deepest) deepest = level;
    } else if (code === 125 || code === 93) level -= 1;
  }
  return deepest;
}
