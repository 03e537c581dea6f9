import type { JsonValue, Value } from '@askema/core';

/** What a reviver is told beside key and value (ECMAScript: JSON.parse source text access; Node 22 has it). */
interface RevivedFrom {
  readonly source?: string | undefined;
}

type ReviveWithSource = (this: unknown, key: string, value: JsonValue, from?: RevivedFrom) => JsonValue;

/**
 * JSON of a column, its whole numbers beyond 2^53 as text, digit by digit; a document that is such a number itself is a bigint. What is no JSON stays
 * text.
 */
export function parseExactJson(text: string): Value {
  try {
    if (/^-?\d{16,40}$/.test(text)) return exactInteger(text);
    // Most documents have no long number, and the reviver costs time.
    return (
      /\d{16}/.test(text) ? JSON.parse(text, revive as (key: string, value: JsonValue) => JsonValue) : JSON.parse(text)
    ) as JsonValue;
  } catch {
    return text;
  }
}

const revive: ReviveWithSource = (_key, value, from) => {
  const source = from?.source;
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(source) ? source : value;
};

function exactInteger(text: string): Value {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
