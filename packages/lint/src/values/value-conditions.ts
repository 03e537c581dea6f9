import { type AttributeId, quoteIdentifier, type Span } from '@askema/core';
import type { ColumnShape, ConditionShape, FilterShape, OperandShape, QueryBlock } from '@askema/sql';
import { originOf, textsInExpressions } from '../resolve/query-facts.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { isDateText } from './date-forms.ts';

/** A comparison of an attribute with one text: what the retriever looks up. */
export interface ValueCondition {
  readonly cell: ComparedCell;
  readonly value: ComparedValue;
  readonly operator: '=' | 'like' | 'ilike';
  /** Rows that have the value are kept out: `<>`, NOT IN, NOT LIKE, or NOT above it. */
  readonly negated: boolean;
  /** The comparison as SQL over its relation alone, without negation; `hole` stands for the value. */
  readonly sql: (hole: string) => string;
  /** The text to look for: of a pattern what stands between its wildcards. */
  readonly mention: string;
  /** Conditions with a group in common are alternatives: one of them suffices (OR, the elements of IN). */
  readonly groups: readonly string[];
  /** Every row of the block's result meets it: not negated, and no OR or list of several values stands above it. */
  readonly mustHold: boolean;
  /** Which relation of which block the column belongs to; undefined for columns of CTEs and derived tables. */
  readonly place: string | undefined;
  /** An equality with a day, which `orderedConditions` has as well: whoever looks that up reports it. */
  readonly isDay: boolean;
}

/**
 * All comparisons of text attributes with texts in WHERE, HAVING, QUALIFY, ON and inside of expressions (CASE), in the
 * order of the blocks.
 */
export function valueConditions(query: ResolvedQuery): readonly ValueCondition[] {
  return query.shape.blocks.flatMap((block) => {
    const standings = standingsOf(block);
    const ofFilters = block.filters.flatMap((filter, position) => {
      const standing = standings.get(position) ?? { negated: false, groups: [] };
      return conditionsOfFilter(query, block, filter, {
        negated: standing.negated,
        groups: [...standing.groups, `${block.id} filter ${position}`],
      });
    });
    return [...ofFilters, ...conditionsInExpressions(query, block)];
  });
}

export interface Standing {
  readonly negated: boolean;
  readonly groups: readonly string[];
}

/** What stands above each filter: NOT, and the ORs. */
export function standingsOf(block: QueryBlock): ReadonlyMap<number, Standing> {
  const found = new Map<number, Standing>();
  const roots = [...Object.values(block.conditions), ...block.joins.map((join) => join.condition)];
  const open: { readonly condition: ConditionShape; readonly standing: Standing }[] = roots.flatMap((condition) =>
    condition === undefined ? [] : [{ condition, standing: { negated: false, groups: [] } }],
  );
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { condition, standing } = next;
    if (condition.kind === 'filter') found.set(condition.filter, standing);
    else if (condition.kind === 'not')
      open.push({ condition: condition.operand, standing: { ...standing, negated: !standing.negated } });
    else {
      const groups =
        condition.kind === 'or' ? [...standing.groups, `${block.id} or ${condition.span.start}`] : standing.groups;
      for (const operand of condition.operands) open.push({ condition: operand, standing: { ...standing, groups } });
    }
  }
  return found;
}

