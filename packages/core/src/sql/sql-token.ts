import type { Span } from '../ports/index.ts';

/**
 * What a piece of SQL text is. `template` is text that something else fills in before the engine sees it (`{{ ref('x') }}`, `${x}`);
 * `unknown` is what the dialect does not take as a token.
 */
export type SqlTokenKind =
  | 'word'
  | 'quotedName'
  | 'string'
  | 'number'
  | 'parameter'
  | 'operator'
  | 'punctuation'
  | 'comment'
  | 'blank'
  | 'template'
  | 'unknown';

/** A piece of SQL text: a half-open range of UTF-16 code units. */
export interface SqlToken extends Span {
  readonly kind: SqlTokenKind;
  /** As it stands in the source. */
  readonly text: string;
  /** Opened, but never closed: it runs to the end of the text. */
  readonly unterminated?: true | undefined;
}

/** True for a keyword or an unquoted name of this spelling; `word` in upper case. */
export function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.length === word.length && token.text.toUpperCase() === word;
}

/** True for a token of exactly this text that is no string, name or comment. */
export function isSymbol(token: SqlToken | undefined, text: string): boolean {
  return token !== undefined && (token.kind === 'punctuation' || token.kind === 'operator') && token.text === text;
}
