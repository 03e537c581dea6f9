import type { LexerTraits } from '@askema/core';
import { lexSql } from './lex-sql.ts';

/** A statement without what people write into it: texts and numbers are `?`, comments and anything unclear are gone. */
export function redactSql(sql: string, traits: LexerTraits): string {
  const kept = lexSql(sql, traits).map(({ kind, text, unterminated }) => {
    if (unterminated === true || kind === 'unknown' || kind === 'template') return '?';
    if (kind === 'comment' || kind === 'blank') return ' ';
    return kind === 'string' || kind === 'number' ? '?' : text;
  });
  return kept.join('').replace(/\s+/g, ' ').trim();
}
