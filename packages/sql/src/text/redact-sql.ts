import type { LexerTraits } from '@askema/core';
import { lexSql } from './lex-sql.ts';
import { isSymbol, isWord, type SqlToken } from './sql-token.ts';

/** Behind these, what stands in double quotes is a name in any case. */
const BEFORE_NAMES = ['AS', 'FROM', 'JOIN', 'INTO', 'UPDATE', 'TABLE'];
/** Behind these stands a value more often than a name. */
const BEFORE_VALUES = ['LIKE', 'ILIKE', 'GLOB', 'THEN', 'ELSE'];

/**
 * A statement without what people write into it: texts and numbers are `?`, comments and anything unclear are gone. What
 * stands in double quotes is `?` too where the engine, or whoever wrote it, may take it for a text. Of a statement whose
 * texts end where nobody meant them to (`'O\'Brien'` in SQLite), nothing stays from the first text on.
 */
export function redactSql(sql: string, traits: LexerTraits): string {
  const tokens = lexSql(sql, traits);
  const solid = tokens.filter(({ kind }) => kind !== 'blank' && kind !== 'comment');
  const texts = textsIn(solid, traits);
  const whole = solid.some(isTorn)
    ? solid.findIndex(({ kind, text }) => kind === 'string' || text.startsWith('"'))
    : -1;
  const end = solid[whole]?.start ?? sql.length;
  const kept = tokens
    .filter(({ start }) => start <= end)
    .map((token) => {
      const { kind, text, start, unterminated } = token;
      if (start === end || unterminated === true || kind === 'unknown' || kind === 'template') return '?';
      if (kind === 'comment' || kind === 'blank') return ' ';
      return kind === 'string' || kind === 'number' || texts.has(token) ? '?' : text;
    });
  return kept.join('').replace(/\s+/g, ' ').trim();
}

/** True for a token by which one sees that a text, or a name in quotes, did not end where it was meant to. */
function isTorn({ kind, start, text, unterminated }: SqlToken, at: number, solid: readonly SqlToken[]): boolean {
  if (unterminated === true) return true;
  const before = solid[at - 1];
  const touches = before?.end === start && (before.kind === 'string' || before.kind === 'quotedName');
  return (touches && (kind === 'word' || kind === 'string')) || (kind === 'word' && /[‘’“”«»]/.test(text));
}

/** The names in double quotes that may be texts. */
function textsIn(solid: readonly SqlToken[], { quotedNamesMayBeText = false }: LexerTraits): ReadonlySet<SqlToken> {
  const texts = new Set<SqlToken>();
  let isInList = false;
  solid.forEach((token, at) => {
    const before = solid[at - 1];
    if (isSymbol(token, '(')) isInList = isWord(before, 'IN');
    if (isSymbol(token, ')')) isInList = false;
    if (token.kind !== 'quotedName' || !token.text.startsWith('"')) return;
    const isPart = isSymbol(before, '.') || isSymbol(solid[at + 1], '.');
    if (isPart || BEFORE_NAMES.some((word) => isWord(before, word))) return;
    const isValue = before?.kind === 'operator' || isInList || BEFORE_VALUES.some((word) => isWord(before, word));
    if (quotedNamesMayBeText || isValue) texts.add(token);
  });
  return texts;
}
