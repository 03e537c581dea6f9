import { AskemaError, type Dialect } from '@askema/core';
import { isWord, lexSql, type SqlToken } from '@askema/sql';

/** Parsers of engines go down one call for each; some hold out longer than any deadline, or end with their process. */
const MAX_NESTED = 1_000;

/**
 * Holds back what no engine should be handed, not even to be looked at: comments, brackets, CASE, and signs or NOT one
 * behind the other, more than 1,000 deep, or as many as the dialect says (`maxNested`).
 *
 * @throws AskemaError `QUERY_REFUSED`.
 */
export function throwIfTooDeep(sql: string, lexer: Dialect['lexer']): void {
  const most = lexer.statements?.maxNested ?? MAX_NESTED;
  const what = nestedTooDeep(sql, lexer, most);
  if (what === undefined) return;
  throw new AskemaError(
    'QUERY_REFUSED',
    `The statement is not sent: it nests ${what} more than ${most} deep. Write it flatter.`,
    { details: { sql, errorClass: 'permission' } },
  );
}

/** What a text nests more than `most` deep. */
export function nestedTooDeep(sql: string, lexer: Dialect['lexer'], most: number): string | undefined {
  let brackets = 0;
  let cases = 0;
  let prefixes = 0;
  for (const token of lexSql(sql, lexer)) {
    const { kind, text } = token;
    if (kind === 'blank') continue;
    if (kind === 'comment') {
      if (text.startsWith('/*') && deepestComment(text) > most) return 'comments';
      continue;
    }
    const isMark = kind === 'punctuation' || kind === 'operator';
    if (isMark && OPENS.has(text)) brackets += 1;
    else if (isMark && CLOSES.has(text)) brackets -= 1;
    else if (isWord(token, 'CASE')) cases += 1;
    else if (isWord(token, 'END')) cases = Math.max(0, cases - 1);
    prefixes = isPrefix(token) ? prefixes + 1 : 0;
    if (brackets > most) return 'brackets';
    if (cases > most) return 'CASE';
    if (prefixes > most) return 'signs and NOT';
  }
  return undefined;
}

const OPENS = new Set(['(', '[', '{']);
const CLOSES = new Set([')', ']', '}']);

function isPrefix(token: SqlToken): boolean {
  return isWord(token, 'NOT') || (token.kind === 'operator' && /^[-+~!@|]+$/.test(token.text));
}

function deepestComment(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const mark of text.match(/\/\*|\*\//g) ?? []) {
    open += mark === '/*' ? 1 : -1;
    deepest = Math.max(deepest, open);
  }
  return deepest;
}
