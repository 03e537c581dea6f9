import { type Dialect, quoteString } from '@askema/core';
import type { Between, Binary, Expression, InList, Literal } from './expression.ts';
import { isDay } from './write-time.ts';
import { type ExpressionWriter, fill, templateOf } from './writer.ts';

/**
 * What is compared with dates or times that stand in the expression. These are written as text alone: engines read it
 * as what stands on the other side, be that a date, a time (which BigQuery compares with no DATE), or text (which
 * PostgreSQL compares with none). Where days are text (SQLite), a date would be less than its own midnight: both are
 * times then.
 */
export function timeComparison(expression: Binary, writer: ExpressionWriter): string | undefined {
  const { operator, left, right } = expression;
  const { operand } = writer;
  if (isTime(right)) {
    const asTimes = comparesText([right], left, writer) && (right.type === 'timestamp' || !/^(>=|<)$/.test(operator));
    return `${asTimes ? time(left, writer) : operand(left)} ${operator} ${bare(right, asTimes, writer)}`;
  }
  if (!isTime(left)) return undefined;
  const asTimes = comparesText([left], right, writer);
  return `${bare(left, asTimes, writer)} ${operator} ${asTimes ? time(right, writer) : operand(right)}`;
}

export function writeBetween({ operand, low, high, isNegated }: Between, writer: ExpressionWriter): string {
  const [value, first, last] = among(operand, [low, high], writer);
  return `${value} ${isNegated ? 'NOT ' : ''}BETWEEN ${first} AND ${last}`;
}

export function writeIn({ operand, list, isNegated }: InList, writer: ExpressionWriter): string {
  const [value, ...cells] = among(operand, list, writer);
  return `${value} ${isNegated ? 'NOT ' : ''}IN (${cells.join(', ')})`;
}

function among(value: Expression, others: readonly Expression[], writer: ExpressionWriter): string[] {
  const asTimes = others.some(isTime) && comparesText(others.filter(isTime), value, writer);
  return [
    asTimes ? time(value, writer) : writer.operand(value),
    ...others.map((other) => (isTime(other) ? bare(other, asTimes, writer) : writer.operand(other))),
  ];
}

function isTime(expression: Expression): expression is Literal {
  return expression.kind === 'literal' && (expression.type === 'date' || expression.type === 'timestamp');
}

/** Days against days are the same as text. */
function comparesText(literals: readonly Literal[], value: Expression, { dialect }: ExpressionWriter): boolean {
  return daysAreText(dialect) && !(isDay(value) && literals.every(({ type }) => type === 'date'));
}

function daysAreText({ calendar }: Dialect): boolean {
  return calendar?.literal === '{text}';
}

function time(value: Expression, { dialect, operand }: ExpressionWriter): string {
  return fill(templateOf('CAST AS TIMESTAMP', '{0}', dialect), { 0: operand(value) });
}

function bare({ type, value }: Literal, asTime: boolean, { dialect }: ExpressionWriter): string {
  const text = value.replace('T', ' ');
  if (!asTime) return quoteString(text, dialect);
  const [day = text, clock = '00:00:00'] = text.split(' ');
  return quoteString(
    type === 'date' ? `${day} 00:00:00` : `${day} ${clock.length === 5 ? `${clock}:00` : clock}`,
    dialect,
  );
}
