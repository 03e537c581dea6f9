import type { LexerTraits } from '@askema/core';
import { type CompiledLexer, compileLexer, type QuoteRule, RULE } from './compile-lexer.ts';
import type { SqlToken, SqlTokenKind } from './sql-token.ts';

/**
 * The tokens of a text, whatever it is: their slices, one behind the other, are the text. What is opened and never
 * closed runs to the end and is flagged. Never throws; linear in the length of the text.
 */
export function lexSql(sql: string, traits: LexerTraits): readonly SqlToken[] {
  const reader = new TokenReader(sql, traits);
  const tokens: SqlToken[] = [];
  for (let token = reader.next(); token !== undefined; token = reader.next()) tokens.push(token);
  return tokens;
}

/** Like {@link lexSql}, one token at a time, so that a look at the beginning of a long text is cheap. */
export function* scanSql(sql: string, traits: LexerTraits): Generator<SqlToken, void, undefined> {
  const reader = new TokenReader(sql, traits);
  for (let token = reader.next(); token !== undefined; token = reader.next()) yield token;
}

/** The tokens that carry meaning: without blanks and comments. */
export function significantTokens(sql: string, traits: LexerTraits): SqlToken[] {
  const reader = new TokenReader(sql, traits);
  const tokens: SqlToken[] = [];
  for (let token = reader.nextBehindBlanks(); token !== undefined; token = reader.nextBehindBlanks())
    if (isSignificant(token)) tokens.push(token);
  return tokens;
}

/** What carries meaning. */
function isSignificant({ kind }: SqlToken): boolean {
  return kind !== 'blank' && kind !== 'comment';
}

class TokenReader {
  readonly #sql: string;
  readonly #lexer: CompiledLexer;
  #start = 0;
  // In PostgreSQL a string that goes on in a new line keeps the escapes of its first part.
  #escapes = false;
  #newLine = false;

  constructor(sql: string, traits: LexerTraits) {
    this.#sql = sql;
    this.#lexer = compileLexer(traits);
  }

