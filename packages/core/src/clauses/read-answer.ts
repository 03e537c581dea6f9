import type { LexerTraits } from '../adapter/dialect.ts';
import { lexSql } from '../sql/lex-sql.ts';
import { splitStatements } from '../sql/split-statements.ts';

/** The answer of a sub-question as one query without its semicolon, or why it is none. */
export function readAnswer(answer: string, traits: LexerTraits): { readonly sql: string } | { readonly fault: string } {
  if (answer.includes('\0')) return { fault: 'has an answer with a NUL character' };
  const statements = splitStatements(answer, traits);
  const [only] = statements;
  if (only === undefined) return { fault: 'has an empty answer' };
  if (statements.length > 1) return { fault: 'has an answer of several statements' };
  const sql = answer.slice(only.start, only.end);
  let depth = 0;
  for (const token of lexSql(sql, traits)) {
    if (token.unterminated === true) return { fault: 'has an answer with a quote that is never closed' };
    if (token.kind !== 'punctuation') continue;
    if (token.text === '(') depth += 1;
    else if (token.text === ')') depth -= 1;
    if (depth < 0) break;
  }
  return depth === 0 ? { sql } : { fault: 'has an answer with unbalanced brackets' };
}

/** A query on one line; blanks between strings stay, because a new line there joins them in some dialects. */
export function onOneLine(sql: string, traits: LexerTraits): string {
  const tokens = lexSql(sql, traits);
  return tokens
    .map(({ kind, text }, index) => {
      const joins = tokens[index - 1]?.kind === 'string' && tokens[index + 1]?.kind === 'string';
      return kind === 'blank' && !joins ? ' ' : text;
    })
    .join('');
}
