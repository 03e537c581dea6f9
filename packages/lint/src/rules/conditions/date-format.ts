import type { Severity } from '@askema/core';
import type { OperandShape } from '@askema/sql';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { type ColumnComparison, columnComparisons } from './column-comparisons.ts';

const ORDERED = new Set(['<', '<=', '>', '>=', 'between']);
const EQUALITIES = new Set(['=', 'in']);

/**
 * A string next to a date column that is not the date it looks like: in another format than the engine reads, a year
 * for a whole date, a day that does not exist, or a day where the column has a time as well. What an engine reads is
 * the dialect's `comparisons.dateWithText`.
 */
export const dateFormat: InspectionRule = {
  code: 'date-format',
  severity: 'warning',
  title: 'A date is written in a way that the engine does not compare as a date',
  *check(query) {
    for (const comparison of columnComparisons(query)) {
      if (comparison.column.type !== 'DATETIME') continue;
      if (!ORDERED.has(comparison.operator) && !EQUALITIES.has(comparison.operator)) continue;
      for (const [index, operand] of comparison.others.entries()) {
        if (operand.literal?.type !== 'string') continue;
        const finding =
          misread(query, comparison, operand, operand.literal.value) ??
          onlyMidnight(query, comparison, operand, operand.literal.value, index);
        if (finding !== undefined) yield finding;
      }
    }
  },
};

function misread(
  query: ResolvedQuery,
  { column, operator }: ColumnComparison,
  operand: OperandShape,
  value: string,
): RuleFinding | undefined {
  const reading = query.dialect.comparisons?.dateWithText ?? 'lenient';
  const form = dateText(value);
  const isOrdered = ORDERED.has(operator);
  const advice = `Write dates as '2024-05-01' and times as '2024-05-01 13:45:00', if the cells of ${column.written} are stored so.`;
  const report = (severity: Severity, message: string): RuleFinding => ({
    severity,
    message,
    advice,
    span: operand.span,
  });
  switch (form) {
    case 'date':
    case 'date and time':
      if (dayExists(value)) return undefined;
      // Text is compared letter by letter: the last day of a month may be written as the 31st.
      if (reading === 'text') return isOrdered ? undefined : report('warning', `There is no day '${value}'.`);
      return report('error', `There is no day '${value}': ${query.dialect.displayName} fails at it.`);
    case 'time':
    case 'digits':
      // Times of the day and counts of seconds: nothing is known of them.
      return undefined;
    case 'year or month':
      if (reading === 'text' && isOrdered) return undefined;
      return report(
        reading === 'iso' ? 'error' : 'warning',
        `'${value}' is no whole date: ${reading === 'text' ? `a cell of ${column.written} with month and day is not equal to it` : 'it is not read as that year'}.`,
      );
    case 'other date':
      if (reading === 'text')
        return report(
          isOrdered ? 'warning' : 'note',
          isOrdered
            ? `${column.written} is compared with '${value}' letter by letter, which is no order of time.`
            : `'${value}' is only found where ${column.written} is stored in this very form.`,
        );
      return reading === 'iso'
        ? report('error', `${query.dialect.displayName} does not read '${value}' as a date.`)
        : report('note', `How '${value}' is read depends on settings.`);
    case 'no date':
      if (value.trim() === '' && reading === 'text') return undefined;
      return report(
        reading === 'text' ? 'warning' : 'error',
        `${column.written} holds dates (${column.nativeType || column.type}) and '${value}' is none.`,
      );
  }
}

/** A day next to a column with a time of the day: equal at midnight only, and as an upper end it leaves the day out. */
function onlyMidnight(
  query: ResolvedQuery,
  { column, operator, filter }: ColumnComparison,
  operand: OperandShape,
  value: string,
  index: number,
): RuleFinding | undefined {
  if (dateText(value) !== 'date' || !/datetime|timestamp/i.test(column.nativeType)) return undefined;
  const isUpperEnd = operator === '<=' || (operator === 'between' && index === 1);
  if (!isUpperEnd && !EQUALITIES.has(operator)) return undefined;
  const isSure = !isUpperEnd && !filter.negated && query.dialect.comparisons?.dateWithText !== 'text';
  return {
    severity: isSure ? 'warning' : 'note',
    message: `${column.written} may have a time of the day (${column.nativeType}), and '${value}' is midnight${isUpperEnd ? ': the rest of that day is left out' : ' only'}.`,
    advice: isUpperEnd
      ? `Where cells have a time, compare with < and the next day.`
      : `Where cells have a time, compare with >= this day and < the next one.`,
    span: operand.span,
  };
}

/** What a string next to a date looks like. `other date` is a date that is not written as in ISO 8601. */
type DateText = 'date' | 'date and time' | 'year or month' | 'time' | 'digits' | 'other date' | 'no date';

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const OTHER_DATES = [
  /^\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})(?:[ T]\d{1,2}:.*)?$/,
  /^\d{4}[/.]\d{1,2}[/.]\d{1,2}(?:[ T]\d{1,2}:.*)?$/,
  /^\d{4}-\d{1,2}-\d{1,2}(?:[ T]\d{1,2}:.*)?$/,
  /^\d{1,2}[/-]\d{4}$/,
  new RegExp(`^${MONTH}$`, 'i'),
  new RegExp(`^(?:\\d{1,2}(?:st|nd|rd|th)?[ -])?${MONTH}[ -]?,?[ ]?(?:\\d{1,2}(?:st|nd|rd|th)?,?[ ])?\\d{2,4}$`, 'i'),
  new RegExp(`^\\d{4}[ -]${MONTH}(?:[ -]\\d{1,2})?$`, 'i'),
];

/** Longer strings are no dates. */
const MAX_CHARACTERS = 60;

/**
 * Sorts a string by how it would be read as a date. ISO 8601 in the forms that SQL engines take: `2024-05-01`,
 * `2024-05-01 10:00:00Z`.
 */
export function dateText(text: string): DateText {
  const value = text.trim();
  if (value.length > MAX_CHARACTERS) return 'no date';
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date';
  if (
    /^\d{4}-\d{2}-\d{2}[ T]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:Z|[+-]\d{1,2}(?::?\d{2})?|[A-Za-z][\w/]*)?$/.test(
      value,
    )
  )
    return 'date and time';
  if (/^\d{4}(?:-\d{2}-?)?$/.test(value)) return 'year or month';
  if (/^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?[ap]m)?$/i.test(value)) return 'time';
  if (/^\d+$/.test(value)) return 'digits';
  return OTHER_DATES.some((pattern) => pattern.test(value)) ? 'other date' : 'no date';
}

/** False for 2024-02-30: no such day. Only of texts that begin like an ISO date. */
function dayExists(text: string): boolean {
  const [, year, month, day] = /^\s*(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return true;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && Number(month) > 0;
}
