import type { LexerTraits } from '../adapter/dialect.ts';
import { type CompiledLexer, compileLexer, type QuoteRule, RULE } from './compile-lexer.ts';
import type { SqlToken, SqlTokenKind } from './sql-token.ts';

/**
 * The tokens of a text, whatever it is: their slices, one behind the other, are the text. What is opened and never closed runs to the end
 * and is flagged. Never throws; linear in the length of the text.
 */
export function lexSql(sql: string, traits: LexerTraits): readonly SqlToken[] {
  return [...scanSql(sql, traits)];
}

/** Like {@link lexSql}, one token at a time, so that a look at the beginning of a long text is cheap. */
export function* scanSql(sql: string, traits: LexerTraits): Generator<SqlToken, void, undefined> {
  const lexer = compileLexer(traits);
  // In PostgreSQL a string that goes on behind white space keeps the escapes of its first part.
  let escapesGoOn = false;
  for (let start = 0; start < sql.length; ) {
    const token = tokenAt(sql, start, lexer, escapesGoOn);
    if (token.kind === 'string') escapesGoOn = escapesGoOn || /^e'/i.test(token.text.slice(0, 2));
    else if (token.kind !== 'blank' && token.kind !== 'comment') escapesGoOn = false;
    yield token;
    start = token.end;
  }
}

/** The tokens that carry meaning: without blanks and comments. */
export function significantTokens(sql: string, traits: LexerTraits): SqlToken[] {
  const tokens: SqlToken[] = [];
  for (const token of scanSql(sql, traits)) if (token.kind !== 'blank' && token.kind !== 'comment') tokens.push(token);
  return tokens;
}

function tokenAt(sql: string, start: number, lexer: CompiledLexer, escapesGoOn: boolean): SqlToken {
  const matched = (kind: SqlTokenKind, pattern: RegExp): SqlToken | undefined => {
    pattern.lastIndex = start;
    return pattern.test(sql) && pattern.lastIndex > start ? token(sql, kind, start, pattern.lastIndex) : undefined;
  };
  const rules = lexer.rules[sql.charCodeAt(start)] ?? 0;
  return (
    matched('blank', lexer.blank) ??
    (rules & (RULE.lineComment | RULE.blockComment) ? comment(sql, start, lexer) : undefined) ??
    (lexer.unknown === undefined ? undefined : matched('unknown', lexer.unknown)) ??
    (rules & RULE.string ? quoted(sql, 'string', start, lexer.strings, escapesGoOn) : undefined) ??
    (rules & RULE.dollar ? dollarQuoted(sql, start, lexer) : undefined) ??
    (rules & RULE.name ? quoted(sql, 'quotedName', start, lexer.names, false) : undefined) ??
    (rules & RULE.template ? template(sql, start, lexer) : undefined) ??
    (rules & RULE.number ? matched('number', lexer.number) : undefined) ??
    (rules & RULE.parameter && lexer.parameter !== undefined && !opensPath(sql, start, lexer)
      ? matched('parameter', lexer.parameter)
      : undefined) ??
    matched('word', lexer.word) ??
    ('()[]{},;.'.includes(sql.charAt(start)) ? token(sql, 'punctuation', start, start + 1) : undefined) ??
    matched('operator', lexer.operator) ??
    token(sql, 'unknown', start, start + 1)
  );
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
    if (sql.startsWith(open, start)) {
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
