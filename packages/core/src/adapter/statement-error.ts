import type { Dialect } from '../dialect/dialect.ts';
import { AskemaError, type ErrorDetails } from '../errors/askema-error.ts';
import { didYouMean, nearestNames } from '../errors/nearest-names.ts';
import { classifyError } from './classify-error.ts';

/** What a vendor says of a statement that it refuses. */
export interface StatementFailure {
  readonly sql: string;
  /** The vendor's words. */
  readonly message: string;
  readonly vendorCode?: string | undefined;
  /** Where in `sql`, in UTF-16 code units from 0; one outside of the text is left out. */
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
  const unbound = name === undefined ? undefined : unboundQualifier(sql, name);
  const known = name === undefined || names === undefined || unbound !== undefined ? undefined : [...names];
  const wanted = name === undefined || known === undefined ? undefined : wantedName(name, known);
  const nearest = wanted === undefined || known === undefined ? undefined : nearestNames(wanted, known);
  const near = wanted === undefined || known === undefined ? '' : didYouMean(wanted, known);
  const hint = unbound === undefined ? near : `No relation or alias of the statement is called ${unbound}.`;
  const isInside = offset !== undefined && Number.isInteger(offset) && offset >= 0 && offset <= sql.length;
  const position = isInside ? positionAt(sql, offset) : undefined;
  const place = position === undefined ? '' : ` (line ${position.line}, column ${position.column})`;
  const details: ErrorDetails = { sql, vendorCode, errorClass, position, nearestNames: nearest };
  return new AskemaError(
    'QUERY_FAILED',
    `${dialect.displayName} refused the statement: ${message.trim()}${place}${/[.!?]$/.test(message.trim()) && place === '' ? '' : '.'}${hint && ` ${hint}`}`,
    { details, ...(cause === undefined ? {} : { cause }) },
  );
}

/**
 * What stands in front of the dots of columns and nowhere else: neither a relation of the statement nor an alias. Behind
 * FROM it is a schema.
 */
function unboundQualifier(sql: string, name: string): string | undefined {
  const [qualifier = ''] = name.replaceAll(/["`]/g, '').split('.').slice(-2);
  if (!/^\w+$/.test(qualifier)) return undefined;
  const dotted = `${qualifier}["\`\\]]?\\s*\\.`;
  const holds = (pattern: string): boolean => new RegExp(pattern, 'i').test(sql);
  if (!holds(`\\b${dotted}`) || holds(`\\b${qualifier}\\b(?!["\`\\]]?\\s*\\.)`)) return undefined;
  return holds(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\\s+["\`[]?${dotted}`) ? undefined : qualifier;
}

/**
 * The name without what stands in front of it, and without quotes; the whole of it where only that is like a known one
 * (`dot.ted`).
 */
function wantedName(name: string, known: readonly string[]): string {
  const last = (name.split('.').at(-1) ?? name).replaceAll(/^["`]|["`]$/g, '');
  return nearestNames(last, known, 1).length > 0 || nearestNames(name, known, 1).length === 0 ? last : name;
}

/** Line and column, from 1, of an offset in UTF-16 code units. */
export function positionAt(sql: string, offset: number): NonNullable<ErrorDetails['position']> {
  const before = sql.slice(0, offset).split('\n');
  return { offset, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * The offset of a line and a column, both from 1, at most the end of that line; undefined when the text has no such
 * line.
 */
export function offsetAt(sql: string, line: number, column: number): number | undefined {
  const lines = sql.split('\n');
  const wanted = lines[line - 1];
  if (wanted === undefined) return undefined;
  const before = lines.slice(0, line - 1).reduce((length, text) => length + text.length + 1, 0);
  return before + Math.min(Math.max(0, column - 1), wanted.length);
}
