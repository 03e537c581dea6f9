import type { LexerTraits, Span } from '@askema/core';
import { isSymbol, isWord, type SqlToken, significantTokens } from '@askema/sql';
import { replaceSpans } from '../expression/replace-spans.ts';
import type { DialectExpression } from '../model/semantic-model.ts';

/** Aggregates of the engines whose formats are read. */
const AGGREGATE = new RegExp(
  String.raw`^(?:SUM|COUNT|AVG|MIN|MAX|MEDIAN|MODE|ANY_VALUE|STDDEV\w*|VAR\w*|COUNT_?IF|APPROX_\w+|PERCENTILE_\w+|LISTAGG` +
    String.raw`|(?:STRING|ARRAY|OBJECT)_AGG|BOOL(?:AND|OR)_AGG|HLL\w*)$`,
  'i',
);

/** Aggregates of one argument, which count only what is not NULL. */
const OF_VALUES = /^(SUM|COUNT|AVG|MIN|MAX|MEDIAN|STDDEV\w*|VAR\w*|COUNT_?IF)$/i;

/** Functions, and words before a bracket, that every engine writes alike. */
const COMMON = new RegExp(
  '^(?:SUM|COUNT|AVG|MIN|MAX|COALESCE|NULLIF|ABS|ROUND|LOWER|UPPER|TRIM|LENGTH|REPLACE' +
    '|IN|AND|OR|NOT|THEN|WHEN|ELSE|CASE|DISTINCT|BETWEEN)$',
  'i',
);

/** A name in the text of an expression: `total` or `orders.total`. */
export interface NameInExpression extends Span {
  readonly qualifier: string | undefined;
  readonly name: string;
  /** It is, or stands in, what an aggregate adds up. */
  readonly isAggregated: boolean;
}

export interface ExpressionText {
  readonly names: readonly NameInExpression[];
  readonly hasAggregate: boolean;
  readonly hasWindow: boolean;
  /** A SELECT stands in it. */
  readonly hasQuery: boolean;
  /** Aggregates of one argument, or of `*`, that can be limited to rows: the span of each argument. */
  readonly arguments: readonly AggregateArgument[];
  /** Every aggregate is among `arguments`. */
  readonly isSimple: boolean;
}

interface AggregateArgument extends Span {
  readonly isStar: boolean;
}

/**
 * What stands in the text of an expression, without its grammar: importers look for the metrics that it names, and
 * exporters limit aggregates to rows.
 */
export function readExpressionText(text: string, lexer: LexerTraits): ExpressionText {
  const tokens = significantTokens(text, lexer);
  const open: { readonly isAggregate: boolean; readonly at: number }[] = [];
  const names: NameInExpression[] = [];
  const found: AggregateArgument[] = [];
  let aggregates = 0;
  for (const [at, token] of tokens.entries()) {
    if (isSymbol(token, '(')) open.push({ isAggregate: isAggregate(tokens[at - 1]), at });
    else if (isSymbol(token, ')')) {
      const opened = open.pop();
      if (opened?.isAggregate !== true) continue;
      aggregates += 1;
      const argument = OF_VALUES.test(tokens[opened.at - 1]?.text ?? '')
        ? argumentBetween(tokens, opened.at, at)
        : undefined;
      if (argument !== undefined) found.push(argument);
    } else {
      const name = nameAt(tokens, at);
      if (name !== undefined) names.push({ ...name, isAggregated: open.some((bracket) => bracket.isAggregate) });
    }
  }
  return {
    names,
    hasAggregate: aggregates > 0,
    hasWindow: tokens.some((token, at) => isWord(token, 'OVER') && isSymbol(tokens[at - 1], ')')),
    hasQuery: tokens.some((token) => isWord(token, 'SELECT')),
    arguments: found,
    isSimple: found.length === aggregates,
  };
}

/** Aggregates that count only rows of `condition`, or undefined where the text has some that cannot be limited so. */
export function limitedTo(text: string, condition: string, lexer: LexerTraits): string | undefined {
  const { isSimple, hasAggregate, arguments: found } = readExpressionText(text, lexer);
  if (!isSimple || !hasAggregate) return undefined;
  return replaceSpans(
    text,
    found,
    (part) => `CASE WHEN ${condition} THEN ${part.isStar ? '1' : text.slice(part.start, part.end)} END`,
  );
}

/** A name alone, in double quotes or without. */
export function isName(expression: string): boolean {
  return /^("[^"]+"|[A-Za-z_][\w$]*)$/.test(expression.trim());
}

/** A name without its quotes. */
export function plainName(text: string): string {
  return /^".+"$/s.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text;
}

/**
 * The expression with the dialect that it is written in: `ANSI_SQL` where only names, arithmetic and functions that
 * every engine has stand in it.
 */
export function writtenIn(text: string, dialect: string, lexer: LexerTraits): DialectExpression {
  const tokens = significantTokens(text, lexer);
  const isCommon = tokens.every((token, at) => {
    if (token.kind === 'word') return !isSymbol(tokens[at + 1], '(') || COMMON.test(token.text);
    if (token.kind === 'string') return /^'[^\\]*'$/s.test(token.text);
    if (token.kind === 'operator' || token.kind === 'punctuation')
      return /^(\|\||[-+*/=<>(),.]|<>|<=|>=)$/.test(token.text);
    return token.kind === 'number' || token.text.startsWith('"');
  });
  return { dialect: isCommon ? 'ANSI_SQL' : dialect, expression: text };
}

function isAggregate(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && AGGREGATE.test(token.text);
}

function nameAt(tokens: readonly SqlToken[], at: number): Omit<NameInExpression, 'isAggregated'> | undefined {
  const token = tokens[at];
  if (token === undefined || !isNameToken(token) || isSymbol(tokens[at + 1], '(') || isSymbol(tokens[at + 1], '.'))
    return undefined;
  const before = tokens[at - 2];
  const isQualified = isSymbol(tokens[at - 1], '.') && before !== undefined && isNameToken(before);
  return {
    start: isQualified ? before.start : token.start,
    end: token.end,
    qualifier: isQualified ? plainName(before.text) : undefined,
    name: plainName(token.text),
  };
}

function isNameToken(token: SqlToken): boolean {
  return token.kind === 'word' || token.kind === 'quotedName';
}

/** The only argument between two brackets, without DISTINCT. */
function argumentBetween(tokens: readonly SqlToken[], open: number, close: number): AggregateArgument | undefined {
  const first = isWord(tokens[open + 1], 'DISTINCT') ? open + 2 : open + 1;
  const inside = tokens.slice(first, close);
  const [start, end] = [inside[0], inside.at(-1)];
  if (start === undefined || end === undefined) return undefined;
  let depth = 0;
  for (const token of inside) {
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    if (depth === 0 && (isSymbol(token, ',') || isWord(token, 'ORDER'))) return undefined;
  }
  return { start: start.start, end: end.end, isStar: inside.length === 1 && isSymbol(start, '*') };
}
