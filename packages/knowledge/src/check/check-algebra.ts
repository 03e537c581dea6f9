import { type Dialect, isAskemaError } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { chooseExpression } from '../bind/choose-expression.ts';
import { lookUpName } from '../bind/look-up-name.ts';
import type { Remark, Subject } from '../bind/problem-list.ts';
import type { Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { mapColumns, walkExpression } from '../expression/walk-expression.ts';
import type { Metric } from '../model/semantic-model.ts';
import type { CheckHost } from './check-host.ts';

/**
 * What the form of expressions tells without running them: a part that is always 0 or 1 (an offset that a converter
 * lost: apache/ossie issue 302), one number under two names, division that the engine cuts.
 */
export function checkAlgebra(host: CheckHost): void {
  const { bound } = host;
  const first = new Map<string, Metric>();
  // Those that were left out as well: the form of an expression says more about what is wrong with it.
  for (const metric of bound.knowledge.models.flatMap(({ metrics }) => metrics)) {
    const subject: Subject = { kind: 'metric', name: metric.name, standing: metric.standing };
    const expression = expressionOf(metric, bound);
    if (expression === undefined) continue;
    const constant = constantPart(expression);
    if (constant !== undefined) host.report(subject, constantRemark(metric.name, constant));
    if (metric.definition.kind === 'aggregate')
      for (const remark of engineRemarks(metric.name, expression, bound.dialect)) host.report(subject, remark);
    const key = sameForm([expression, metric.definition.filter, timeOf(metric)]);
    const same = first.get(key);
    if (same === undefined) first.set(key, metric);
    else if (same.name.toLowerCase() !== metric.name.toLowerCase())
      host.report(subject, sameRemark(metric.name, same.name));
  }
}

function timeOf({ definition }: Metric): unknown {
  return definition.kind === 'aggregate' ? [definition.time, definition.nonAdditive, definition.dataset] : definition;
}

/** With names looked up, so that `orders.amount` and `amount` are the same. */
function expressionOf({ definition }: Metric, bound: BoundKnowledge): Expression | undefined {
  if (definition.kind === 'derived') return parsed(definition.expression, bound);
  if (definition.kind !== 'aggregate') return undefined;
  const chosen = chooseExpression(definition.expressions, bound.dialect);
  const expression = chosen && parsed(chosen.text, bound, chosen.lexer);
  return (
    expression &&
    mapColumns(expression, (column) => {
      const found = lookUpName(column, bound.datasets, definition.dataset);
      const dataset = found.kind === 'problem' ? undefined : found.dataset.dataset.name;
      return dataset === undefined ? column : { ...column, qualifier: [dataset], name: column.name.toLowerCase() };
    })
  );
}

function parsed(text: string, { dialect }: BoundKnowledge, lexer = dialect.lexer): Expression | undefined {
  try {
    return parseExpression(text, lexer);
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return undefined;
  }
}

/** Equal for expressions that differ in places and spelling only. */
function sameForm(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === 'span' || key === 'isQuoted' ? undefined : inner));
}

interface ConstantPart {
  readonly operator: '-' | '/';
}

/** `a - a` and `a / a` of anything that is no literal. */
function constantPart(expression: Expression): ConstantPart | undefined {
  let found: ConstantPart | undefined;
  walkExpression(expression, (part) => {
    if (part.kind !== 'binary' || (part.operator !== '-' && part.operator !== '/')) return;
    if (part.left.kind !== 'literal' && sameForm(part.left) === sameForm(part.right))
      found ??= { operator: part.operator };
  });
  return found;
}

function constantRemark(name: string, { operator }: ConstantPart): Remark {
  const what = operator === '-' ? 'subtracts a value from itself, which is always 0' : 'divides a value by itself';
  return {
    code: 'constant-part',
    message: `Metric \`${name}\` ${what}.`,
    advice: 'If it compares periods, the offset was lost: define it as a derived metric with an offset.',
  };
}

function sameRemark(name: string, other: string): Remark {
  return {
    severity: 'warning',
    code: 'same-expression',
    message: `Metric \`${name}\` has the same definition as \`${other}\`: one number under two names.`,
    advice:
      'If it is meant to be a running value, or that of another time or other rows, this got lost: define it so. Otherwise keep one of them, and make the other name a synonym.',
  };
}

/** Where the engine computes something else from the expression as it stands. What is compiled here is right. */
function engineRemarks(name: string, expression: Expression, dialect: Dialect): readonly Remark[] {
  const remarks: Remark[] = [];
  if (dialect.integerDivision === 'cuts' && dividesAggregates(expression))
    remarks.push({
      severity: 'note',
      code: 'integer-division',
      message: `The expression of metric \`${name}\` divides, and ${dialect.displayName} cuts the quotient of two integers. What is compiled here divides exactly; other tools run the expression as it stands.`,
      advice: 'Multiply the numerator by 1.0.',
    });
  walkExpression(expression, (part) => {
    if (part.kind === 'call' && part.withinGroup !== undefined && dialect.functions?.written?.[part.name] !== undefined)
      remarks.push({
        severity: 'note',
        code: 'written-otherwise',
        message: `The expression of metric \`${name}\` calls ${part.name} as the standard writes it, which ${dialect.displayName} does not take. What is compiled here is written otherwise; other tools run the expression as it stands.`,
      });
  });
  return remarks;
}

function dividesAggregates(expression: Expression): boolean {
  let found = false;
  walkExpression(expression, (part) => {
    if (part.kind !== 'binary' || part.operator !== '/') return;
    found ||= isWhole(part.left) && isWhole(part.right);
  });
  return found;
}

/** It may be an integer: nothing in it makes a fraction. */
function isWhole(expression: Expression): boolean {
  let hasAggregate = false;
  let hasFraction = false;
  walkExpression(expression, (part) => {
    if (part.kind === 'call') {
      hasAggregate ||= part.isAggregate;
      hasFraction ||= part.name === 'AVG';
    } else if (part.kind === 'literal') hasFraction ||= part.type === 'number' && /[.e]/i.test(part.value);
    else if (part.kind === 'cast') hasFraction = true;
  });
  return hasAggregate && !hasFraction;
}
