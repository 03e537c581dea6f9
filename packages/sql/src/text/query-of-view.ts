import type { LexerTraits } from '@askema/core';
import { significantTokens } from './lex-sql.ts';
import { isSymbol, isWord } from './sql-token.ts';

/** The query of a view: what stands behind `AS`, where the whole statement that makes it is stored. */
export function queryOfView(definition: string, lexer: LexerTraits): string {
  const tokens = significantTokens(definition, lexer);
  let depth = 0;
  const last = tokens.at(-1);
  const end = isSymbol(last, ';') ? last?.start : definition.length;
  if (!isWord(tokens[0], 'CREATE')) return definition.slice(0, end);
  for (const token of tokens) {
    depth += isSymbol(token, '(') ? 1 : isSymbol(token, ')') ? -1 : 0;
    if (depth === 0 && isWord(token, 'AS')) return definition.slice(token.end, end);
  }
  return definition;
}
