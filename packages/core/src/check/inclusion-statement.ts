import type { Dialect } from '../adapter/dialect.ts';
import { qualifiedName, quoteIdentifier } from '../adapter/quote-name.ts';
import type { NameParts } from '../catalog/catalog.ts';
import { boundedSource } from '../explore/profile-statement.ts';

/** A reference by names: `columns[i]` of the one side refers to `targetColumns[i]` of the other. */
export interface ReferenceNames {
  readonly relation: NameParts;
  readonly columns: readonly string[];
  readonly target: NameParts;
  readonly targetColumns: readonly string[];
}

/**
 * One row: rows read, rows without a NULL in the reference, and of those the rows whose values are not in the target; for a reference of one
 * column also different values, and those that are not there. So many rows are read at most; of the target all are, as otherwise nothing could be
 * called missing.
 */
export function inclusionStatement(reference: ReferenceNames, dialect: Dialect, maxRows: number): string {
  const { columns } = reference;
  const child = (at: number): string => `c.${quoteIdentifier(columns[at] ?? '', dialect)}`;
  const filled = columns.map((_, at) => `${child(at)} IS NOT NULL`).join(' AND ');
  const counts = [
    'COUNT(*)',
    `SUM(CASE WHEN ${filled} THEN 1 ELSE 0 END)`,
    `SUM(CASE WHEN ${filled} AND p.k0 IS NULL THEN 1 ELSE 0 END)`,
    ...(columns.length === 1
      ? [`COUNT(DISTINCT ${child(0)})`, `COUNT(DISTINCT CASE WHEN p.k0 IS NULL THEN ${child(0)} END)`]
      : []),
  ];
  return `SELECT ${counts.join(', ')} FROM ${joined(reference, columns, dialect, maxRows)}`;
}

/** Some rows whose values are not in the target, with the given columns. */
export function missingStatement(
  reference: ReferenceNames,
  shown: readonly string[],
  dialect: Dialect,
  limits: { readonly maxRows: number; readonly limit: number },
): string {
  const read = [...new Set([...shown, ...reference.columns])];
  const filled = reference.columns.map((name) => `c.${quoteIdentifier(name, dialect)} IS NOT NULL`).join(' AND ');
  const cells = shown.map((name) => `c.${quoteIdentifier(name, dialect)}`).join(', ');
  return `SELECT ${cells} FROM ${joined(reference, read, dialect, limits.maxRows)} WHERE ${filled} AND p.k0 IS NULL LIMIT ${limits.limit}`;
}

function joined(
  { relation, columns, target, targetColumns }: ReferenceNames,
  read: readonly string[],
  dialect: Dialect,
  maxRows: number,
): string {
  const keys = targetColumns.map((name) => quoteIdentifier(name, dialect));
  const parents = `(SELECT DISTINCT ${keys.map((key, at) => `${key} AS k${at}`).join(', ')} FROM ${qualifiedName(target, dialect, 'always')} AS probed WHERE ${keys.map((key) => `${key} IS NOT NULL`).join(' AND ')}) AS p`;
  const on = columns.map((name, at) => `c.${quoteIdentifier(name, dialect)} = p.k${at}`).join(' AND ');
  return `${boundedSource({ dialect, relation, maxRows }, read, 'c')} LEFT JOIN ${parents} ON ${on}`;
}
