import type { Dialect } from '@askema/core';
import { isSymbol, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';

/** A part of a name as it is written, without its quotes. */
export interface NamePart {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** A name without anything that has to be taken apart. */
const PLAIN = /^[\p{L}_][\p{L}\p{N}_$]*(?:\.[\p{L}_][\p{L}\p{N}_$]*)*$/u;

/** The parts of a name, outermost first, each quoted or not; undefined for a text that is no name. */
export function nameParts(name: string, dialect: Dialect): readonly NamePart[] | undefined {
  const text = name.trim();
  if (PLAIN.test(text)) return text.split('.').map((part) => ({ text: part, isQuoted: false }));
  const parts: NamePart[] = [];
  const tokens = significantTokens(text, dialect.lexer);
  for (const [at, token] of tokens.entries()) {
    if (at % 2 === 1) {
      if (!isSymbol(token, '.')) return undefined;
      continue;
    }
    const part = partOf(token, dialect);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const [only] = parts;
  // BigQuery quotes a whole path: `a.b.c`.
  if (parts.length === 1 && only?.isQuoted && dialect.identifiers.escape === 'backslash')
    return only.text.split('.').map((part) => ({ text: part, isQuoted: true }));
  return tokens.length % 2 === 1 ? parts : undefined;
}

/** As the engine stores a name that is written so. */
export function storedName({ text, isQuoted }: NamePart, { identifiers }: Dialect): string {
  if (isQuoted || identifiers.unquotedFolding === 'none') return text;
  return identifiers.unquotedFolding === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

function partOf(token: SqlToken, { lexer }: Dialect): NamePart | undefined {
  if (token.kind === 'word') return { text: token.text, isQuoted: false };
  // Models quote names as the standard does, also for engines to which "x" is a text.
  if (token.kind === 'string' && token.text.startsWith('"'))
    return { text: token.text.slice(1, -1).replaceAll('""', '"'), isQuoted: true };
  const text = token.kind === 'quotedName' ? nameOfToken(token, lexer) : undefined;
  return text === undefined ? undefined : { text, isQuoted: true };
}
