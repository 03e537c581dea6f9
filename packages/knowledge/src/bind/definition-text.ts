import type { Dialect } from '@askema/core';
import type { MetricInput } from '../model/metric-definition.ts';
import type { DialectExpression, Metric } from '../model/semantic-model.ts';
import { chooseExpression } from './choose-expression.ts';

/** How a metric is computed, in one line. Without a dialect its standard expression is taken, else the first one. */
export function definitionText({ definition }: Metric, dialect?: Dialect): string {
  const where = definition.filter === undefined ? '' : ` where ${definition.filter}`;
  const text = ((): string => {
    switch (definition.kind) {
      case 'aggregate':
        return expressionText(definition.expressions, dialect);
      case 'ratio':
        return `${inputText(definition.numerator)} / ${inputText(definition.denominator)}`;
      case 'derived':
        return `${definition.expression} of ${definition.inputs.map(inputText).join(', ')}`;
      case 'cumulative':
        return `running ${inputText(definition.input)}`;
    }
  })();
  return `${text}${where}`.replaceAll(/\s+/gu, ' ');
}

/** The expression that an engine is given; without one, the standard one or the first. Empty where there is none. */
export function expressionText(expressions: readonly DialectExpression[], dialect?: Dialect): string {
  if (dialect !== undefined) return chooseExpression(expressions, dialect)?.text ?? '';
  const standard = expressions.find((one) => one.dialect.toUpperCase() === 'ANSI_SQL');
  return (standard ?? expressions[0])?.expression ?? '';
}

function inputText({ metric, alias, offset }: MetricInput): string {
  const before = offset === undefined ? metric : `${metric} ${offset.count} ${offset.unit} before`;
  return alias === undefined ? before : `${before} as ${alias}`;
}
