import { AskemaError, type CalendarTraits, type Dialect } from '@askema/core';
import type { ColumnName, Expression } from './expression.ts';

/** What the writers of parts of expressions share. */
export interface ExpressionWriter {
  readonly dialect: Dialect;
  readonly column: (name: ColumnName) => string;
  /** As it stands between brackets or commas. */
  readonly write: (part: Expression) => string;
  /** As it stands beside any operator: in brackets where it is more than a name, a literal or a call. */
  readonly operand: (part: Expression) => string;
}

/** A template with its holes filled in: `{0}`, `{day}`. What is filled in is not looked at again. */
export function fill(template: string, holes: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+|\*)\}/g, (hole, name: string) => holes[name] ?? hole);
}

/**
 * How the dialect writes a function, an operator or a cast; `standard` where it says nothing of its own.
 *
 * @throws AskemaError `METRIC_REFUSED` where the engine lacks it.
 */
export function templateOf(name: string, standard: string | null, dialect: Dialect): string {
  const own = dialect.functions?.written?.[name];
  const template = own === undefined ? standard : own;
  if (template !== null) return template;
  const instead = dialect.foreignFunctions?.[name];
  throw refusal(
    'function',
    `${dialect.displayName} has no ${name}, so this expression cannot be computed there.`,
    instead === undefined ? 'Define it for this engine in another way.' : `Write ${instead}.`,
  );
}

/** @throws AskemaError `METRIC_REFUSED` where nobody wrote down how the engine computes days. */
export function calendarOf({ calendar, displayName }: Dialect): CalendarTraits {
  if (calendar !== undefined) return calendar;
  throw refusal(
    'calendar',
    `How ${displayName} computes days is not written down in its dialect.`,
    'Add `calendar` to the dialect.',
  );
}

export function refusal(reason: string, what: string, advice: string): AskemaError {
  return new AskemaError('METRIC_REFUSED', `${what} ${advice}`, { details: { reason } });
}
