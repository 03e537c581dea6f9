import type { LexerTraits } from '../adapter/dialect.ts';
import { foldName } from '../schema/schema-id.ts';
import type { SqlToken } from './sql-token.ts';

/** The name that a token stands for, as the engine stores it: without quotes and escapes, folded when it has no quotes; undefined for what is no name. */
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
