import type { OperandShape } from '../../../ports/query-shape.ts';
import type { Severity } from '../../finding.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { type ColumnComparison, columnComparisons, holdsText, isNumberText } from './column-comparisons.ts';
import { comparisonsInExpressions } from './comparisons-in-expressions.ts';
import { lettersOfNumbers } from './letters-of-numbers.ts';
import { measuresOfKeys } from './measures-of-keys.ts';
import { sumsOfText } from './sums-of-text.ts';
import { unlikeColumns } from './unlike-columns.ts';
import { unlikeExtremes } from './unlike-extremes.ts';

const COMPARED = new Set(['=', '<>', '<', '<=', '>', '>=', 'in', 'between', 'is distinct from']);
const ORDERED = new Set(['<', '<=', '>', '>=', 'between']);

/** What engines read as a truth value; one that knows none of these words stores them as text. */
const TRUTH_WORD = /^\s*(?:t|true|y|yes|on|1|f|false|n|no|off|0)\s*$/i;
const TRUTH_LETTER = /^\s*[tfyn01]\s*$/i;

/**
 * A comparison whose sides are of different types, so that it fails, is never true, or compares letters in place of numbers. What happens is
 * the dialect's `comparisons`; without them only what no engine takes well is reported. SQLite: https://sqlite.org/datatype3.html, section 4.
 */
export const typeMismatch: InspectionRule = {
  code: 'type-mismatch',
  severity: 'warning',
  title: 'A comparison, a pattern or a sum does not fit the type of its column',
  *check(query) {
    for (const comparison of columnComparisons(query)) {
      const { operator, column, others } = comparison;
      if ((operator === 'like' || operator === 'ilike') && column.type === 'NUMERIC')
        yield likeOnNumber(query, comparison);
      if (!COMPARED.has(operator)) continue;
      for (const operand of others) {
        const finding = mismatch(query, comparison, operand);
        if (finding !== undefined) yield finding;
      }
    }
    yield* sumsOfText(query);
    yield* unlikeColumns(query);
    yield* unlikeExtremes(query);
    yield* comparisonsInExpressions(query);
    yield* measuresOfKeys(query);
    yield* lettersOfNumbers(query);
  },
};

function mismatch(query: ResolvedQuery, comparison: ColumnComparison, operand: OperandShape): RuleFinding | undefined {
  const { literal } = operand;
  if (literal?.type === 'string') {
    if (comparison.column.type === 'NUMERIC') return textAgainstNumber(query, comparison, operand, literal.value);
    if (comparison.column.type === 'BOOL') return textAgainstTruth(query, comparison, operand, literal.value);
  }
  if (literal?.type === 'number') {
    if (holdsText(comparison.column)) return numberAgainstText(query, comparison, operand, literal.value);
    if (comparison.column.type === 'DATETIME') return numberAgainstDate(query, comparison, operand, literal.value);
  }
  return undefined;
}

function textAgainstNumber(
  query: ResolvedQuery,
  { column }: ColumnComparison,
  operand: OperandShape,
  value: string,
): RuleFinding | undefined {
  const behaviour = query.dialect.comparisons?.numberWithText ?? 'fails';
  if (isNumberText(value)) {
    if (behaviour !== 'always fails') return undefined;
    return {
      severity: 'error',
      message: `${column.written} holds numbers and '${value}' is a string: ${query.dialect.displayName} refuses to compare them.`,
      advice: `Write the number without quotes: ${value.trim()}.`,
      span: operand.span,
      fix: {
        description: `Write ${value.trim()} without quotes`,
        edits: [{ span: operand.span, text: value.trim() }],
      },
    };
  }
  // An empty string is how people look for cells that were left empty.
  if (behaviour === 'unequal' && value.trim() === '') return undefined;
  const effect = behaviour === 'unequal' ? 'no number is equal to it' : 'the statement fails';
  return {
    severity: behaviour === 'unequal' && !/int/i.test(column.nativeType) ? 'warning' : 'error',
    message: `${column.written} holds numbers (${column.nativeType || column.type}) and '${value}' is none: ${effect}.`,
    advice: `Compare ${column.written} with a number, or find the text column that holds '${value}'.`,
    span: operand.span,
  };
}

