import { type Catalog, type Dialect, type InspectionFinding, quoteString, type Span } from '@askema/core';
import { type SqlParser, significantTokens, statementKind } from '@askema/sql';
import { applyFixes, placeOf } from '../inspect/findings.ts';
import { resolveQuery } from '../resolve/resolve-query.ts';
import { type InspectValuesOptions, inspectValues } from './inspect-values.ts';

/** A text of a condition, and the stored one that took its place. */
export interface ReadAs {
  /** As the statement was written. */
  readonly value: string;
  /** The cell. */
  readonly stored: string;
  /** Relation and column. */
  readonly column: string;
  /** The cell as the statement writes it, in quotes; in small letters where the statement compares those. */
  readonly literal: string;
}

/** A statement whose texts are those that the database stores. */
export interface AlignedSql {
  readonly sql: string;
  /** What was replaced, in the order of the statement; empty where the statement is as it was. */
  readonly readAs: readonly ReadAs[];
}

export interface AlignValuesOptions extends Omit<InspectValuesOptions, 'maxJoins'> {
  readonly catalog: Catalog;
  readonly parser: SqlParser;
}

/**
 * Writes the texts of conditions as the database stores them: one that no cell of its column has gives way to the cell
 * that is clearly meant, the one that {@link inspectValues} gives as a fix. Where two cells are as near, where the same
 * or a nearer text stands in another column, and where no cell is near enough, the text stays. So do patterns, and
 * statements that change something, cannot be parsed, or would differ in more than these texts.
 *
 * Source: Tool-SQL (https://arxiv.org/abs/2408.16991), the post-processing of conditions. There the nearest cell always
 * replaces the text.
 *
 * @throws AskemaError `ABORTED` when the signal of the context fires, and what the parser rejects with.
 */
export async function alignValues(
  sql: string,
  { catalog, parser, ...lookUp }: AlignValuesOptions,
): Promise<AlignedSql> {
  const { adapter, context } = lookUp;
  const { dialect } = adapter;
  const asItIs: AlignedSql = { sql, readAs: [] };
  if (statementKind(sql, dialect.lexer) !== 'read') return asItIs;
  const parsed = await parser.parse(sql, dialect, { signal: context.signal });
  if (!parsed.ok) return asItIs;
  const query = resolveQuery({ sql, shape: parsed.shape, catalog, dialect });
  const findings = await inspectValues(query, { ...lookUp, maxJoins: 0 });
  const { sql: aligned, applied } = applyFixes(sql, findings.filter(isOfText));
  const spans = applied.flatMap(({ fix }) => fix?.edits ?? []).map(({ span }) => span);
  if (applied.length === 0 || !differInTextsAlone(sql, aligned, spans, dialect)) return asItIs;
  const again = await parser.parse(aligned, dialect, { signal: context.signal });
  return again.ok ? { sql: aligned, readAs: applied.flatMap((finding) => readAsOf(finding, dialect)) } : asItIs;
}

/** True where the fix writes the text of a condition otherwise, and nothing else. */
function isOfText({ value, column, span, fix }: InspectionFinding): boolean {
  const [edit, ...others] = fix?.edits ?? [];
  const isAlone = edit !== undefined && others.length === 0 && placeOf(edit.span) === placeOf(span);
  return isAlone && value !== undefined && column !== undefined;
}

/** True where the tokens are the same but for those at the spans, which are texts now. */
function differInTextsAlone(before: string, after: string, spans: readonly Span[], { lexer }: Dialect): boolean {
  const [was, is] = [before, after].map((sql) => significantTokens(sql, lexer));
  const isReplaced = ({ start, end }: Span): boolean => spans.some((span) => span.start <= start && end <= span.end);
  return (
    was !== undefined &&
    was.length === is?.length &&
    was.every((token, at) => (isReplaced(token) ? is[at]?.kind === 'string' : is[at]?.text === token.text))
  );
}

function readAsOf({ value, column, cells = [], fix }: InspectionFinding, dialect: Dialect): readonly ReadAs[] {
  const literal = fix?.edits[0]?.text;
  if (value === undefined || column === undefined || literal === undefined) return [];
  const own = cells.filter((cell) => cell.column === column).map((cell) => cell.value);
  const written = (cell: string): string => quoteString(cell, dialect);
  const stored =
    own.find((cell) => written(cell) === literal) ??
    own.find((cell) => written(cell.trim()).toLowerCase() === literal.toLowerCase());
  return [{ value, stored: stored ?? literal.slice(1, -1), column, literal }];
}
