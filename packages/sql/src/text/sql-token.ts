import { foldName, type LexerTraits, type Span } from '@askema/core';

/**
 * What a piece of SQL text is. `template` is text that something else fills in before the engine sees it (`{{ ref('x')
 * }}`, `${x}`); `unknown` is what the dialect does not take as a token.
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

/** True for what opens a comment that some versions of the engine run as code, as `/*!50000` of MySQL does. */
export function isExecutableComment(token: SqlToken): boolean {
  return token.kind === 'unknown' && token.text.startsWith('/*');
}

/** True for a token of exactly this text that is no string, name or comment. */
export function isSymbol(token: SqlToken | undefined, text: string): boolean {
  return token !== undefined && (token.kind === 'punctuation' || token.kind === 'operator') && token.text === text;
}

/**
 * The name that a token stands for, as the engine stores it: without quotes and escapes, folded when it has no quotes;
 * undefined for what is no name.
 */
export function nameOfToken(token: SqlToken, traits: LexerTraits): string | undefined {
  if (token.kind === 'template') return token.text;
  if (token.kind === 'word') return foldUnquoted(token.text, traits);
  if (token.kind !== 'quotedName') return undefined;
  const [open, close] = traits.identifierQuotes.find(([mark]) => token.text.startsWith(mark)) ?? ['', ''];
  const inner = token.text.slice(open.length, token.unterminated ? undefined : -close.length);
  if (traits.identifierBackslashEscapes === true) return inner.replace(/\\(.)/gs, '$1');
  return open === close ? inner.replaceAll(close + close, close) : inner;
}

/** The form under which two names of one statement are the same. */
export function comparedName(name: string, traits: LexerTraits): string {
  return foldName(name, traits.nameFolding?.comparison ?? 'insensitive');
}

function foldUnquoted(name: string, traits: LexerTraits): string {
  switch (traits.nameFolding?.unquoted) {
    case 'upper':
      return name.toUpperCase();
    case 'lower':
      return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    default:
      return name;
  }
}
