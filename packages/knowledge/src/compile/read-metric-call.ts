import { isSymbol, isWord, nameOfToken, type SqlToken } from '@askema/sql';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { MetricRequest } from './metric-request.ts';
import { readCondition } from './read-condition.ts';
import { refused } from './refused.ts';

/**
 * What stands between the brackets of `metric(…)`: `names BY fields WHERE condition`.
 *
 * @param inside the tokens between the brackets
 * @param isTable several columns are allowed
 */
export function readMetricCall(
  sql: string,
  inside: readonly SqlToken[],
  isTable: boolean,
  bound: BoundKnowledge,
): MetricRequest {
  const outer = outermost(inside);
  const where = outer.findIndex((token) => isWord(token, 'WHERE'));
  const heads = where < 0 ? outer : outer.slice(0, where);
  const by = heads.findIndex((token) => isWord(token, 'BY'));
  const metrics = namesIn(by < 0 ? heads : heads.slice(0, by), bound);
  if (!isTable && (by >= 0 || metrics.length > 1))
    throw refused(
      'bad-request',
      `\`metric(${textOf(sql, inside)})\` stands where one value is needed. Name one metric without BY, or move it to FROM.`,
    );
  const condition = where < 0 ? [] : inside.slice(inside.indexOf(outer[where] as SqlToken) + 1);
  return {
    metrics,
    ...(by >= 0 && { by: namesIn(heads.slice(by + 1), bound) }),
    ...(where >= 0 && { where: [conditionOf(textOf(sql, condition), bound)] }),
  };
}

function conditionOf(text: string, bound: BoundKnowledge) {
  return bound.filters.has(text.toLowerCase()) ? text : readCondition(text, bound.dialect.lexer, bound);
}

/** Names with dots and grains, between commas. Blanks inside of a name do not count. */
function namesIn(tokens: readonly SqlToken[], { dialect }: BoundKnowledge): string[] {
  const names = [''];
  for (const token of tokens)
    if (isSymbol(token, ',')) names.push('');
    else
      names.push((names.pop() ?? '') + (token.kind === 'quotedName' ? nameOfToken(token, dialect.lexer) : token.text));
  if (names.includes(''))
    throw refused(
      'bad-request',
      'A name is missing in `metric(…)`. Write metric(name, name BY field, field WHERE condition).',
    );
  return names;
}

/** The tokens that stand in no inner brackets. */
function outermost(tokens: readonly SqlToken[]): SqlToken[] {
  let depth = 0;
  return tokens.filter((token) => {
    if (isSymbol(token, ')')) depth -= 1;
    const isOuter = depth === 0;
    if (isSymbol(token, '(')) depth += 1;
    return isOuter;
  });
}

function textOf(sql: string, tokens: readonly SqlToken[]): string {
  return sql.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
}