  /** Like {@link next}; blanks, which are every second token, are read over where nothing depends on what they hold. */
  nextBehindBlanks(): SqlToken | undefined {
    const { rules, blank } = this.#lexer;
    if (!this.#escapes && (rules[this.#sql.charCodeAt(this.#start)] ?? OTHER) & RULE.blank) {
      blank.lastIndex = this.#start;
      if (blank.test(this.#sql)) this.#start = blank.lastIndex;
    }
    return this.next();
  }

  next(): SqlToken | undefined {
    if (this.#start >= this.#sql.length) return undefined;
    const goesOn = this.#escapes && this.#newLine;
    const token = tokenAt(this.#sql, this.#start, this.#lexer, goesOn);
    this.#start = token.end;
    if (token.kind === 'string') this.#escapes = goesOn || token.text.startsWith("e'") || token.text.startsWith("E'");
    else if (token.kind !== 'blank' && token.kind !== 'comment') this.#escapes = false;
    else if (this.#escapes && /[\n\r]/.test(token.text)) {
      this.#newLine = true;
      return token;
    } else return token;
    this.#newLine = false;
    return token;
  }
}

/** Non-ASCII characters: whatever the patterns of blanks and words say. */
const OTHER = RULE.blank | RULE.word;

function tokenAt(sql: string, start: number, lexer: CompiledLexer, escapesGoOn: boolean): SqlToken {
  const rules = lexer.rules[sql.charCodeAt(start)] ?? OTHER;
  return (
    (rules & RULE.blank ? matched(sql, 'blank', lexer.blank, start) : undefined) ??
    (lexer.unknown === undefined ? undefined : matched(sql, 'unknown', lexer.unknown, start)) ??
    (rules & (RULE.lineComment | RULE.blockComment) ? comment(sql, start, lexer) : undefined) ??
    (rules & RULE.string ? quoted(sql, 'string', start, lexer.strings, escapesGoOn) : undefined) ??
    (rules & RULE.dollar ? dollarQuoted(sql, start, lexer) : undefined) ??
    (rules & RULE.name ? quoted(sql, 'quotedName', start, lexer.names, false) : undefined) ??
    (rules & RULE.template ? template(sql, start, lexer) : undefined) ??
    (rules & RULE.number ? matched(sql, 'number', lexer.number, start) : undefined) ??
    (rules & RULE.parameter && !opensPath(sql, start, lexer)
      ? matched(sql, 'parameter', lexer.parameter, start)
      : undefined) ??
    (rules & RULE.word ? matched(sql, 'word', lexer.word, start) : undefined) ??
    (rules & RULE.punctuation
      ? token(sql, 'punctuation', start, start + 1)
      : (matched(sql, 'operator', lexer.operator, start) ?? token(sql, 'unknown', start, start + 1)))
  );
}

function matched(sql: string, kind: SqlTokenKind, pattern: RegExp | undefined, start: number): SqlToken | undefined {
  if (pattern === undefined) return undefined;
  pattern.lastIndex = start;
  return pattern.test(sql) && pattern.lastIndex > start ? token(sql, kind, start, pattern.lastIndex) : undefined;
}

function token(sql: string, kind: SqlTokenKind, start: number, end: number): SqlToken {
  return { kind, start, end, text: sql.slice(start, end) };
}

/** A token that ends where `close` ends, or, flagged, with the text. */
function closedAt(sql: string, kind: SqlTokenKind, start: number, end: number | undefined): SqlToken {
  return end === undefined
    ? { ...token(sql, kind, start, sql.length), unterminated: true }
    : token(sql, kind, start, end);
}

function comment(sql: string, start: number, lexer: CompiledLexer): SqlToken | undefined {
  for (const open of lexer.lineComments)
    if (sql.startsWith(open, start) || endsTextAt(sql, start, open)) {
      lexer.lineEnd.lastIndex = start;
      const end = lexer.lineEnd.exec(sql);
      return token(sql, 'comment', start, end?.index ?? sql.length);
    }
  if (!lexer.blockComments || !sql.startsWith('/*', start)) return undefined;
  if (!lexer.nestedComments) {
    const close = sql.indexOf('*/', start + 2);
    return closedAt(sql, 'comment', start, close < 0 ? undefined : close + 2);
  }
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start + 2;
  for (let depth = 1, mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return token(sql, 'comment', start, marks.lastIndex);
  }
  return closedAt(sql, 'comment', start, undefined);
}

/** What opens a comment in front of a new line does so at the end of the text as well. */
function endsTextAt(sql: string, start: number, open: string): boolean {
  return open.endsWith('\n') && start + open.length - 1 === sql.length && sql.startsWith(open.slice(0, -1), start);
}

function quoted(
  sql: string,
  kind: 'string' | 'quotedName',
  start: number,
  rules: readonly QuoteRule[],
  escapesGoOn: boolean,
): SqlToken | undefined {
  for (const rule of rules) {
    const { open } = rule;
    if (!sql.startsWith(open, start) && sql.slice(start, start + open.length).toLowerCase() !== open) continue;
    return closedAt(sql, kind, start, endOfQuoted(sql, start + open.length, rule, rule.backslash || escapesGoOn));
  }
  return undefined;
}

/** Behind the closing quote; undefined when there is none. */
function endOfQuoted(sql: string, from: number, { close, doubled }: QuoteRule, backslash: boolean): number | undefined {
  const first = close.charCodeAt(0);
  for (let position = from; position < sql.length; position += 1) {
    const code = sql.charCodeAt(position);
    if (backslash && code === 92) position += 1;
    else if (code === first && sql.startsWith(close, position)) {
      if (!doubled || !sql.startsWith(close, position + close.length)) return position + close.length;
      position += close.length;
    }
  }
  return undefined;
}

function dollarQuoted(sql: string, start: number, lexer: CompiledLexer): SqlToken | undefined {
  if (lexer.dollarQuote === undefined) return undefined;
  lexer.dollarQuote.lastIndex = start;
  const tag = lexer.dollarQuote.exec(sql)?.[0];
  if (tag === undefined) return undefined;
  const close = sql.indexOf(tag, start + tag.length);
  return closedAt(sql, 'string', start, close < 0 ? undefined : close + tag.length);
}

function template(sql: string, start: number, lexer: CompiledLexer): SqlToken | undefined {
  for (const [open, close] of lexer.templates) {
    if (!sql.startsWith(open, start)) continue;
    const end = sql.indexOf(close, start + open.length);
    return closedAt(sql, 'template', start, end < 0 ? undefined : end + close.length);
  }
  return undefined;
}

/** `v:a` is a path where the dialect has paths; `:a` behind a blank or an operator is a parameter. */
function opensPath(sql: string, start: number, lexer: CompiledLexer): boolean {
  return (
    lexer.colonPaths && sql.charAt(start) === ':' && start > 0 && /[\w$"')\]\u0080-\uFFFF]/.test(sql.charAt(start - 1))
  );
}
