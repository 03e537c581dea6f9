import type { LexerTraits } from '@askema/core';
import { significantTokens } from './lex-sql.ts';
import { isSymbol, isWord } from './sql-token.ts';

/** What stands in the place of a placeholder. `count`: where a number of rows is asked for. Default: `value`. */
export interface ParameterFill {
  readonly value: string;
  readonly count?: string | undefined;
}

/** A statement with a text in the place of each placeholder, so that an engine that knows no values can plan it. */
export function fillParameters(sql: string, lexer: LexerTraits, { value, count = value }: ParameterFill): string {
  let text = '';
  let end = 0;
  let counts = false;
  for (const token of significantTokens(sql, lexer)) {
    if (token.kind === 'parameter') {
      text += `${sql.slice(end, token.start)}${counts ? count : value}`;
      end = token.end;
    } else if (token.kind !== 'number' && !isSymbol(token, ','))
      counts = ['LIMIT', 'OFFSET', 'FIRST', 'NEXT'].some((word) => isWord(token, word));
  }
  return text + sql.slice(end);
}
