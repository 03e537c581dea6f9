import type { AttributeId, Dialect } from '@askema/core';
import { isSymbol, type QueryBlock, type SqlToken } from '@askema/sql';
import { firstAt } from './check-tokens.ts';
import type { Restriction } from './restriction.ts';

/** PostgreSQL looks into a row: `IS NOT NULL` is false where one of its fields is NULL. A type of a user may be one. */
export function mayBeRow(id: AttributeId, { whole }: Restriction, { types }: Dialect): boolean {
  // With a schema in front of it, it is of a user, whatever the schema is called.
  const [word = ''] = /^\w+(?!["\w]*\.)/.exec((whole.attributes[id]?.nativeType ?? '').toLowerCase()) ?? [];
  return types.own !== undefined && word !== 'double' && !types.own.includes(word);
}

/**
 * MariaDB and MySQL take `IS NULL` of a date that cannot be NULL for a comparison with '0000-00-00', as ODBC wants it. So
 * they do where a view shows such a date of a table that may be missing.
 */
export function isComparedWithZero(id: AttributeId, { whole }: Restriction): boolean {
  if (!/^(?:date|datetime)\b/i.test(whole.attributes[id]?.nativeType ?? '')) return false;
  const relation = whole.schema.attributes.find((attribute) => attribute.id === id)?.relation ?? '';
  const isNotNull = whole.schema.domainConstraints.some(
    ({ attribute, constraint }) => attribute === id && constraint === 'not null',
  );
  return isNotNull || whole.relations[relation]?.kind !== 'table';
}

/** Columns of the block that stand where their values cannot be seen: indexes into `columns`. */
export function allowedForMasked(
  block: QueryBlock,
  tokens: readonly SqlToken[],
  isNoTest: (at: number) => boolean,
): ReadonlySet<number> {
  /** Nothing takes a piece of it: no subscript, no path, no cast. */
  const isBare = (at: number): boolean => {
    const { start = 0, end = 0 } = block.columns[at]?.span ?? {};
    const next = tokens[firstAt(tokens, end)];
    const inside = tokens.slice(firstAt(tokens, start), firstAt(tokens, end));
    return (
      inside.every(({ kind, text }) => kind === 'word' || kind === 'quotedName' || text === '.') &&
      (next?.kind === 'word' || isSymbol(next, ')'))
    );
  };
  const allowed = new Set<number>();
  for (const { name, columns: inside, argumentCount, kind, span } of block.calls) {
    const [only] = inside;
    const isCount = name.length === 1 && name[0]?.text.toUpperCase() === 'COUNT' && kind === 'aggregate';
    const argument = only === undefined ? undefined : block.columns[only];
    if (!isCount || argumentCount !== 1 || inside.length !== 1 || only === undefined || argument === undefined)
      continue;
    // The column alone: an expression could tell values apart by NULL, and so could a FILTER.
    const others = [
      ...tokens.slice(firstAt(tokens, span.start), firstAt(tokens, argument.span.start)),
      ...tokens.slice(firstAt(tokens, argument.span.end), firstAt(tokens, span.end)),
    ];
    if (/^count\((distinct)?\)$/i.test(others.map(({ text }) => text).join(''))) allowed.add(only);
  }
  for (const { clause, operator, left } of block.filters) {
    const [only] = left.columns;
    // GROUP BY ALL of DuckDB groups by the columns of HAVING.
    const isOfRows = clause === 'where' || clause === 'join';
    if (
      isOfRows &&
      operator === 'is null' &&
      left.kind === 'column' &&
      only !== undefined &&
      isBare(only) &&
      !isNoTest(only)
    )
      allowed.add(only);
  }
  return allowed;
}
