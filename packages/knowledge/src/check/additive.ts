import { ansiLexer } from '@askema/dialects';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { chooseExpression } from '../bind/choose-expression.ts';
import type { Expression } from '../expression/expression.ts';
import { tryParseExpression } from '../expression/parse-expression.ts';
import type { Metric } from '../model/semantic-model.ts';

/** Metrics of metrics are looked into so deep. */
const MAX_DEPTH = 20;

/**
 * Whether the total of a metric is the sum of its groups: sums and counts, and what adds and subtracts them. Distinct
 * counts, averages, ratios, extremes, running values and what cannot be added up over time are not.
 */
export function isAdditive({ definition }: Metric, bound: BoundKnowledge, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (definition.kind === 'derived') {
    const inputs = definition.inputs.map((input) => ({
      name: (input.alias ?? input.metric).toLowerCase(),
      metric: bound.metrics.get(input.metric.toLowerCase()),
      isShifted: input.offset !== undefined || input.offsetToGrain !== undefined,
    }));
    const isSum = inputs.every(
      ({ metric, isShifted }) => !isShifted && metric !== undefined && isAdditive(metric, bound, depth + 1),
    );
    return isSum && isLinear(tryParseExpression(definition.expression, ansiLexer), (part) => part.kind === 'column');
  }
  if (definition.kind !== 'aggregate' || definition.nonAdditive !== undefined) return false;
  const chosen = chooseExpression(definition.expressions, bound.dialect);
  return chosen !== undefined && isLinear(tryParseExpression(chosen.text, chosen.lexer), isSum);
}

function isSum(part: Expression): boolean {
  return part.kind === 'call' && ['SUM', 'COUNT', 'COUNT_IF'].includes(part.name) && !part.isDistinct;
}

/** Made of terms by adding and subtracting them, and by multiplying them with numbers. */
function isLinear(expression: Expression | undefined, isTerm: (part: Expression) => boolean): boolean {
  if (expression === undefined) return false;
  if (isTerm(expression)) return true;
  if (expression.kind === 'unary') return expression.operator !== 'NOT' && isLinear(expression.operand, isTerm);
  if (expression.kind !== 'binary') return false;
  const { operator, left, right } = expression;
  if (operator === '+' || operator === '-') return isLinear(left, isTerm) && isLinear(right, isTerm);
  if (operator === '*')
    return (left.kind === 'literal' && isLinear(right, isTerm)) || (right.kind === 'literal' && isLinear(left, isTerm));
  return operator === '/' && right.kind === 'literal' && isLinear(left, isTerm);
}