function textAgainstTruth(
  query: ResolvedQuery,
  { column }: ColumnComparison,
  operand: OperandShape,
  value: string,
): RuleFinding | undefined {
  const traits = query.dialect.comparisons;
  if (traits?.booleansAreNumbers === true) {
    // SQLite: cells of a BOOLEAN column are what was stored, often 'T' and 'F'.
    if (isNumberText(value)) return undefined;
    const number = /^\s*(?:true|yes|on)\s*$/i.test(value) ? '1' : '0';
    return {
      severity: TRUTH_LETTER.test(value) ? 'note' : 'warning',
      message: `${column.written} is a truth value, which ${query.dialect.displayName} mostly stores as 1 and 0, and '${value}' is text.`,
      advice: `Look at the cells of ${column.written}; where they are 1 and 0, compare with ${TRUTH_WORD.test(value) ? number : '1 or 0'}.`,
      span: operand.span,
    };
  }
  if (TRUTH_WORD.test(value) && traits?.numberWithText !== 'always fails') return undefined;
  return {
    severity: 'error',
    message: `${column.written} is a truth value and '${value}' is none: the statement fails.`,
    advice: `Compare ${column.written} with TRUE or FALSE.`,
    span: operand.span,
  };
}

function numberAgainstText(
  query: ResolvedQuery,
  { column, operator, operand: side }: ColumnComparison,
  operand: OperandShape,
  value: string,
): RuleFinding | undefined {
  const behaviour = query.dialect.comparisons?.textWithNumber;
  const asText = { description: `Compare with '${value}'`, edits: [{ span: operand.span, text: `'${value}'` }] };
  if (behaviour === 'fails')
    return {
      severity: 'error',
      message: `${column.written} holds text and ${value} is a number: ${query.dialect.displayName} refuses to compare them.`,
      advice: ORDERED.has(operator)
        ? `Turn the cells into numbers with a cast before they are compared.`
        : `Compare with the string '${value}'.`,
      span: operand.span,
      fix: ORDERED.has(operator) ? undefined : asText,
    };
  if (behaviour === 'text' || behaviour === undefined) {
    if (!ORDERED.has(operator)) return undefined;
    return {
      message: `${column.written} holds text: next to ${value} its cells are compared letter by letter, so that '10' comes before '9'.`,
      advice: `Compare CAST(${column.written} AS REAL) where the cells are numbers, else another column.`,
      span: operand.span,
      fix:
        behaviour === undefined
          ? undefined
          : {
              description: `Compare ${column.written} as a number`,
              edits: [{ span: side.span, text: `CAST(${column.written} AS REAL)` }],
            },
    };
  }
  return {
    severity: ORDERED.has(operator) ? 'warning' : 'note',
    message: `${column.written} holds text: each cell is read as a number to compare it with ${value}, and the first that is none fails the statement.`,
    advice: ORDERED.has(operator)
      ? 'Turn the cells into numbers with a cast that gives NULL for what is none.'
      : `Compare with the string '${value}'.`,
    span: operand.span,
    fix: ORDERED.has(operator) ? undefined : asText,
  };
}

function numberAgainstDate(
  query: ResolvedQuery,
  { column }: ColumnComparison,
  operand: OperandShape,
  value: string,
): RuleFinding | undefined {
  // In SQLite a column of such a name may well hold counts of seconds or years.
  const isText = query.dialect.comparisons?.dateWithText === 'text';
  if (isText && !/^date(?:time)?$/i.test(column.nativeType)) return undefined;
  const severity: Severity = query.dialect.comparisons?.dateWithText === 'iso' ? 'error' : 'warning';
  return {
    severity,
    message: `${column.written} holds dates (${column.nativeType || column.type}) and ${value} is a number.`,
    advice: `Compare with a date in quotes, such as '2024-05-01', or with the year that is taken from ${column.written}.`,
    span: operand.span,
  };
}

function likeOnNumber(query: ResolvedQuery, { column, filter }: ColumnComparison): RuleFinding {
  const isFailure = query.dialect.comparisons?.likeOnNumber === 'fails';
  return {
    severity: isFailure ? 'error' : 'note',
    message: `${column.written} holds numbers, and a pattern ${isFailure ? 'is refused there' : 'compares their digits as text'}.`,
    advice: `Compare ${column.written} with =, <, > or BETWEEN, or find the text column that was meant.`,
    span: filter.span,
  };
}
