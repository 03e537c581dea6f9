import { AskemaError } from '@askema/core';

/** Why no right statement exists, in `details.reason` of `METRIC_REFUSED`. */
export type RefusalReason =
  | 'ambiguous-field'
  | 'ambiguous-path'
  | 'bad-request'
  | 'condition'
  | 'fan-out'
  | 'grain'
  | 'hidden-table'
  | 'needs-time'
  | 'no-calendar'
  | 'no-key'
  | 'no-time'
  | 'not-a-time'
  | 'offset'
  | 'text-as-number'
  | 'unknown-field'
  | 'unknown-metric'
  | 'unreachable';

/** The message ends with what to do instead. */
export function refused(
  reason: RefusalReason,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): AskemaError {
  return new AskemaError('METRIC_REFUSED', message, { details: { ...details, reason } });
}

/** A definition that cannot be used, whatever is asked of it. */
export function invalidMetric(name: string, problem: string): AskemaError {
  return new AskemaError('KNOWLEDGE_INVALID', `The metric \`${name}\` ${problem}`, {
    details: { entry: `metric:${name}` },
  });
}
