import type { ResolvedQuery } from '@askema/lint';
import { significantTokens } from '@askema/sql';

/** Longer examples are cut, in UTF-16 code units. */
const MAX_LENGTH = 1_000;

/**
 * A statement without comments and with `?` for each literal. Names that nothing has are left out as well: SQLite reads
 * `"Ann"` as a text where no column is called so.
 */
export function exampleOf({ sql, dialect, blocks }: ResolvedQuery): string {
  const unknown = new Set(
    blocks.flatMap(({ block, columns }) =>
      columns.flatMap(({ kind }, at) => (kind === 'unknown' ? (block.columns[at]?.name.span.start ?? []) : [])),
    ),
  );
  let text = '';
  for (const token of significantTokens(sql, dialect.lexer)) {
    const isValue = ['string', 'number', 'parameter'].includes(token.kind) || unknown.has(token.start);
    text += `${text === '' ? '' : ' '}${isValue ? '?' : token.text}`;
    if (text.length > MAX_LENGTH) break;
  }
  return text;
}
