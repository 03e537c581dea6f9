import { type Dialect, quoteString } from '@askema/core';
import { type SqlToken, significantTokens } from '@askema/sql';
import type { VerifiedQuery } from '../model/knowledge.ts';
import type { ParameterValues } from './match-question.ts';
import type { ParameterValue } from './read-value.ts';

/**
 * The statement of a query with a literal in the place of each `:name`: the answer of a pipeline is one text. Values
 * are typed, and texts and dates are quoted as the dialect does, which engines compare with columns of dates. Names in
 * strings and comments, casts (`x::date`) and paths (`x:date`) stay.
 */
export function writeParameters({ sql }: VerifiedQuery, values: ParameterValues, dialect: Dialect): string {
  const { tokens, holes } = holesIn(sql, dialect);
  let text = '';
  let end = 0;
  for (const { name, at } of holes) {
    const token = tokens[at];
    if (token === undefined || !Object.hasOwn(values, name)) continue;
    text += sql.slice(end, token.start) + literal(values[name] ?? '', dialect);
    end = token.end;
  }
  return text + sql.slice(end);
}

/** Where `:name` stands in a statement, by its place among the tokens. */
export function holesIn(
  sql: string,
  { lexer }: Dialect,
): { readonly tokens: readonly SqlToken[]; readonly holes: readonly { readonly name: string; readonly at: number }[] } {
  const parameterPrefixes = [...new Set([...lexer.parameterPrefixes, ':'])];
  const tokens = significantTokens(sql, { ...lexer, parameterPrefixes });
  const holes = tokens.flatMap(({ kind, text, start }, at) => {
    const isPath = /[\p{L}\p{N}_"\])]$/u.test(sql.slice(Math.max(0, start - 2), start));
    return kind === 'parameter' && text.startsWith(':') && !isPath ? [{ name: text.slice(1), at }] : [];
  });
  return { tokens, holes };
}

function literal(value: ParameterValue, dialect: Dialect): string {
  if (typeof value === 'string') return quoteString(value, dialect);
  if (typeof value === 'number') return value < 0 ? `(${value})` : String(value);
  if (dialect.forms?.truthValues === 'numbers') return value ? '1' : '0';
  return value ? 'TRUE' : 'FALSE';
}
