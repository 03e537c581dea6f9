import { type AttributeId, quoteString } from '@askema/core';
import type { FilterOperator, FilterShape, OperandShape, QueryBlock } from '@askema/sql';
import { originOf, textOf } from '../resolve/query-facts.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { isNumberText } from '../rules/conditions/column-comparisons.ts';
import { dateText } from '../rules/conditions/date-format.ts';
import { isDateText } from './date-forms.ts';
import { placeOf, quotedName, replaced, type Standing, standingsOf } from './value-conditions.ts';

/** A comparison of a numeric, date or boolean attribute with literals, or of a text attribute with a date. */
export interface OrderedCondition {
  readonly attribute: AttributeId;
  readonly kind: 'number' | 'date' | 'truth';
  /** The cells are texts: dates are compared letter by letter. */
  readonly isText: boolean;
  /**
   * The literal of an equality, or of one element of IN; undefined for ranges and for what a function makes of the
   * column.
   */
  readonly equals: ComparedLiteral | undefined;
  /** The comparison as SQL over its relation alone. */
  readonly sql: string;
  /** As the statement writes it. */
  readonly written: string;
  readonly filter: FilterShape;
  /** Conditions with a group in common are alternatives: one of them suffices (OR, the elements of IN). */
  readonly groups: readonly string[];
  /** The answer may have rows without it: of an outer join, and below NOT EXISTS and NOT IN. */
  readonly isOptional: boolean;
  /** Conditions of one clause on one column that hold together; undefined where none is known to. */
  readonly together: string | undefined;
}

/** A number, a date or a truth value that stands in the statement. */
interface ComparedLiteral {
  /** Without quotes. */
  readonly text: string;
  /** Written anew: it stands in statements of the retriever. */
  readonly sql: string;
  readonly operand: OperandShape;
}

const FLIPPED: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};
/** What engines read as a truth value. */
const TRUTH = /^(?:true|false|t|f|yes|no|y|n|1|0)$/i;

/**
 * The comparisons of WHERE, HAVING, QUALIFY and ON with numbers, dates and truth values that have to be met:
 * equalities, the elements of IN, and ranges, of which those on one column that hold together are one. Conditions that
 * keep values out are left alone.
 */
export function orderedConditions(query: ResolvedQuery): readonly OrderedCondition[] {
  const keptOut = blocksKeptOut(query);
  const found = query.shape.blocks.flatMap((block) => {
    const standings = standingsOf(block);
    return block.filters.flatMap((filter, position) => {
      const standing = standings.get(position) ?? { negated: false, groups: [] };
      if (filter.negated || standing.negated) return [];
      const kind = block.joins[filter.join ?? -1]?.kind;
      const isOptional = keptOut.has(block.id) || kind === 'left' || kind === 'right' || kind === 'full';
      return conditionsOf(query, block, filter, standing, `${block.id} filter ${position}`).map((condition) => ({
        ...condition,
        isOptional,
      }));
    });
  });
  const joined = new Map<string, OrderedCondition>();
  for (const [position, condition] of found.entries()) {
    const key = condition.together ?? String(position);
    const first = joined.get(key);
    joined.set(key, first === undefined ? condition : both(first, condition));
  }
  return [...joined.values()];
}

/** Sub-queries whose rows keep other rows out, with those inside of them. */
function blocksKeptOut({ shape }: ResolvedQuery): ReadonlySet<number> {
  const found = new Set<number>();
  // A parent comes before its children.
  for (const block of shape.blocks) {
    if (block.parent !== undefined && found.has(block.parent)) found.add(block.id);
    const standings = standingsOf(block);
    for (const [position, { negated, left, right }] of block.filters.entries()) {
      if (negated === (standings.get(position)?.negated ?? false)) continue;
      for (const { block: inner } of [left, ...right]) if (inner !== undefined) found.add(inner);
    }
  }
  return found;
}

function both(first: OrderedCondition, second: OrderedCondition): OrderedCondition {
  return {
    ...first,
    sql: `${first.sql} AND ${second.sql}`,
    written: `${first.written} AND ${second.written}`,
  };
}

function conditionsOf(
  query: ResolvedQuery,
  block: QueryBlock,
  filter: FilterShape,
  standing: Standing,
  group: string,
): readonly Omit<OrderedCondition, 'isOptional'>[] {
  const [only] = filter.right;
  const isReversed = filter.left.kind === 'literal' && only !== undefined && FLIPPED[filter.operator] !== undefined;
  const operator = isReversed ? FLIPPED[filter.operator] : filter.operator;
  const side = comparedColumn(query, block, isReversed ? only : filter.left);
  if (side === undefined || operator === undefined) return [];
  const literals = (isReversed ? [filter.left] : filter.right).map((operand) => comparedLiteral(query, side, operand));
  const common = { attribute: side.attribute, kind: side.kind, isText: side.isText, filter };
  if (operator === '=' || operator === 'in') {
    const groups = literals.length > 1 ? [...standing.groups, group] : standing.groups;
    return literals.flatMap((literal) => {
      if (literal === undefined) return [];
      const written =
        literals.length > 1
          ? `${textOf(query, filter.left.span)} = ${textOf(query, literal.operand.span)}`
          : textOf(query, filter.span);
      const equals = side.isBare ? literal : undefined;
      return [{ ...common, equals, sql: `${side.sql} = ${literal.sql}`, written, groups, together: undefined }];
    });
  }
  const known = literals.filter((literal) => literal !== undefined);
  // BETWEEN SYMMETRIC takes its ends in any order.
  const isSymmetric = /\bsymmetric\b/i.test(query.sql.slice(filter.left.span.end, only?.span.start));
  const sql = isSymmetric ? undefined : rangeOf(side.sql, operator, known);
  if (sql === undefined || known.length !== literals.length || side.kind === 'truth') return [];
  const clause = `${block.id} ${filter.clause} ${filter.join ?? ''} ${side.attribute}`;
  const together = standing.groups.length > 0 || side.place === undefined ? undefined : `${clause} ${side.place}`;
  const written = textOf(query, filter.span);
  return [{ ...common, equals: undefined, sql, written, groups: standing.groups, together }];
}

