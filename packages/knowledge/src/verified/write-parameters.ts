import { type Dialect, quoteString } from '@askema/core';
import { significantTokens } from '@askema/sql';
import type { VerifiedQuery } from '../model/knowledge.ts';
import type { ParameterValues } from './match-question.ts';
import type { ParameterValue } from './read-value.ts';

/**
 * The statement of a query with a literal in the place of each `:name`: the answer of a pipeline is one text. Values
 * are typed, and texts and dates are quoted as the dialect does, which engines compare with columns of dates. Names in
 * strings and comments, casts (`x::date`) and paths (`x:date`) stay.
 */
export function writeParameters({ sql }: VerifiedQuery, values: ParameterValues, dialect: Dialect): string {
  const parameterPrefixes = [...new Set([...dialect.lexer.parameterPrefixes, ':'])];
  let text = '';
  let end = 0;
  for (const token of significantTokens(sql, { ...dialect.lexer, parameterPrefixes })) {
    const name = token.kind === 'parameter' && token.text.startsWith(':') ? token.text.slice(1) : '';
    const isPath = /[\p{L}\p{N}_"\])]$/u.test(sql.slice(0, token.start));
    if (isPath || !Object.hasOwn(values, name)) continue;
    text += sql.slice(end, token.start) + literal(values[name] ?? '', dialect);
    end = token.end;
  }
  return text + sql.slice(end);
}

function literal(value: ParameterValue, dialect: Dialect): string {
  if (typeof value === 'string') return quoteString(value, dialect);
  if (typeof value === 'number') return value < 0 ? `(${value})` : String(value);
  if (dialect.forms?.truthValues === 'numbers') return value ? '1' : '0';
  return value ? 'TRUE' : 'FALSE';
}
