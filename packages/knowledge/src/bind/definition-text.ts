import type { Dialect } from '@askema/core';
import type { Cumulative, Derived, MetricDefinition, MetricInput } from '../model/metric-definition.ts';
import type { DialectExpression, Metric } from '../model/semantic-model.ts';
import { chooseExpression } from './choose-expression.ts';

/** How a metric is computed, in one line. Without a dialect its standard expression is taken, else the first one. */
export function definitionText({ definition }: Metric, dialect?: Dialect): string {
  const where = definition.filter === undefined ? '' : ` where ${definition.filter}`;
  const text = ((): string => {
    switch (definition.kind) {
      case 'aggregate':
        return `${expressionText(definition.expressions, dialect)}${lastingText(definition)}`;
      case 'ratio':
        return `${inputText(definition.numerator)} / ${inputText(definition.denominator)}`;
      case 'derived':
        return `${definition.expression}${inputsText(definition)}`;
      case 'cumulative':
        return `running ${inputText(definition.input)}${spanText(definition)}`;
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

function inputText({ metric, filter, offset, offsetToGrain }: MetricInput): string {
  const where = filter === undefined ? '' : ` where ${filter}`;
  const before = offset === undefined ? '' : ` ${offset.count} ${offset.unit} before`;
  const first = offsetToGrain === undefined ? '' : ` at the start of the ${offsetToGrain}`;
  return `${metric}${where}${before}${first}`;
}

/** What its names stand for, where they are not those of metrics. */
function inputsText({ inputs }: Derived): string {
  const told = inputs.flatMap((input) => {
    const [name, text] = [input.alias ?? input.metric, inputText(input)];
    return name === text ? [] : [`${name} = ${text}`];
  });
  return told.length === 0 ? '' : `, with ${told.join(', ')}`;
}

/** Which rows count of each group, where it is not all. */
export function lastingText(definition: MetricDefinition): string {
  const nonAdditive = definition.kind === 'aggregate' ? definition.nonAdditive : undefined;
  if (nonAdditive === undefined) return '';
  const { field, choice, within } = nonAdditive;
  return ` of the rows with the ${choice} ${field}${within.length === 0 ? '' : ` for each ${within.join(', ')}`}`;
}

function spanText({ window, grainToDate }: Cumulative): string {
  if (window !== undefined) return ` of the last ${window.count} ${window.unit}`;
  return grainToDate === undefined ? '' : ` since the start of the ${grainToDate}`;
}
