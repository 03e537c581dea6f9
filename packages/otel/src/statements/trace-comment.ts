import type { LexerTraits } from '@askema/core';
import { lexSql } from '@askema/sql';
import { isSpanContextValid, type Span, TraceFlags } from '@opentelemetry/api';

/** The header `traceparent` of W3C Trace Context for a span; undefined without an SDK. */
export function traceparentOf(span: Span | undefined): string | undefined {
  if (span === undefined) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  if (!isSpanContextValid({ traceId, spanId, traceFlags })) return undefined;
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}

/**
 * The statement with a trace's id behind it, as SQLCommenter writes it: key and value are URL-encoded, the value stands
 * in single quotes. A statement that has a comment already, or whose end is unclear, stays as it is.
 */
export function withTraceComment(sql: string, traceparent: string, traits: LexerTraits): string {
  if (traits.blockComments === 'none') return sql;
  const tokens = lexSql(sql, traits);
  if (tokens.some(({ kind, unterminated }) => kind === 'comment' || kind === 'unknown' || unterminated)) return sql;
  const last = tokens.findLast(({ kind, text }) => kind !== 'blank' && text !== ';');
  if (last === undefined) return sql;
  const value = encodeURIComponent(traceparent).replace(/['*]/g, (mark) => (mark === '*' ? '%2A' : '%27'));
  const comment = `/*traceparent='${value}'*/`;
  return `${sql.slice(0, last.end)} ${comment}${sql.slice(last.end)}`;
}