function conditionsOfFilter(
  query: ResolvedQuery,
  block: QueryBlock,
  filter: FilterShape,
  standing: Standing,
): readonly ValueCondition[] {
  const operator = operatorOf(filter);
  if (operator === undefined) return [];
  const pairs = filter.right.flatMap((right): readonly (readonly [OperandShape, OperandShape])[] => {
    const isReversed = filter.left.kind === 'literal' && operator === '=' && filter.operator !== 'in';
    return [isReversed ? [right, filter.left] : [filter.left, right]];
  });
  return pairs.flatMap(([cellSide, valueSide]) => {
    const cell = comparedCell(query, block, cellSide);
    const value = cell && comparedValue(query, valueSide);
    if (cell === undefined || value === undefined || !holdsText(query, cell)) return [];
    const mention = operator === '=' ? value.text : fixedPart(value.text);
    const tail = operator === '=' ? '' : query.sql.slice(valueSide.span.end, filter.span.end);
    if (mention.trim() === '' || !/^\s*(?:escape\s+'[^']{1,2}'\s*)?$/i.test(tail)) return [];
    const left = replaced(query, cellSide, cell.column.span, quotedName(query, cell));
    const sql = (hole: string): string =>
      `${left} ${operator.toUpperCase()} ${replaced(query, valueSide, value.span, hole)}${tail}`;
    const negated = (filter.negated || filter.operator === '<>') !== standing.negated;
    const mustHold = !negated && pairs.length === 1 && standing.groups.length === 1;
    const place = placeOf(query, block, cell);
    const isDay = operator === '=' && !negated && isDayOfColumn(cellSide, valueSide);
    return [{ cell, value, operator, negated, sql, mention, groups: standing.groups, mustHold, place, isDay }];
  });
}

/** `SUM(CASE WHEN publisher = 'Marvel' THEN 1 END)`: comparisons that are no filters of the block. */
function conditionsInExpressions(query: ResolvedQuery, block: QueryBlock): readonly ValueCondition[] {
  return textsInExpressions(query, block).flatMap(({ column: position, operator, literal }) => {
    const column = block.columns[position];
    const attribute =
      column === undefined || column.path !== undefined ? undefined : originOf(query, block.id, position);
    if (column === undefined || attribute === undefined) return [];
    const cell = { attribute, column, folding: [] };
    const text = literal.text;
    if (!holdsText(query, cell) || text.trim() === '') return [];
    const name = quotedName(query, cell);
    return [
      {
        cell,
        value: { text, span: literal.span },
        operator: '=' as const,
        negated: operator === '<>',
        sql: (hole: string): string => `${name} = ${hole}`,
        mention: text,
        groups: [`${block.id} expression ${position}`],
        mustHold: false,
        place: placeOf(query, block, cell),
        isDay: false,
      },
    ];
  });
}

/** Which relation of which block a column belongs to; undefined for columns of CTEs and derived tables. */
export function placeOf({ blocks }: ResolvedQuery, block: QueryBlock, { column }: ComparedCell): string | undefined {
  const resolved = blocks[block.id]?.columns[block.columns.indexOf(column)];
  return resolved?.kind === 'attribute' ? `${resolved.relation.block} ${resolved.relation.relation}` : undefined;
}

function isDayOfColumn(cellSide: OperandShape, { literal }: OperandShape): boolean {
  return cellSide.kind === 'column' && literal?.type === 'string' && isDateText(literal.value);
}

function operatorOf({ operator }: FilterShape): ValueCondition['operator'] | undefined {
  if (operator === '=' || operator === '<>' || operator === 'in') return '=';
  return operator === 'like' || operator === 'ilike' ? operator : undefined;
}

/** Text attributes; and boolean ones where the engine keeps whatever was stored in them. */
function holdsText({ index, catalog, dialect }: ResolvedQuery, { attribute }: ComparedCell): boolean {
  if ((catalog.attributes[attribute]?.nestedFields ?? []).length > 0) return false;
  const type = index.attribute(attribute)?.type;
  return type === 'TEXT' || (type === 'BOOL' && dialect.comparisons?.booleansAreNumbers === true);
}

/** `%todd%casey%` is about `todd casey`. */
function fixedPart(pattern: string): string {
  return pattern.replace(/[%_\\]+/gu, ' ').trim();
}

export function quotedName({ index, dialect }: ResolvedQuery, { attribute, column }: ComparedCell): string {
  return quoteIdentifier(index.attribute(attribute)?.name ?? column.name.text, dialect);
}

/** The text of an operand with one piece of it replaced. */
export function replaced(
  { sql }: ResolvedQuery,
  operand: OperandShape,
  piece: { readonly start: number; readonly end: number },
  text: string,
): string {
  return sql.slice(operand.span.start, piece.start) + text + sql.slice(piece.end, operand.span.end);
}

/** What a comparison does to a cell or a value before it compares. */
type Folding = 'lower' | 'upper' | 'trim';

/** One side of a comparison that is an attribute, at most with its letters folded. */
interface ComparedCell {
  readonly attribute: AttributeId;
  readonly column: ColumnShape;
  readonly folding: readonly Folding[];
}

/** One side of a comparison that is a text or a number. */
interface ComparedValue {
  /** Without quotes, escapes resolved. */
  readonly text: string;
  /** Slices the literal with its quotes. */
  readonly span: Span;
}

/** Longer wrappers are not looked into. */
const MAX_WRAPPER_CHARACTERS = 80;
const OPENING = /^(?:(?:lower|upper|l?trim|rtrim|cast)?\()*$/;
const CLOSING =
  /^(?:\)|as(?:text|string|n?varchar|char|character)(?:\(\d+\))?\)|collate"?[a-z_0-9]+"?|::(?:text|string|varchar))*$/;
