import type { Dialect } from '@askema/core';
import { isSymbol, isWord, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';
import { isHarmless } from './harmless-functions.ts';

/** A name in a text that is called and is not known to only read. */
export interface Call {
  /** As it is written, with its database. */
  readonly name: string;
  readonly start: number;
}

/**
 * The calls of functions of users, and of those of the engine that are not known to only compute or read. A user's may
 * have the name of a function that another version of the server brings: `ofUsers` has them in lower case.
 */
export function callsOf(sql: string, { lexer, identifiers }: Dialect, ofUsers: ReadonlySet<string>): readonly Call[] {
  const tokens = significantTokens(sql, lexer);
  return tokens.flatMap((token, at): Call[] => {
    if (!isSymbol(tokens[at + 1], '(')) return [];
    const name = nameOfToken(token, lexer);
    if (name === undefined || isNoCall(tokens, at)) return [];
    const schema = isSymbol(tokens[at - 1], '.') ? tokens[at - 2] : undefined;
    // With a database in front it is a function of a user, whatever its name.
    if (schema !== undefined) return [{ name: `${nameOfToken(schema, lexer)}.${name}`, start: schema.start }];
    if (token.kind === 'word' && identifiers.reservedWords.includes(name.toUpperCase())) return [];
    const lower = name.toLowerCase();
    return isHarmless(lower) && !ofUsers.has(lower) ? [] : [{ name, start: token.start }];
  });
}

/** `WITH name (columns) AS (`, and `(query) name (columns)`, with or without AS. */
function isNoCall(tokens: readonly SqlToken[], at: number): boolean {
  if (isSymbol(tokens[at - 1], ')') || isWord(tokens[at - 1], 'AS')) return true;
  let depth = 0;
  for (let index = at + 1; index < tokens.length; index += 1) {
    if (isSymbol(tokens[index], '(')) depth += 1;
    if (isSymbol(tokens[index], ')')) depth -= 1;
    if (depth === 0) return isWord(tokens[index + 1], 'AS') && isSymbol(tokens[index + 2], '(');
  }
  return false;
}
