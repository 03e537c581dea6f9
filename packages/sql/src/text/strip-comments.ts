import type { LexerTraits, Span } from '@askema/core';
import { scanSql } from './lex-sql.ts';
import { nameOfToken, type SqlToken } from './sql-token.ts';

/**
 * The text without its comments; where one stood between two tokens, a blank keeps them apart. Strings and names stay
 * as they are.
 */
export function stripComments(sql: string, traits: LexerTraits): string {
  let text = '';
  for (const token of scanSql(sql, traits)) {
    if (token.kind !== 'comment') text += token.text;
    else if (text !== '' && !/\s$/.test(text.slice(-1))) text += ' ';
  }
  return text;
}

/** A name somewhere in a text. */
export interface NameInText extends Span {
  /** As the engine sees it. */
  readonly name: string;
  /** As it is written. */
  readonly rawName: string;
}

/** Everything that can be a name, keywords included, in the order of the text; parts of a dotted name one by one. */
export function namesIn(tokens: readonly SqlToken[], traits: LexerTraits): readonly NameInText[] {
  return tokens.flatMap((token) => {
    if (token.kind !== 'word' && token.kind !== 'quotedName') return [];
    const name = nameOfToken(token, traits);
    return name === undefined ? [] : [{ name, rawName: token.text, start: token.start, end: token.end }];
  });
}
