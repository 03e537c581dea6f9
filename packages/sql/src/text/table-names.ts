import type { LexerTraits } from '@askema/core';
import { isSymbol, isWord, nameOfToken, type SqlToken } from './sql-token.ts';

/** Behind these, up to the next FROM or JOIN, a comma divides no tables. */
const ENDS_OF_FROM = ['SELECT', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'SET', 'VALUES'];

/**
 * The names that may stand for tables: behind FROM, JOIN and IN, and behind the commas and brackets of a FROM clause,
 * without what qualifies them. Too many rather than too few: engines take a text as the name of a table, too.
 */
export function tableNames(tokens: readonly SqlToken[], traits: LexerTraits): readonly SqlToken[] {
  const found: SqlToken[] = [];
  const around: boolean[] = [];
  let inFrom: boolean = false;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const isFirst = ['FROM', 'JOIN'].some((word) => isWord(before, word)) && !isDistinctFrom(tokens, index - 1);
    const isPlace: boolean = isFirst || (inFrom && (isSymbol(before, ',') || isSymbol(before, '(')));
    if (isSymbol(token, '(')) {
      around.push(inFrom);
      inFrom = isPlace;
    } else if (isSymbol(token, ')')) inFrom = around.pop() ?? false;
    else if (isWord(token, 'FROM') || isWord(token, 'JOIN')) inFrom ||= !isDistinctFrom(tokens, index);
    else if (ENDS_OF_FROM.some((word) => isWord(token, word))) inFrom = false;
    else if (isPlace || isWord(before, 'IN')) found.push(lastOfPath(tokens, index));
  }
  return found.filter((token) => tableName(token, traits) !== undefined);
}

/** As the engine stores it, or a text without its quotes. */
export function tableName(token: SqlToken, traits: LexerTraits): string | undefined {
  return token.kind === 'string' ? token.text.slice(1, -1) : nameOfToken(token, traits);
}

function isDistinctFrom(tokens: readonly SqlToken[], index: number): boolean {
  return isWord(tokens[index], 'FROM') && isWord(tokens[index - 1], 'DISTINCT');
}

function lastOfPath(tokens: readonly SqlToken[], first: number): SqlToken {
  let last = first;
  while (isSymbol(tokens[last + 1], '.') && tokens[last + 2] !== undefined) last += 2;
  return tokens[last] as SqlToken;
}
