import { indexSchema } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { chooseExpression } from '../bind/choose-expression.ts';
import { lookUpName } from '../bind/look-up-name.ts';
import type { Remark, Subject } from '../bind/problem-list.ts';
import type { ColumnName, Expression } from '../expression/expression.ts';
import { tryParseExpression } from '../expression/parse-expression.ts';
import { mapColumns, walkExpression } from '../expression/walk-expression.ts';
import type { Metric } from '../model/semantic-model.ts';
import type { CheckHost } from './check-host.ts';

/**
 * What the form of expressions tells without running them: a part that is always 0 or 1 (an offset that a converter
 * lost: apache/ossie issue 302), one number under two names, division that the engine cuts.
 */
export function checkAlgebra(host: Pick<CheckHost, 'bound' | 'report'>): void {
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
      for (const remark of engineRemarks(metric, expression, bound)) host.report(subject, remark);
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
  if (definition.kind === 'derived') return tryParseExpression(definition.expression, ansiLexer);
  if (definition.kind !== 'aggregate') return undefined;
  const chosen = chooseExpression(definition.expressions, bound.dialect);
  const expression = chosen && tryParseExpression(chosen.text, chosen.lexer);
  return (
    expression &&
    mapColumns(expression, (column) => {
      const found = lookUpName(column, bound.datasets, definition.dataset);
      const dataset = found.kind === 'problem' ? undefined : found.dataset.dataset.name;
      return dataset === undefined ? column : { ...column, qualifier: [dataset], name: column.name.toLowerCase() };
    })
  );
}

/** Equal for expressions that differ in places and spelling only. */
function sameForm(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === 'span' || key === 'isQuoted' ? undefined : inner));
}

/** The operator of `a - a` or `a / a` of anything that is no literal. */
function constantPart(expression: Expression): '-' | '/' | undefined {
  let found: '-' | '/' | undefined;
  walkExpression(expression, (part) => {
    if (part.kind !== 'binary' || (part.operator !== '-' && part.operator !== '/')) return;
    if (part.left.kind !== 'literal' && sameForm(part.left) === sameForm(part.right)) found ??= part.operator;
  });
  return found;
}

function constantRemark(name: string, operator: '-' | '/'): Remark {
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
function engineRemarks({ name, definition }: Metric, expression: Expression, bound: BoundKnowledge): readonly Remark[] {
  const { dialect } = bound;
  const home = definition.kind === 'aggregate' ? definition.dataset : undefined;
  const remarks: Remark[] = [];
  if (dialect.integerDivision === 'cuts' && dividesIntegers(expression, (column) => mayBeInteger(column, bound, home)))
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

type IsInteger = (column: ColumnName) => boolean;

function dividesIntegers(expression: Expression, isInteger: IsInteger): boolean {
  let found = false;
  walkExpression(expression, (part) => {
    if (part.kind !== 'binary' || part.operator !== '/') return;
    found ||= isWhole(part.left, isInteger) && isWhole(part.right, isInteger);
  });
  return found;
}

/** It may be an integer: nothing in it makes a fraction. A count is one whatever it counts. */
function isWhole(expression: Expression, isInteger: IsInteger): boolean {
  let hasAggregate = false;
  let hasFraction = false;
  walkExpression(expression, (part) => {
    if (part.kind === 'call') {
      hasAggregate ||= part.isAggregate;
      hasFraction ||= part.name === 'AVG';
      if (part.name === 'COUNT' || part.name === 'COUNT_IF') return false;
    } else if (part.kind === 'column') hasFraction ||= !isInteger(part);
    else if (part.kind === 'literal') hasFraction ||= part.type === 'number' && /[.e]/i.test(part.value);
    else if (part.kind === 'cast') hasFraction = true;
    return true;
  });
  return hasAggregate && !hasFraction;
}

/** Unless the database says that it is none. Where columns hold cells of any type, it says nothing (SQLite). */
function mayBeInteger(column: ColumnName, { catalog, datasets, dialect }: BoundKnowledge, home?: string): boolean {
  const found = lookUpName(column, datasets, home);
  if (found.kind === 'problem' || dialect.types.untypedAttributes === true) return true;
  const { relation } = found.dataset;
  const expression = found.kind === 'field' ? found.field.expression : undefined;
  const name =
    found.kind === 'column' ? found.column.name : expression?.kind === 'column' ? expression.bound?.column : undefined;
  const attribute = relation && name && indexSchema(catalog).attributeNamed(relation, name);
  const nativeType = attribute ? (catalog.attributes[attribute.id]?.nativeType ?? '') : '';
  return nativeType === '' || attribute === undefined || /int|serial|bool/i.test(nativeType);
}
