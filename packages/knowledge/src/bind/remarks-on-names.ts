import { type Dialect, isAskemaError, type LexerTraits } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import type { Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { columnsIn, walkExpression } from '../expression/walk-expression.ts';
import type { BoundDataset } from './bound-knowledge.ts';
import { dependsOn, lookUpName } from './look-up-name.ts';
import type { Remark } from './problem-list.ts';

/** What names in metrics and conditions are looked up in. */
export interface NameScope {
  readonly datasets: ReadonlyMap<string, BoundDataset>;
  /** Whether a dataset that is not there is defined and was left out. */
  isBroken(dataset: string): boolean;
  readonly dialect: Dialect;
}

/** What is wrong with a condition over fields. */
export function remarksOnCondition(
  condition: string,
  where: string,
  scope: NameScope,
  home?: string | undefined,
): readonly Remark[] {
  const read = readText(condition, ansiLexer, where);
  if ('code' in read) return [read];
  const remarks = remarksOnNames(read.expression, where, scope, home);
  if (!hasAggregate(read.expression)) return remarks;
  return [...remarks, { code: 'aggregate-in-condition', message: `${where} aggregates rows: ${condition}.` }];
}

/** What is wrong with the names of an expression, each once. */
export function remarksOnNames(
  expression: Expression,
  where: string,
  scope: NameScope,
  home: string | undefined,
): readonly Remark[] {
  const remarks = columnsIn(expression).flatMap(({ qualifier, name }) =>
    remarksOnName([...qualifier, name], where, scope, home),
  );
  return [...new Map(remarks.map((remark) => [remark.message, remark])).values()];
}

/** What is wrong with one name, by its parts. */
export function remarksOnName(
  path: readonly string[],
  where: string,
  scope: NameScope,
  home: string | undefined,
): readonly Remark[] {
  const qualifier = path.slice(0, -1);
  const found = lookUpName({ name: path.at(-1) ?? '', qualifier }, scope.datasets, home);
  if (found.kind !== 'problem') return [];
  if (found.remark.code === 'depends-on-broken') return [found.remark];
  const dataset = qualifier.join('.');
  if (!scope.datasets.has(dataset.toLowerCase()) && scope.isBroken(dataset)) return [dependsOn('dataset', dataset)];
  return [{ ...found.remark, message: `${where} names \`${path.join('.')}\`. ${found.remark.message}` }];
}

/** A text as an expression, or why it is none. */
export function readText(
  text: string,
  lexer: LexerTraits,
  where: string,
): { readonly expression: Expression } | Remark {
  try {
    return { expression: parseExpression(text, lexer) };
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return { code: 'expression-invalid', message: `${where}: ${thrown.message}` };
  }
}

export function hasAggregate(expression: Expression): boolean {
  let found = false;
  walkExpression(expression, (part) => {
    found ||= part.kind === 'call' && part.isAggregate;
  });
  return found;
}
