import { type Dialect, type LexerTraits, quoteIdentifier } from '@askema/core';
import {
  isSymbol,
  lexSql,
  nameOfToken,
  type SqlToken,
  significantTokens,
  splitStatements,
  stripComments,
} from '@askema/sql';
import type { AskSubQuestion, ClauseAction } from './clause-action.ts';
import { concat, markedAs, type SqlPiece } from './expression-text.ts';

/** A sub-question of the sequence. */
export interface SubQuestion {
  readonly id: string;
  readonly action: number;
  readonly use: AskSubQuestion['use'];
  /** Its SQL without comments; undefined where there is no answer. */
  readonly sql: string | undefined;
  /** Why its answer cannot be used. */
  readonly fault: string | undefined;
}

/** By id. */
export function subQuestionsOf(
  actions: readonly ClauseAction[],
  answers: Readonly<Record<string, string>>,
  dialect: Dialect,
): ReadonlyMap<string, SubQuestion> {
  const found = new Map<string, SubQuestion>();
  for (const [index, action] of actions.entries()) {
    if (action.action !== 'qa' || found.has(action.id)) continue;
    const answer = Object.hasOwn(answers, action.id) ? answers[action.id] : undefined;
    const read =
      answer === undefined
        ? { fault: 'has no answer yet' }
        : readAnswer(stripComments(answer, dialect.lexer), dialect.lexer);
    found.set(action.id, {
      id: action.id,
      action: index,
      use: action.use,
      sql: 'sql' in read ? read.sql : undefined,
      fault: 'fault' in read ? read.fault : undefined,
    });
  }
  return found;
}

/**
 * A name that this statement gives (alias, CTE) as SQL: unquoted where the dialect reads it as it was written
 * elsewhere, too. One that comes with its quotes keeps them.
 */
export function writeOwnName(name: string, dialect: Pick<Dialect, 'identifiers' | 'lexer'>): string {
  if (quotedNameOf(name, dialect) !== undefined) return name;
  const { identifiers } = dialect;
  const isPlain = new RegExp(`^(?:${identifiers.plainPattern})$`).test(name);
  return isPlain && !identifiers.reservedWords.includes(name.toUpperCase()) ? name : quoteIdentifier(name, dialect);
}

/** What stands between the quotes of a text that is nothing but one quoted name. */
export function quotedNameOf(text: string, { lexer }: Pick<Dialect, 'lexer'>): string | undefined {
  const [token, ...others] = significantTokens(text, lexer);
  const isQuoted = token?.kind === 'quotedName' && token.unterminated !== true && others.length === 0;
  return isQuoted && token.text.length === text.length ? nameOfToken(token, lexer) : undefined;
}

/**
 * The id that begins at a token (`$q1` is one token in some dialects and two in others), and how many tokens it has.
 */
function subQuestionAt(
  tokens: readonly SqlToken[],
  index: number,
): { readonly id: string; readonly length: number } | undefined {
  const token = tokens[index];
  if (token === undefined) return undefined;
  if (token.kind === 'parameter' && /^\$[A-Za-z_]\w*$/.test(token.text)) return { id: token.text.slice(1), length: 1 };
  const next = tokens[index + 1];
  const isSplit =
    token.text === '$' && (token.kind === 'operator' || token.kind === 'unknown') && next?.kind === 'word';
  return isSplit && next !== undefined ? { id: next.text, length: 2 } : undefined;
}

/** Behind these a bracket holds a sub-query itself, where a second pair would make a value of it. */
const QUERY_WORDS = new Set(
  'IN EXISTS ANY ALL SOME ARRAY AND OR NOT WHEN THEN ELSE CASE BETWEEN LIKE SELECT DISTINCT BY ON IS'.split(' '),
);

/**
 * The tokens with each `$id` replaced: a bracketed sub-query, or the name of the CTE where it asks for rows
 * (`$id.column`), or a query on it. `resolve` gives the sub-question, and reports an id that there is none for.
 */
export function withAnswers(
  tokens: readonly SqlToken[],
  dialect: Dialect,
  resolve: (id: string) => SubQuestion | undefined,
): SqlPiece {
  const parts: (SqlPiece | string)[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const found = subQuestionAt(tokens, index);
    if (found === undefined) {
      parts.push(tokens[index]?.text ?? '');
      continue;
    }
    const question = resolve(found.id);
    const end = index + found.length;
    if (question !== undefined) {
      const isQualifier = isSymbol(tokens[end], '.');
      parts.push(
        isQualifier
          ? writeOwnName(question.id, dialect)
          : isAlone(tokens, index, end)
            ? bareAnswer(question, dialect)
            : bracketedAnswer(question, dialect),
      );
    }
    index = end - 1;
  }
  return concat(...parts);
}

export function bracketedAnswer(question: SubQuestion, dialect: Dialect): SqlPiece {
  return concat('(', bareAnswer(question, dialect), ')');
}

function bareAnswer(question: SubQuestion, dialect: Dialect): SqlPiece {
  const sql =
    question.use === 'rows'
      ? `SELECT * FROM ${writeOwnName(question.id, dialect)}`
      : onOneLine(question.sql ?? '', dialect.lexer);
  return markedAs(question.action, sql);
}

/** It is all that a pair of brackets holds, and they are not those of a function. */
function isAlone(tokens: readonly SqlToken[], start: number, end: number): boolean {
  const solid = (from: number, step: 1 | -1): number => {
    let index = from;
    while (tokens[index]?.kind === 'blank') index += step;
    return index;
  };
  const before = solid(start - 1, -1);
  if (!isSymbol(tokens[before], '(') || !isSymbol(tokens[solid(end, 1)], ')')) return false;
  const opener = tokens[solid(before - 1, -1)];
  if (opener === undefined || opener.kind === 'operator') return true;
  if (opener.kind === 'punctuation') return opener.text === '(' || opener.text === ',';
  return opener.kind === 'word' && QUERY_WORDS.has(opener.text.toUpperCase());
}

/** The answer of a sub-question as one query without its semicolon, or why it is none. */
function readAnswer(answer: string, traits: LexerTraits): { readonly sql: string } | { readonly fault: string } {
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
function onOneLine(sql: string, traits: LexerTraits): string {
  const tokens = lexSql(sql, traits);
  return tokens
    .map(({ kind, text }, index) => {
      const joins = tokens[index - 1]?.kind === 'string' && tokens[index + 1]?.kind === 'string';
      return kind === 'blank' && !joins ? ' ' : text;
    })
    .join('');
}
