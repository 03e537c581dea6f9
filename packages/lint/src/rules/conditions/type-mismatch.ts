import { castType, type Severity } from '@askema/core';
import type { OperandShape } from '@askema/sql';
import { bareArgument, textOf, textsInExpressions } from '../../resolve/query-facts.ts';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import {
  type ColumnComparison,
  columnComparisons,
  columnFacts,
  holdsText,
  isNumberText,
} from './column-comparisons.ts';
import { measuresOfKeys, unlikeColumns, unlikeExtremes } from './type-mismatch-of-columns.ts';

const COMPARED = new Set(['=', '<>', '<', '<=', '>', '>=', 'in', 'between', 'is distinct from']);
const ORDERED = new Set(['<', '<=', '>', '>=', 'between']);

/** What engines read as a truth value; one that knows none of these words stores them as text. */
const TRUTH_WORD = /^\s*(?:t|true|y|yes|on|1|f|false|n|no|off|0)\s*$/i;
const TRUTH_LETTER = /^\s*[tfyn01]\s*$/i;

/**
 * A comparison whose sides are of different types, so that it fails, is never true, or compares letters in place of
 * numbers. What happens is the dialect's `comparisons`; without them only what no engine takes well is reported.
 * SQLite: https://sqlite.org/datatype3.html, section 4.
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
  const effect =
    behaviour === 'unequal'
      ? 'no number is equal to it'
      : behaviour === 'zero'
        ? 'it counts as 0, without an error'
        : 'the statement fails';
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
  const asNumber = `CAST(${column.written} AS ${castType('FLOAT', query.dialect)})`;
  if (behaviour === 'number or zero')
    return {
      severity: ORDERED.has(operator) ? 'warning' : 'note',
      message: `${column.written} holds text: its cells and ${value} are compared as numbers; a text that is no number counts as 0, without an error.`,
      advice: ORDERED.has(operator)
        ? `Leave out the cells that are no numbers, and compare ${asNumber} with ${value}.`
        : `Compare with the string '${value}'.`,
      span: operand.span,
      fix: ORDERED.has(operator) ? undefined : asText,
    };
  if (behaviour === 'text' || behaviour === undefined) {
    if (!ORDERED.has(operator)) return undefined;
    return {
      message:
        behaviour === undefined
          ? `${column.written} holds text and ${value} is a number: cells may be compared letter by letter, so that '10' comes before '9'.`
          : `${column.written} holds text: next to ${value} its cells are compared letter by letter, so that '10' comes before '9'.`,
      advice: `Compare ${asNumber} where the cells are numbers, else another column.`,
      span: operand.span,
      fix:
        behaviour === undefined
          ? undefined
          : {
              description: `Compare ${column.written} as a number`,
              edits: [{ span: side.span, text: asNumber }],
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

/**
 * Numbers that are compared with words inside of an expression, as in `SUM(CASE WHEN publisher_id = 'Marvel' THEN 1
 * END)`: filters of WHERE and HAVING are judged as such, these are no filters.
 */
function* comparisonsInExpressions(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const resolved of query.blocks)
    for (const { column, literal } of textsInExpressions(query, resolved.block)) {
      const span = resolved.block.columns[column]?.span;
      if (span === undefined || isNumberText(literal.text)) continue;
      if (columnFacts(query, resolved, column)?.type !== 'NUMERIC') continue;
      const written = textOf(query, span);
      yield {
        severity: 'warning',
        message: `${written} holds numbers and is compared with the text '${literal.text}'.`,
        advice: `Compare the column that holds such texts, or ${written} with a number.`,
        span: { start: span.start, end: literal.span.end },
      };
    }
}

const ADDING = new Set(['SUM', 'AVG', 'TOTAL', 'MEAN']);

/** SUM and AVG of nothing but a column that holds text or dates. */
function* sumsOfText(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const block of query.blocks)
    for (const call of block.block.calls) {
      const name = call.name.at(-1)?.text.toUpperCase() ?? '';
      if (!ADDING.has(name)) continue;
      const argument = bareArgument(query.sql, block.block, call);
      const column = argument === undefined ? undefined : columnFacts(query, block, argument);
      if (column === undefined) continue;
      const isDate = column.type === 'DATETIME';
      if (!isDate && !holdsText(column)) continue;
      const isFailure = query.dialect.comparisons?.sumOfText === 'fails';
      yield {
        // Where text is read as numbers, cells may well be numbers that are stored as text.
        severity: isFailure ? 'error' : isDate ? 'warning' : 'note',
        message: `${name} adds numbers, and ${column.written} holds ${isDate ? 'dates' : 'text'} (${column.nativeType || column.type})${isFailure ? ': the statement fails' : ''}.`,
        advice: isDate
          ? `Take a number from ${column.written} first, such as a difference of days, or use MIN or MAX.`
          : `Use a numeric column, or COUNT; where the cells of ${column.written} are numbers, cast them.`,
        span: call.span,
      };
    }
}

/** Change or compare letters, of which numbers have none. TRIM is left out: numbers are stored as text in places. */
const OF_LETTERS = /^(?:lower|upper|lcase|ucase|initcap)$/i;

/**
 * Letters of a column of numbers are made small or capital: `LOWER(rating) LIKE '%mexican%'` is about another column.
 */
function* lettersOfNumbers(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const resolved of query.blocks)
    for (const call of resolved.block.calls) {
      if (!OF_LETTERS.test(call.name.at(-1)?.text ?? '')) continue;
      const column = bareArgument(query.sql, resolved.block, call);
      const facts = column === undefined ? undefined : columnFacts(query, resolved, column);
      if (facts?.type !== 'NUMERIC' || facts.attribute === undefined) continue;
      yield {
        severity: 'warning',
        message: `${textOf(query, call.span)} is about letters, and ${facts.written} holds numbers.`,
        advice: 'Use the column that holds the text that is meant.',
        span: call.span,
      };
    }
}
