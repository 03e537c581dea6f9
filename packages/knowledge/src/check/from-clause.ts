import { quoteIdentifier } from '@askema/core';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Expression } from '../expression/expression.ts';
import { writeExpression } from '../expression/write-expression.ts';

/** The rows of a dataset under a short name. */
export function fromClause({ from }: BoundDataset, alias: string): string {
  return `${from} ${alias}`;
}

/** A column behind a short name, quoted. */
export function columnText(column: string, alias: string, { dialect }: BoundKnowledge): string {
  return `${alias}.${quoteIdentifier(column, dialect)}`;
}

/**
 * An expression of one dataset, whose columns are bound, as text of the engine.
 *
 * @throws AskemaError `METRIC_REFUSED` or `KNOWLEDGE_INVALID` for what the engine cannot be asked.
 */
export function expressionText(expression: Expression, alias: string, bound: BoundKnowledge): string {
  return writeExpression(expression, bound.dialect, {
    column: (name) => columnText(name.bound?.column ?? name.name, alias, bound),
  });
}
