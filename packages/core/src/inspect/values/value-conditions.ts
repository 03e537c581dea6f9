import { quoteIdentifier } from '../../adapter/quote-name.ts';
import type { ConditionShape, FilterShape, OperandShape, QueryBlock } from '../../ports/query-shape.ts';
import { originOf } from '../resolve/query-facts.ts';
import { textsInExpressions } from '../resolve/texts-in-expressions.ts';
import type { ResolvedQuery } from '../resolved-query.ts';
import { type ComparedCell, type ComparedValue, comparedCell, comparedValue } from './compared-cell.ts';

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
}

/** All comparisons of text attributes with texts in WHERE, HAVING, QUALIFY, ON and inside of expressions (CASE), in the order of the blocks. */
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

interface Standing {
  readonly negated: boolean;
  readonly groups: readonly string[];
}

/** What stands above each filter: NOT, and the ORs. */
function standingsOf(block: QueryBlock): ReadonlyMap<number, Standing> {
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
    return [{ cell, value, operator, negated, sql, mention, groups: standing.groups, mustHold, place }];
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
      },
    ];
  });
}

function placeOf({ blocks }: ResolvedQuery, block: QueryBlock, { column }: ComparedCell): string | undefined {
  const resolved = blocks[block.id]?.columns[block.columns.indexOf(column)];
  return resolved?.kind === 'attribute' ? `${resolved.relation.block} ${resolved.relation.relation}` : undefined;
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

function quotedName({ index, dialect }: ResolvedQuery, { attribute, column }: ComparedCell): string {
  return quoteIdentifier(index.attribute(attribute)?.name ?? column.name.text, dialect);
}

/** The text of an operand with one piece of it replaced. */
function replaced(
  { sql }: ResolvedQuery,
  operand: OperandShape,
  piece: { readonly start: number; readonly end: number },
  text: string,
): string {
  return sql.slice(operand.span.start, piece.start) + text + sql.slice(piece.end, operand.span.end);
}
