const PLAIN = '(?!--|/\\*)[-+*/<>=]';

/**
 * An operator as PostgreSQL's scanner reads it (`src/backend/parser/scan.l`), and DuckDB's, which was made from it: the
 * longest run of its letters in which no comment opens. It ends in `+` or `-` only where it has one of `~!@#^&|?%` and
 * the backtick. Longer runs than 64 are in parts, so that a text takes no time.
 *
 * @param odd those of the letters that make an operator odd.
 */
function operatorPattern(odd: string): string {
  const special = `[${odd}]`;
  return [
    `(?:${PLAIN}){0,63}${special}(?:${special}|${PLAIN}){0,63}`,
    `(?:${PLAIN}){0,63}(?!/\\*)[*/<>=]`,
    '::|:=|[-+:?$\\\\]',
  ].join('|');
}

export const POSTGRES_OPERATOR = operatorPattern('~!@#^&|`?%');
/** `?` is a parameter. */
export const DUCKDB_OPERATOR = operatorPattern('~!@#^&|`%');
