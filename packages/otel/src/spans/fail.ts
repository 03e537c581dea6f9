import { redactSecrets, type SerializedError } from '@askema/core';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { ERROR_TYPE } from '../names.ts';

/** Marks a span as failed, by the code of its error. What an error says may quote statements, names and values. */
export function fail(span: Span, error: Pick<SerializedError, 'code' | 'message'>, withMessage: boolean): void {
  span.setAttribute(ERROR_TYPE, error.code);
  span.setStatus({
    code: SpanStatusCode.ERROR,
    ...(withMessage ? { message: redactSecrets(error.message) } : {}),
  });
}
