import type { LexerTraits, Span } from '@askema/core';
import { isSymbol, isWord, lexSql, type SqlToken } from '@askema/sql';

/** Words that begin another clause or statement when they stand outside of brackets. */
const CLAUSE_WORDS = new Set('SELECT FROM WHERE HAVING UNION INTERSECT EXCEPT LIMIT JOIN QUALIFY'.split(' '));
/** Operators that bind more loosely than a comparison, or as loosely. */
const LOOSE_WORDS = new Set('AND OR NOT IN LIKE ILIKE BETWEEN IS'.split(' '));
const LOOSE_SYMBOLS = new Set(['=', '==', '<>', '!=', '<', '<=', '>', '>=']);
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** A piece of SQL that a model wrote as one argument. */
export interface ExpressionText {
  readonly text: string;
  /** All of them, blanks too. */
  readonly tokens: readonly SqlToken[];
  /** AND or OR stands outside of brackets. */
  readonly isCompound: boolean;
  /** An operator stands outside of brackets that binds no tighter than a comparison. */
  readonly isLoose: boolean;
  /** A comma stands outside of brackets. */
  readonly isList: boolean;
  /** One pair of brackets holds the whole. */
  readonly isBracketed: boolean;
}

/** Why a text cannot stand as an argument; a sentence without its subject. */
export interface ExpressionFault {
  readonly fault: string;
}

/**
 * Reads an argument, or says why it is none: brackets or quotes that are not closed, comments, semicolons, clauses that
 * stand outside of brackets. So no argument can end the clause that it stands in.
 */
export function readExpression(written: string, traits: LexerTraits): ExpressionText | ExpressionFault {
  const text = written.trim();
  if (text === '') return { fault: 'is empty' };
  if (text.includes('\0')) return { fault: 'contains a NUL character' };
  const tokens = lexSql(text, traits);
  const open: string[] = [];
  let previous: SqlToken | undefined;
  let [isCompound, isLoose, isList, brackets] = [false, false, false, 0];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'blank') continue;
    if (token.unterminated === true)
      return { fault: `has a quote or comment that is never closed: ${token.text.slice(0, 40)}` };
    if (token.kind === 'comment') return { fault: `contains a comment: ${token.text.slice(0, 40)}` };
    if (isSymbol(token, ';')) return { fault: 'contains a semicolon: only one expression can stand here' };
    if (open.length === 0) {
      if (isClauseWord(token, previous, tokens, index))
        return {
          fault: `contains ${token.text.toUpperCase()} outside of brackets: a sub-query stands in brackets, a clause is an action of its own`,
        };
      isCompound ||= isWord(token, 'AND') || isWord(token, 'OR');
      isLoose ||=
        (token.kind === 'word' && LOOSE_WORDS.has(token.text.toUpperCase())) ||
        (token.kind === 'operator' && LOOSE_SYMBOLS.has(token.text));
      isList ||= isSymbol(token, ',');
    }
    const fault = followBrackets(token, open);
    if (fault !== undefined) return { fault };
    if (open.length === 0 && isClosing(token)) brackets += 1;
    previous = token;
  }
  if (open.length > 0) return { fault: `has ${open.length} opened and never closed: ${text.slice(0, 80)}` };
  const isBracketed = brackets === 1 && isSymbol(tokens[0], '(') && isSymbol(tokens.at(-1), ')');
  return { text, tokens, isCompound, isLoose, isList, isBracketed };
}

/** CASE … END counts as brackets. */
function followBrackets(token: SqlToken, open: string[]): string | undefined {
  const closing = token.kind === 'punctuation' ? CLOSING[token.text] : isWord(token, 'CASE') ? 'END' : undefined;
  if (closing !== undefined) open.push(closing);
  else if (isClosing(token)) {
    const wanted = open.pop();
    if (wanted === undefined) return `closes a bracket that was never opened: ${token.text}`;
    if (wanted !== token.text) return `closes ${token.text} where ${wanted} is open`;
  } else if (isWord(token, 'END') && open.at(-1) === 'END') open.pop();
  return undefined;
}

function isClosing(token: SqlToken): boolean {
  return token.kind === 'punctuation' && (token.text === ')' || token.text === ']' || token.text === '}');
}

/** Not behind a dot, not in IS DISTINCT FROM, not in `* EXCEPT (…)`. */
function isClauseWord(
  token: SqlToken,
  previous: SqlToken | undefined,
  tokens: readonly SqlToken[],
  index: number,
): boolean {
  if (token.kind !== 'word' || isSymbol(previous, '.')) return false;
  const word = token.text.toUpperCase();
  if (word === 'BY') return isWord(previous, 'GROUP') || isWord(previous, 'ORDER');
  if (!CLAUSE_WORDS.has(word)) return false;
  if (word === 'FROM') return !isWord(previous, 'DISTINCT');
  if (word === 'EXCEPT') return !(isSymbol(previous, '*') && isSymbol(nextOf(tokens, index), '('));
  return true;
}

function nextOf(tokens: readonly SqlToken[], index: number): SqlToken | undefined {
  return tokens.slice(index + 1, index + 3).find(({ kind }) => kind !== 'blank');
}

/** A piece of SQL text and which action wrote which part of it. */
export interface SqlPiece {
  readonly text: string;
  readonly marks: readonly ActionSpan[];
}

/** What an action wrote: `span` slices the statement. */
export interface ActionSpan {
  /** Index of the action. */
  readonly action: number;
  readonly span: Span;
}

/** Pieces and plain texts, one behind the other. */
export function concat(...parts: readonly (SqlPiece | string)[]): SqlPiece {
  let text = '';
  const marks: ActionSpan[] = [];
  for (const part of parts) {
    if (typeof part !== 'string')
      for (const { action, span } of part.marks)
        marks.push({ action, span: { start: span.start + text.length, end: span.end + text.length } });
    text += typeof part === 'string' ? part : part.text;
  }
  return { text, marks };
}

export function joinPieces(pieces: readonly SqlPiece[], separator: string): SqlPiece {
  return concat(...pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece])));
}

/** The piece, all of it written by that action. */
export function markedAs(action: number, piece: SqlPiece | string): SqlPiece {
  const { text, marks } = typeof piece === 'string' ? { text: piece, marks: [] } : piece;
  return { text, marks: [{ action, span: { start: 0, end: text.length } }, ...marks] };
}
