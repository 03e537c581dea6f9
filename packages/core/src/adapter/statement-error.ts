import { AskemaError, type ErrorDetails } from '../errors/askema-error.ts';
import { didYouMean, nearestNames } from '../errors/nearest-names.ts';
import { classifyError } from './classify-error.ts';
import type { Dialect } from './dialect.ts';

/** What a vendor says of a statement that it refuses. */
export interface StatementFailure {
  readonly sql: string;
  /** The vendor's words. */
  readonly message: string;
  readonly vendorCode?: string | undefined;
  /** Where in `sql`, in UTF-16 code units from 0. */
  readonly offset?: number | undefined;
  /** Names that exist, among which the nearest are looked for when the error is about a name. */
  readonly names?: Iterable<string> | undefined;
  readonly cause?: unknown;
}

/** The error of a statement that the engine refuses: class by the dialect's table, position, the nearest names. */
export function statementError(
  dialect: Pick<Dialect, 'errors' | 'displayName'>,
  { sql, message, vendorCode, offset, names, cause }: StatementFailure,
): AskemaError {
  const { errorClass, name } = classifyError(dialect, { vendorCode, message });
  const wanted = lastPart(name);
  const known = wanted === undefined || names === undefined ? undefined : [...names];
  const nearest = wanted === undefined || known === undefined ? undefined : nearestNames(wanted, known);
  const hint = wanted === undefined || known === undefined ? '' : didYouMean(wanted, known);
  const position = offset === undefined ? undefined : positionAt(sql, offset);
  const place = position === undefined ? '' : ` (line ${position.line}, column ${position.column})`;
  const details: ErrorDetails = { sql, vendorCode, errorClass, position, nearestNames: nearest };
  return new AskemaError(
    'QUERY_FAILED',
    `${dialect.displayName} refused the statement: ${message.trim()}${place}${/[.!?]$/.test(message.trim()) && place === '' ? '' : '.'}${hint && ` ${hint}`}`,
    { details, ...(cause === undefined ? {} : { cause }) },
  );
}

/** The name itself, without what stands in front of it and without quotes. */
function lastPart(name: string | undefined): string | undefined {
  return name
    ?.split('.')
    .at(-1)
    ?.replaceAll(/^["`]|["`]$/g, '');
}

/** Line and column, from 1, of an offset in UTF-16 code units. */
export function positionAt(sql: string, offset: number): NonNullable<ErrorDetails['position']> {
  const before = sql.slice(0, offset).split('\n');
  return { offset, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The offset of a line and a column, both from 1; undefined when the text has no such line. */
export function offsetAt(sql: string, line: number, column: number): number | undefined {
  const lines = sql.split('\n');
  if (line < 1 || line > lines.length) return undefined;
  const before = lines.slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
  return Math.min(before + Math.max(0, column - 1), sql.length);
}
