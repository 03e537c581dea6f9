import type { Dialect, NameParts } from '@askema/core';
import { castType, fillProbe, qualifiedName, quoteIdentifier } from '@askema/core';
import { CELL_CHARACTERS } from './column-profile.ts';

/** The skeleton of `Dialect.probes` that reads a bounded piece of a relation; stands behind FROM. */
export const SOURCE_PROBE = 'source';

const DEFAULT_SOURCE = '(SELECT {attributes} FROM {relation} LIMIT {limit}) AS {alias}';

/** What is asked of one attribute, as flags: which aggregates its statement has. */
export interface ProfiledColumn {
  readonly name: string;
  /** Its cells can be compared: distinct ones are counted. */
  readonly comparable: boolean;
  /** The least and the greatest cell mean something. */
  readonly ordered: boolean;
  readonly text: boolean;
}

/** Some attributes of one relation, read up to so many rows. */
export interface ProfileSource {
  readonly dialect: Dialect;
  readonly relation: NameParts;
  readonly maxRows: number;
}

/** A bounded piece of a relation for FROM. Rows are not chosen at random: whatever the engine gives first. */
export function boundedSource(source: ProfileSource, attributes: readonly string[], alias: string): string {
  return fillProbe(source.dialect.probes[SOURCE_PROBE] ?? DEFAULT_SOURCE, {
    attributes: attributes.map((name) => quoteIdentifier(name, source.dialect)).join(', '),
    relation: qualifiedName(source.relation, source.dialect, 'always'),
    limit: source.maxRows,
    alias,
  });
}

/** One row: the rows read, then for each column the values of {@link countsOf} in order. */
export function countStatement(source: ProfileSource, columns: readonly ProfiledColumn[]): string {
  const aggregates = columns.flatMap((column) => countsOf(column, source.dialect));
  const names = columns.map((column) => column.name);
  return `SELECT COUNT(*), ${aggregates.join(', ')} FROM ${boundedSource(source, names, 'sampled')}`;
}

/** The aggregates of one column, in the order in which `readCounts` takes them. */
function countsOf({ name, comparable, ordered, text }: ProfiledColumn, dialect: Dialect): string[] {
  const cell = quoteIdentifier(name, dialect);
  const aggregates = [`COUNT(${cell})`];
  if (comparable) aggregates.push(`COUNT(DISTINCT ${cell})`);
  if (ordered) aggregates.push(`MIN(${cell})`, `MAX(${cell})`);
  if (text) {
    const written = asText(cell, dialect);
    aggregates.push(
      `SUM(CASE WHEN ${written} = '' THEN 1 ELSE 0 END)`,
      `SUM(CASE WHEN LENGTH(${written}) > LENGTH(TRIM(${written})) THEN 1 ELSE 0 END)`,
      `COUNT(DISTINCT LOWER(TRIM(${written})))`,
    );
  }
  return aggregates;
}

/**
 * Rows of the column's position, a common value as text, and in how many rows it stands; for several columns at once.
 */
export function commonValuesStatement(source: ProfileSource, columns: readonly string[], limit: number): string {
  const { dialect } = source;
  const selects = columns.map((name, position) => {
    const cell = quoteIdentifier(name, dialect);
    const from = boundedSource(source, [name], 'sampled');
    const written = `SUBSTR(${asText(cell, dialect)}, 1, ${CELL_CHARACTERS + 1})`;
    return `SELECT place, cell, occurrences FROM (SELECT ${position} AS place, ${written} AS cell, COUNT(*) AS occurrences FROM ${from} WHERE ${cell} IS NOT NULL GROUP BY ${cell} ORDER BY 3 DESC, 2 LIMIT ${limit}) AS counted`;
  });
  return selects.join('\nUNION ALL\n');
}

/**
 * One row about the join of two attributes: rows of `from` without a counterpart, the most rows of one value, values of
 * `to` that no row has, rows and distinct values of `to`, and the rows read of `from`.
 */
export function joinStatement(
  from: ProfileSource & { readonly attribute: string },
  to: ProfileSource & { readonly attribute: string },
): string {
  const { dialect } = from;
  const child = quoteIdentifier(from.attribute, dialect);
  const parent = quoteIdentifier(to.attribute, dialect);
  const children = (alias: string): string => boundedSource(from, [from.attribute], alias);
  const parents = (alias: string): string => boundedSource(to, [to.attribute], alias);
  return [
    `SELECT (SELECT COUNT(*) FROM ${children('c')} WHERE c.${child} IS NOT NULL AND c.${child} NOT IN (SELECT p.${parent} FROM ${parents('p')} WHERE p.${parent} IS NOT NULL)) AS orphans`,
    `(SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM ${children('c')} WHERE c.${child} IS NOT NULL GROUP BY c.${child}) AS g) AS most`,
    `(SELECT COUNT(*) FROM ${parents('p')} WHERE p.${parent} IS NOT NULL AND p.${parent} NOT IN (SELECT c.${child} FROM ${children('c')} WHERE c.${child} IS NOT NULL)) AS unmatched`,
    `(SELECT COUNT(*) FROM ${parents('p')}) AS targets`,
    `(SELECT COUNT(DISTINCT p.${parent}) FROM ${parents('p')}) AS different`,
    `(SELECT COUNT(*) FROM ${children('c')}) AS read_rows`,
  ].join(', ');
}

function asText(cell: string, dialect: Dialect): string {
  return `CAST(${cell} AS ${castType('TEXT', dialect)})`;
}
