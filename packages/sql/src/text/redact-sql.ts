import type { LexerTraits } from '@askema/core';
import { lexSql } from './lex-sql.ts';
import type { SqlToken } from './sql-token.ts';

/**
 * A statement without what people write into it: texts and numbers are `?`, comments and anything unclear are gone, and
 * so are names that may be texts (`quotedNameMayBeString` of the dialect).
 */
export function redactSql(sql: string, traits: LexerTraits): string {
  const tokens = lexSql(sql, traits);
  const isUnclear = traits.quotedNameMayBeString === true ? mayBeText(tokens) : () => false;
  const kept = tokens.map((token, index) => {
    const { kind, text, unterminated } = token;
    if (unterminated === true || kind === 'unknown' || kind === 'template' || isUnclear(token, index)) return '?';
    if (kind === 'comment' || kind === 'blank') return ' ';
    return kind === 'string' || kind === 'number' ? '?' : text;
  });
  return kept.join('').replace(/\s+/g, ' ').trim();
}

/** Words behind which a name stands and no text. */
const BEFORE_NAMES = new Set('AS FROM JOIN INTO UPDATE TABLE VIEW'.split(' '));

/** Tells names in double quotes that need not be names by where they stand. */
function mayBeText(tokens: readonly SqlToken[]): (token: SqlToken, index: number) => boolean {
  const near = (index: number, step: 1 | -1): SqlToken | undefined => {
    let at = index + step;
    while (tokens[at]?.kind === 'blank' || tokens[at]?.kind === 'comment') at += step;
    return tokens[at];
  };
  return ({ kind, text }, index) => {
    if (kind !== 'quotedName' || !text.startsWith('"')) return false;
    const before = near(index, -1)?.text ?? '';
    return before !== '.' && near(index, 1)?.text !== '.' && !BEFORE_NAMES.has(before.toUpperCase());
  };
}
