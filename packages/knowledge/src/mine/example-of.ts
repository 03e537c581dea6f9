import type { Catalog } from '@askema/core';
import type { ResolvedQuery } from '@askema/lint';
import { nameOfToken, significantTokens } from '@askema/sql';

/** Longer examples are cut, in UTF-16 code units. */
const MAX_LENGTH = 1_000;

/** The names of a catalog, in lower case. */
export function namesOf({ schema, relations }: Catalog): ReadonlySet<string> {
  const parts = Object.values(relations).flatMap(({ nameParts }) => Object.values(nameParts));
  const columns = schema.attributes.map(({ name }) => name);
  return new Set([...parts, ...columns].map((name) => String(name).toLowerCase()));
}

/**
 * A statement without comments and with `?` for each literal. Names that nothing has are left out as well: SQLite reads
 * `"Ann"` as a text where no column is called so. So are names that the statement itself gives, where they are quoted or
 * hold a longer number: an address may be an alias.
 */
export function exampleOf({ sql, dialect, blocks }: ResolvedQuery, names: ReadonlySet<string>): string {
  const unknown = new Set(
    blocks.flatMap(({ block, columns }) =>
      columns.flatMap(({ kind }, at) => (kind === 'unknown' ? (block.columns[at]?.name.span.start ?? []) : [])),
    ),
  );
  let text = '';
  for (const token of significantTokens(sql, dialect.lexer)) {
    const isGiven = token.kind === 'quotedName' || /\p{N}{5}/u.test(token.text);
    const isValue =
      ['string', 'number', 'parameter'].includes(token.kind) ||
      unknown.has(token.start) ||
      (isGiven && !names.has(nameOfToken(token, dialect.lexer)?.toLowerCase() ?? ''));
    text += `${text === '' ? '' : ' '}${isValue ? '?' : token.text}`;
    if (text.length > MAX_LENGTH) break;
  }
  return text;
}