/** A string behind which a collation stands, or in the brackets of a function that folds letters. */
const WRAPPED_STRING = /^((?:lower|upper|trim)\s*\(\s*)?('(?:[^'\\]|'')*')(\s*\))?(?:\s*collate\s+\w+)?$/i;

/**
 * The attribute of an operand: a column alone, within LOWER, UPPER, TRIM or a cast to text, or with a collation.
 * Undefined for other expressions, which change what is compared.
 */
function comparedCell(query: ResolvedQuery, block: QueryBlock, operand: OperandShape): ComparedCell | undefined {
  const [position, ...others] = operand.columns;
  if (position === undefined || others.length > 0 || operand.kind === 'subquery') return undefined;
  const column = block.columns[position];
  if (column === undefined || column.path !== undefined) return undefined;
  const opening = squeeze(query.sql.slice(operand.span.start, column.span.start));
  const closing = squeeze(query.sql.slice(column.span.end, operand.span.end));
  if (Math.max(opening.length, closing.length) > MAX_WRAPPER_CHARACTERS) return undefined;
  if (!OPENING.test(opening) || !CLOSING.test(closing)) return undefined;
  const attribute = originOf(query, block.id, position);
  return attribute === undefined ? undefined : { attribute, column, folding: foldings(opening) };
}

function foldings(opening: string): readonly Folding[] {
  return (['lower', 'upper', 'trim'] as const).filter((folding) => opening.includes(folding));
}

/** The literal of an operand, also with a collation or in LOWER, UPPER or TRIM. Undefined for anything else. */
function comparedValue(query: ResolvedQuery, operand: OperandShape): ComparedValue | undefined {
  const span = withoutBrackets(query.sql, operand.span);
  if (operand.kind === 'literal') {
    const { type, value } = operand.literal ?? { type: 'other', value: '' };
    if (type === 'number') return { text: numberAsText(query, value), span };
    // There TRUE is 1.
    if (type === 'boolean' && query.dialect.comparisons?.booleansAreNumbers === true)
      return { text: value.toLowerCase() === 'true' ? '1' : '0', span };
    return type === 'string' ? { text: value, span } : undefined;
  }
  if (operand.columns.length > 0 || span.end - span.start > 1_000) return undefined;
  const match = WRAPPED_STRING.exec(query.sql.slice(span.start, span.end));
  const literal = match?.[2];
  if (match === null || literal === undefined || (match[1] === undefined) !== (match[3] === undefined))
    return undefined;
  const start = span.start + (match[1]?.length ?? 0);
  return { text: literal.slice(1, -1).replaceAll("''", "'"), span: { start, end: start + literal.length } };
}

/** Where the engine reads cells as numbers to compare them, `5.0` is the cell `5`. */
function numberAsText({ dialect }: ResolvedQuery, written: string): string {
  const isRead = dialect.comparisons?.textWithNumber.startsWith('number') === true;
  return isRead && Number.isSafeInteger(Number(written)) ? String(Number(written)) : written;
}

/** `('x')` is `'x'`. */
function withoutBrackets(sql: string, span: Span): Span {
  let { start, end } = span;
  while (sql[start] === '(' && sql[end - 1] === ')') {
    start += 1;
    end -= 1;
    while (start < end && /\s/.test(sql[start] ?? '')) start += 1;
    while (end > start && /\s/.test(sql[end - 1] ?? '')) end -= 1;
  }
  return { start, end };
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}

/** A text as the comparison sees it. */
export function applyFolding(text: string, folding: readonly Folding[]): string {
  let folded = text;
  if (folding.includes('trim')) folded = folded.trim();
  if (folding.includes('lower')) folded = folded.toLowerCase();
  if (folding.includes('upper')) folded = folded.toUpperCase();
  return folded;
}
