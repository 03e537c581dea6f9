import type { LexerTraits } from '@askema/core';
import { nameOfToken, type SqlToken, significantTokens } from '@askema/sql';

/** `word` is a keyword or plain name, `quoted` a quoted name. Comments and blanks are left out. */
type TokenKind = 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'symbol';

/** One token. Offsets are UTF-16 code units in the whole source. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** As written; of a `quoted` name what it names: without quotes, escapes resolved. */
  readonly text: string;
  /** `text` in upper case of a `word`, the text of a `symbol`, else empty: what keywords are compared with. */
  readonly upper: string;
}

const KINDS: Readonly<Partial<Record<SqlToken['kind'], TokenKind>>> = {
  word: 'word',
  quotedName: 'quoted',
  string: 'string',
  number: 'number',
  parameter: 'parameter',
};

/** Splits SQL into the tokens that carry meaning, by core's lexer. */
export function scanTokens(source: string, traits: LexerTraits): readonly Token[] {
  return significantTokens(source, traits).map((token) => {
    const kind = KINDS[token.kind] ?? 'symbol';
    const text = kind === 'quoted' ? (nameOfToken(token, traits) ?? token.text) : token.text;
    const upper = kind === 'word' ? token.text.toUpperCase() : kind === 'symbol' ? token.text : '';
    return { kind, start: token.start, end: token.end, text, upper };
  });
}