/** The range as SQL; undefined for other operators and where a literal of it is not known. */
function rangeOf(
  left: string,
  operator: FilterOperator,
  [first, second]: readonly ComparedLiteral[],
): string | undefined {
  if (first === undefined) return undefined;
  if (operator === 'between')
    return second === undefined ? undefined : `${left} BETWEEN ${first.sql} AND ${second.sql}`;
  return ['<', '<=', '>', '>='].includes(operator) ? `${left} ${operator} ${first.sql}` : undefined;
}

/** The side of a comparison that is a column, or the year or the day of one. */
interface ComparedColumn {
  readonly attribute: AttributeId;
  readonly kind: OrderedCondition['kind'];
  readonly isText: boolean;
  readonly isBare: boolean;
  /** With the name of the column alone. */
  readonly sql: string;
  readonly place: string | undefined;
}

/** What may stand around a column, without blanks and in small letters: its year or its day, and a cast of these. */
const OPENING = /^(?:cast\()?(?:strftime\('%y',|year\(|extract\(yearfrom|date_part\('year',|date\(|substr(?:ing)?\()?$/;
const CLOSING = /^(?:,1,4)?\)?(?:as(?:int(?:eger)?|date)\))?(?:::(?:int|date))?$/;

function comparedColumn(query: ResolvedQuery, block: QueryBlock, operand: OperandShape): ComparedColumn | undefined {
  const [position, ...others] = operand.columns;
  const column = position === undefined ? undefined : block.columns[position];
  if (position === undefined || column === undefined || others.length > 0 || operand.kind === 'subquery')
    return undefined;
  const attribute = column.path === undefined ? originOf(query, block.id, position) : undefined;
  const { nestedFields = [], masked } = query.catalog.attributes[attribute ?? ''] ?? {};
  if (attribute === undefined || nestedFields.length > 0 || masked === true) return undefined;
  const opening = query.sql.slice(operand.span.start, column.span.start);
  const closing = query.sql.slice(column.span.end, operand.span.end);
  const isBare = opening === '' && closing === '';
  const isPart = !isBare && OPENING.test(squeeze(opening)) && CLOSING.test(squeeze(closing));
  const traits = query.dialect.comparisons;
  const type = query.index.attribute(attribute)?.type;
  const place = placeOf(query, block, { attribute, column, folding: [] });
  const sql = replaced(query, operand, column.span, quotedName(query, { attribute, column, folding: [] }));
  const common = { attribute, isBare, sql, place };
  if (isPart) return type === 'DATETIME' || type === 'TEXT' ? { ...common, kind: 'date', isText: false } : undefined;
  if (!isBare) return undefined;
  if (type === 'NUMERIC') return { ...common, kind: 'number', isText: false };
  if (type === 'DATETIME') return { ...common, kind: 'date', isText: traits?.dateWithText === 'text' };
  if (type === 'TEXT') return { ...common, kind: 'date', isText: true };
  // Where booleans are numbers, their cells are looked up as texts are.
  if (type === 'BOOL' && traits?.booleansAreNumbers !== true) return { ...common, kind: 'truth', isText: false };
  return undefined;
}

/** The literal, where the engine can compare the column with it; undefined for anything else. */
function comparedLiteral(
  { dialect, index }: ResolvedQuery,
  { kind, attribute, isText, isBare }: ComparedColumn,
  operand: OperandShape,
): ComparedLiteral | undefined {
  const { literal } = operand;
  if (operand.kind !== 'literal' || literal === undefined) return undefined;
  const text = literal.value.trim();
  // Only of texts that are surely harmless.
  const asString = (): ComparedLiteral => ({ text, sql: quoteString(literal.value, dialect), operand });
  const isNumber = isNumberText(text);
  if (kind === 'truth') {
    if (literal.type === 'boolean') return { text, sql: text.toUpperCase(), operand };
    return literal.type === 'string' && TRUTH.test(text) ? asString() : undefined;
  }
  if (kind === 'number' || !isBare) {
    if (isNumber && literal.type === 'number') return { text, sql: text, operand };
    const isRefused = dialect.comparisons?.numberWithText === 'always fails';
    if (isNumber && literal.type === 'string' && !isRefused) return asString();
    if (kind === 'number') return undefined;
  }
  const form = dateText(text);
  const isWhole = form === 'date' || form === 'date and time';
  if (literal.type === 'typed')
    return isWhole && /^(?:date|timestamp|datetime)$/i.test(literal.dataType ?? '')
      ? { text, sql: `${literal.dataType?.toUpperCase()} ${asString().sql}`, operand }
      : undefined;
  if (literal.type !== 'string') return undefined;
  if (!isText) return isWhole ? asString() : undefined;
  // A year of four digits is no date of a text column: it may be anything.
  const isYear = index.attribute(attribute)?.type === 'DATETIME' && /^\d{4}$/.test(text);
  return isYear || isDateText(text) ? asString() : undefined;
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}
