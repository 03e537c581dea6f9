import type { Dialect, Span } from '@askema/core';
import { significantTokens } from './lex-sql.ts';
import { isSymbol, isWord, nameOfToken, type SqlToken } from './sql-token.ts';

/** A name that a text may call as a function. */
export interface CallInText extends Span {
  /** As the engine sees it. */
  readonly name: string;
  /** What stands in front of it, behind a dot. */
  readonly schema: string | undefined;
  /** It stands where the columns of a CTE (`WITH name (a) AS (`) or of a sub-query (`) AS name (a)`) are named. */
  readonly namesColumns: boolean;
}

/**
 * Every name in front of a bracket, but reserved words. Names of tables, types with a length and parts of clauses may
 * be among them: `VARCHAR(9)`, `AGAINST (`.
 */
export function callsIn(
  sql: string,
  { lexer, identifiers }: Pick<Dialect, 'lexer' | 'identifiers'>,
): readonly CallInText[] {
  const tokens = significantTokens(sql, lexer);
  const reserved = new Set(identifiers.reservedWords);
  return tokens.flatMap((token, at): CallInText[] => {
    if (!isSymbol(tokens[at + 1], '(')) return [];
    const name = nameOfToken(token, lexer);
    if (name === undefined) return [];
    const before = isSymbol(tokens[at - 1], '.') ? tokens[at - 2] : undefined;
    const schema = before && nameOfToken(before, lexer);
    if (schema === undefined && token.kind === 'word' && reserved.has(token.text.toUpperCase())) return [];
    return [{ name, schema, namesColumns: namesColumns(tokens, at), start: token.start, end: token.end }];
  });
}

function namesColumns(tokens: readonly SqlToken[], at: number): boolean {
  if (isSymbol(tokens[at - 1], ')') || isWord(tokens[at - 1], 'AS')) return true;
  let depth = 0;
  for (let index = at + 1; index < tokens.length; index += 1) {
    if (isSymbol(tokens[index], '(')) depth += 1;
    if (isSymbol(tokens[index], ')')) depth -= 1;
    if (depth === 0) return isWord(tokens[index + 1], 'AS') && isSymbol(tokens[index + 2], '(');
  }
  return false;
}
