import type { JsonValue } from '@askema/core';

/** A deeper document stays text: what works on values works level by level. */
const MAX_LEVELS = 400;

/** Numbers with so few digits are the same as a double. */
const EXACT_DIGITS = 15;

type Reviver = (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** A document as JSON; a number in it that a double cannot hold becomes a text of its digits. */
export function readJson(text: string): JsonValue {
  if (levelsOf(text) > MAX_LEVELS) return text;
  try {
    return JSON.parse(text, exactNumbers as (this: unknown, key: string, value: unknown) => unknown) as JsonValue;
  } catch {
    // PostgreSQL has checked it; what JavaScript cannot hold stays as it came.
    return text;
  }
}

const exactNumbers: Reviver = (_key, value, context) => {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  const digits = /^-?0*\.?0*(\d*)\.?(\d*)/.exec(source);
  const count = (digits?.[1]?.length ?? 0) + (digits?.[2]?.length ?? 0);
  if (count <= EXACT_DIGITS && Number.isFinite(value) && (value !== 0 || /^-?[0.]+(e|$)/i.test(source))) return value;
  return Number.isSafeInteger(value) || sameNumber(String(value), source) ? value : source;
};

/** Whether two texts of numbers without exponents are one and the same number. */
function sameNumber(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}

function canonical(text: string): string {
  return text.includes('.') && !/e/i.test(text) ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
}

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
