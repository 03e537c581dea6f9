import type { JsonValue, Outcome, Value } from '@askema/core';
import { encodeOutcome } from '@askema/text2sql/ask';

/** What the command knows beside the outcome. */
export interface AnswerOrigin {
  readonly database: string;
  readonly flow: string;
  /** `openai:gpt-…`, `lexical`. */
  readonly model: string;
}

/**
 * The outcome in its public JSON form (`@askema/text2sql/outcome.schema.json`), one row a line, with what the command
 * knows beside it as `origin`.
 */
export function formatJson(outcome: Outcome, origin: AnswerOrigin): string {
  const { result, ...fields } = encodeOutcome(outcome);
  const lines = Object.entries({ ...fields, ...(result === undefined ? {} : { result }), origin }).map(
    ([name, value]) =>
      name === 'result' ? `  "result": ${resultText(value as JsonRecord)}` : `  ${fieldText(name, value)}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

type JsonRecord = { readonly [field: string]: JsonValue };

function resultText(result: JsonRecord): string {
  const lines = Object.entries(result).map(([name, value]) =>
    name === 'rows' ? `    "rows": ${rowsText(value as readonly JsonValue[])}` : `    ${fieldText(name, value)}`,
  );
  return `{\n${lines.join(',\n')}\n  }`;
}

function rowsText(rows: readonly JsonValue[]): string {
  const lines = rows.map((row) => `      ${valueText(row)}`);
  return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n    ]`;
}

function fieldText(name: string, value: unknown): string {
  return `${JSON.stringify(name)}: ${valueText(value)}`;
}

/**
 * One cell of a line of JSON Lines: an integer beyond 2^53, NaN and infinities are strings, which tools for data read,
 * bytes are `{"$bytes": "<base64>"}`, everything else is itself.
 */
export function jsonCell(value: Value): JsonValue {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) {
    return { $bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  }
  return value as JsonValue;
}

/**
 * JSON text that a terminal can show: what JSON leaves as it is and a terminal obeys (DEL, C1 controls, bidirectional
 * overrides) is written as an escape of JSON, which changes nothing for a parser.
 */
function valueText(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

/** The JSON text with every character escaped that a terminal could obey; the value stays the same. */
export function escapeJson(json: string): string {
  return json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
