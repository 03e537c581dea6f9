import {
  type Adapter,
  type Fix,
  type InspectionFinding,
  type NearCell,
  quoteString,
  type Severity,
} from '@askema/core';
import { likeness } from '@askema/grounding';
import { attributeName, isKeyPart, isUniqueIn, textOf } from '../resolve/query-facts.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { isNumberText } from '../rules/conditions/column-comparisons.ts';
import { hasTime, isWrittenLike, nextDay } from './date-forms.ts';
import type { LookUpLimits } from './look-up-cells.ts';
import { type OrderedCells, orderedCells, whichOccur } from './ordered-cells.ts';
import type { OrderedCondition } from './ordered-conditions.ts';

/** Cells of messages are cut here. */
const MAX_SHOWN_CHARACTERS = 40;

/**
 * The findings of conditions on one relation that no row meets. None where the database did not say, and for columns
 * without cells.
 *
 * @throws AskemaError `ABORTED`.
 */
export async function orderedFindings(
  adapter: Adapter,
  query: ResolvedQuery,
  conditions: readonly OrderedCondition[],
  limits: LookUpLimits,
): Promise<readonly InspectionFinding[]> {
  const occur = await whichOccur(adapter, query, conditions, limits);
  const missing = conditions.filter((_, at) => occur?.[at] === false);
  if (missing.length === 0) return [];
  const met = new Set(conditions.flatMap(({ groups }, at) => (occur?.[at] === true ? groups : [])));
  const cells = await orderedCells(adapter, query, missing, limits);
  return missing.flatMap((condition, at) => {
    const found = cells[at];
    if (found === undefined) return [];
    const hasAlternative = condition.isOptional || condition.groups.some((group) => met.has(group));
    return [findingOf(query, condition, found, hasAlternative)];
  });
}

function findingOf(
  query: ResolvedQuery,
  condition: OrderedCondition,
  found: OrderedCells,
  hasAlternative: boolean,
): InspectionFinding {
  const column = attributeName(query, condition.attribute, { qualified: true });
  const { equals, kind, filter, written } = condition;
  const show = (cell: string): string => (kind === 'number' && isNumberText(cell) ? cell.trim() : quoted(cell));
  const ends = `it goes from ${show(found.least)} to ${show(found.greatest)}`;
  if (equals === undefined)
    return {
      code: 'range-without-match',
      severity: hasAlternative ? 'note' : 'warning',
      message: `No row of ${column} meets ${shown(written, 4 * MAX_SHOWN_CHARACTERS)}: ${ends}.`,
      advice:
        'Use another column, or another unit, if the question means that one. Where the column is right, keep the condition: an empty answer may be right.',
      span: filter.span,
    };
  const common = { code: 'value-not-found', span: equals.operand.span, column, value: equals.text } as const;
  if (kind === 'truth')
    return {
      ...common,
      severity: 'note',
      message: `${column} is never ${equals.sql}: its cells are ${found.least}.`,
      advice: 'Leave the condition as it is if the question asks for it: an empty answer may be right.',
    };
  const missing = `${column} has no cell ${show(equals.text)}`;
  const dated = otherwise(query, condition, found);
  if (dated !== undefined)
    return {
      ...common,
      ...dated,
      severity: hasAlternative ? 'warning' : 'error',
      message: `${missing}: ${dated.message}.`,
    };
  const near = [found.below, found.above].filter((cell) => cell !== undefined);
  const nearest = near.length === 0 ? '' : `, the nearest there: ${near.map(show).join(' and ')}`;
  return {
    ...common,
    severity: severityOf(query, condition, hasAlternative),
    message: `${missing}; ${ends}${nearest}.`,
    advice:
      'Use another column if the question means that one; a near value is another value. Where the column is right, keep the condition: an empty answer may be right.',
    cells: near.map((value) => cellOf(column, equals.text, value)),
  };
}

/** To ask for an id that does not exist is ordinary; a text that no cell has is mostly a mistake, also a date. */
function severityOf(query: ResolvedQuery, { attribute }: OrderedCondition, hasAlternative: boolean): Severity {
  const { relation = '', type } = query.index.attribute(attribute) ?? {};
  if (type === 'TEXT') return hasAlternative ? 'warning' : 'error';
  const isKey = isKeyPart(query, attribute) || isUniqueIn(query, relation, [attribute]);
  return isKey || hasAlternative ? 'note' : 'warning';
}

type Otherwise = Pick<InspectionFinding, 'message' | 'advice' | 'cells' | 'fix'>;

/** Where the column has the day, in another form or with a time; and where it writes all dates in another form. */
function otherwise(query: ResolvedQuery, condition: OrderedCondition, found: OrderedCells): Otherwise | undefined {
  const { equals, kind, isText, filter, attribute } = condition;
  if (equals === undefined || kind !== 'date') return undefined;
  const column = attributeName(query, attribute, { qualified: true });
  const { text, operand } = equals;
  const { above, below, least, greatest, sameDay } = found;
  const next = nextDay(text);
  if (above !== undefined && next !== undefined && above.slice(0, text.length + 1) === `${text} `) {
    const side = filter.left.kind === 'literal' ? filter.right[0] : filter.left;
    const name = side === undefined ? column : textOf(query, side.span);
    const literal = textOf(query, operand.span);
    const range = `${name} >= ${literal} AND ${name} < ${literal.replace(text, next)}`;
    const fix: Fix = { description: `Compare with the whole day`, edits: [{ span: filter.span, text: `(${range})` }] };
    return {
      message: `cells of that day have a time, such as ${quoted(above)}`,
      advice: `Compare with the whole day: ${range}.`,
      cells: [cellOf(column, text, above)],
      ...(filter.operator === '=' ? { fix } : {}),
    };
  }
  if (!isText) return undefined;
  const [same, other] = sameDay;
  if (same !== undefined) {
    const literal = quoteString(same, query.dialect);
    const fix: Fix = { description: `Compare with ${literal}`, edits: [{ span: operand.span, text: literal }] };
    return {
      message: `that day is stored as ${sameDay.map(quoted).join(' or ')}`,
      advice: `Write dates as the cells of ${column} do.`,
      cells: sameDay.map((cell) => cellOf(column, text, cell)),
      ...(other === undefined ? { fix } : {}),
    };
  }
  const examples = [least, greatest, below, above].filter((cell) => cell !== undefined);
  if (isWrittenLike(text, examples) !== false || hasTime(text)) return undefined;
  return {
    message: `its dates are written like ${quoted(greatest)}`,
    advice: `Write dates as the cells of ${column} do; for a month or a year, compare with a range of days.`,
    cells: [cellOf(column, text, greatest)],
  };
}

function cellOf(column: string, mention: string, value: string): NearCell {
  return { column, value, score: likeness(mention, value).score };
}

function shown(text: string, most = MAX_SHOWN_CHARACTERS): string {
  const characters = [...text.replace(/\s+/gu, ' ')];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most).join('')}…`;
}

function quoted(text: string): string {
  return `'${shown(text).replaceAll("'", "''")}'`;
}
