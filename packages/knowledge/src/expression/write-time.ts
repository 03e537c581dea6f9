import type { CalendarUnit } from '@askema/core';
import type { Expression, Extract, Interval } from './expression.ts';
import { calendarOf, type ExpressionWriter, fill, refusal, templateOf } from './writer.ts';

/** How most engines write parts of a day; its number within the week is 0 on Sundays, weeks are those of ISO 8601. */
const DAY_PARTS: Readonly<Record<string, string>> = {
  YEAR: 'EXTRACT(YEAR FROM {0})',
  QUARTER: 'EXTRACT(QUARTER FROM {0})',
  MONTH: 'EXTRACT(MONTH FROM {0})',
  WEEK: 'EXTRACT(WEEK FROM {0})',
  DAY: 'EXTRACT(DAY FROM {0})',
  DAYOFWEEK: 'EXTRACT(DOW FROM {0})',
  DAYOFYEAR: 'EXTRACT(DOY FROM {0})',
};

/** The day of an expression that gives a date, a time or their text. */
export function writeDay(expression: Expression, writer: ExpressionWriter): string {
  if (isDay(expression)) return writer.operand(expression);
  return fill(calendarOf(writer.dialect).toDay, { value: writer.operand(expression) });
}

/** It gives a day already. */
export function isDay(expression: Expression): boolean {
  if (expression.kind === 'literal') return expression.type === 'date';
  if (expression.kind === 'cast') return expression.type === 'DATE';
  if (expression.kind === 'call') return ['CURRENT_DATE', 'DATE_TRUNC', 'DATEADD'].includes(expression.name);
  return false;
}

export function writeExtract({ unit, operand }: Extract, writer: ExpressionWriter): string {
  const ofDay = DAY_PARTS[unit];
  if (ofDay !== undefined) return fill(templateOf(unit, ofDay, writer.dialect), { 0: writeDay(operand, writer) });
  const template = templateOf(unit, `EXTRACT(${unit} FROM CAST({0} AS TIMESTAMP))`, writer.dialect);
  return fill(template, { 0: writer.operand(operand) });
}

export function dateTrunc(unit: Expression, value: Expression, writer: ExpressionWriter): string {
  const { truncate } = calendarOf(writer.dialect);
  return fill(truncate[calendarUnit(unit)], { day: writeDay(value, writer) });
}

export function dateAdd(unit: Expression, count: Expression, value: Expression, writer: ExpressionWriter): string {
  const { add } = calendarOf(writer.dialect);
  return fill(add[calendarUnit(unit)], { day: writeDay(value, writer), count: writer.operand(count) });
}

/** `value + interval`, `value - interval`. */
export function shifted(
  value: Expression,
  { count, unit }: Interval,
  sign: '+' | '-',
  writer: ExpressionWriter,
): string {
  const { add } = calendarOf(writer.dialect);
  const holes = { day: writeDay(value, writer), count: sign === '+' ? writer.write(count) : negated(count, writer) };
  return fill(add[unitNamed(unit.toLowerCase())], holes);
}

function negated(count: Expression, writer: ExpressionWriter): string {
  const text = writer.write(count);
  if (text.startsWith('-')) return text.slice(1);
  return `-${text.replace(/^\+/, '')}`;
}

/** How many times a period of the unit begins after the first day, up to the second. */
export function dateDiff(unit: Expression, from: Expression, to: Expression, writer: ExpressionWriter): string {
  const { daysBetween, truncate } = calendarOf(writer.dialect);
  const [first, last] = [writeDay(from, writer), writeDay(to, writer)];
  const part = (name: string, day: string): string =>
    fill(templateOf(name, DAY_PARTS[name] ?? null, writer.dialect), { 0: day });
  const difference = (name: string): string => `${part(name, last)} - ${part(name, first)}`;
  switch (calendarUnit(unit)) {
    case 'day':
      return fill(daysBetween, { from: first, to: last });
    case 'week': {
      const days = fill(daysBetween, {
        from: fill(truncate.week, { day: first }),
        to: fill(truncate.week, { day: last }),
      });
      return fill(templateOf('CAST AS INTEGER', 'CAST({0} AS BIGINT)', writer.dialect), { 0: `(${days} / 7)` });
    }
    case 'month':
      return `((${difference('YEAR')}) * 12 + ${difference('MONTH')})`;
    case 'quarter':
      return `((${difference('YEAR')}) * 4 + ${difference('QUARTER')})`;
    case 'year':
      return `(${difference('YEAR')})`;
  }
}

function calendarUnit(unit: Expression): CalendarUnit {
  return unitNamed(unit.kind === 'literal' ? unit.value : '');
}

function unitNamed(unit: string): CalendarUnit {
  switch (unit) {
    case 'day':
    case 'week':
    case 'month':
    case 'quarter':
    case 'year':
      return unit;
    default:
      throw refusal('unit', `Periods of ${unit} are not computed.`, 'Use day, week, month, quarter or year.');
  }
}
