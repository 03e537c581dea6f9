import type { JsonValue, Outcome, QueryResult, Row, Value } from '@askema/core';

/** What the command knows beside the outcome. */
export interface AnswerOrigin {
  readonly database: string;
  readonly flow: string;
  /** `openai:gpt-…`, `lexical`. */
  readonly model: string;
}

/**
 * The outcome as one JSON document, one row a line. Exact: an integer beyond 2^53, NaN and infinities are strings,
 * bytes are `{"$bytes": "<base64>"}`, NULL is null, everything else is itself; `columns` says which type a column has.
 */
export function formatJson(outcome: Outcome, origin: AnswerOrigin): string {
  const result = 'result' in outcome ? outcome.result : undefined;
  const fields: Record<string, unknown> = {
    schemaVersion: 1,
    type: outcome.type,
    question: outcome.question,
    ...origin,
    runId: outcome.runId,
    sql: outcome.sql,
    explanation: outcome.explanation,
    ...ownFields(outcome),
    ...(result === undefined ? {} : resultFields(result)),
    solvedBy: outcome.solvedBy,
    usage: outcome.usage,
    calls: outcome.calls,
    executions: outcome.executions,
    elapsedMs: outcome.elapsedMs,
    warnings: outcome.warnings,
    inspection: outcome.inspection,
    candidates: outcome.candidates,
  };
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${name === 'rows' ? rowsText(value) : valueText(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

function ownFields(outcome: Outcome): Record<string, unknown> {
  switch (outcome.type) {
    case 'answered':
      return { confidence: outcome.confidence, sure: outcome.sure };
    case 'needsClarification':
      return { ask: outcome.ask };
    case 'unanswerable':
      return { reason: outcome.reason, notUnderstood: outcome.notUnderstood };
    case 'refused':
      return { reason: outcome.reason, error: outcome.error };
    default:
      return { error: outcome.error };
  }
}

function resultFields(result: QueryResult): Record<string, unknown> {
  return {
    columns: result.columns,
    rows: result.rows,
    rowCount: result.rows.length,
    // The reader must not have to know that a missing field means "whole".
    truncated: result.truncated ?? null,
    affectedRows: result.affectedRows,
    bytesProcessed: result.bytesProcessed,
    queryElapsedMs: result.elapsedMs,
  };
}

function rowsText(rows: unknown): string {
  const lines = (rows as readonly Row[]).map((row) => `    ${valueText(row.map(jsonCell))}`);
  return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
}

/** One cell as JSON. */
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
