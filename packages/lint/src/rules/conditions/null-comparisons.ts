import type { AttributeId, Fix } from '@askema/core';
import type { FilterShape, QueryBlock } from '@askema/sql';
import { conjuncts, originOf, textOf } from '../../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';

/** `= NULL` is unknown for every row, so that nothing is found. */
export const equalsNull: InspectionRule = {
  code: 'equals-null',
  severity: 'error',
  title: 'A comparison with NULL by = or <>, which is never true',
  *check(query) {
    for (const { block } of query.blocks)
      for (const filter of block.filters) {
        if (filter.operator !== '=' && filter.operator !== '<>') continue;
        const [right] = filter.right;
        if (right === undefined) continue;
        const isRight = right.literal?.type === 'null';
        if (!isRight && filter.left.literal?.type !== 'null') continue;
        const tested = isRight ? filter.left : right;
        const text = textOf(query, tested.span);
        const replacement = `${text} IS ${filter.operator === '=' ? '' : 'NOT '}NULL`;
        yield {
          message: `${textOf(query, filter.span)} is never true: NULL is not equal, and not unequal, to anything.`,
          advice: `Write ${replacement}.`,
          span: filter.span,
          fix: { description: `Write ${replacement}`, edits: [{ span: filter.span, text: replacement }] },
        };
      }
  },
};

/**
 * NOT IN gives no row at all as soon as one NULL is in the list. A sub-query is reported where the catalog lets its
 * column be NULL and no filter keeps NULL out: as a warning where the relation says of other columns that they are not
 * null, as a note where it says so of none but its key, for then the catalog knows nothing about NULL.
 */
export const notInNull: InspectionRule = {
  code: 'not-in-null',
  severity: 'warning',
  title: 'NOT IN a list that holds NULL, or may, and so finds nothing',
  *check(query) {
    for (const { block } of query.blocks)
      for (const filter of block.filters) {
        if (filter.operator !== 'in' || !filter.negated) continue;
        const finding = filter.right.some(({ literal }) => literal?.type === 'null')
          ? listWithNull(query, filter)
          : subqueryWithNull(query, filter);
        if (finding !== undefined) yield finding;
      }
  },
};

function listWithNull(query: ResolvedQuery, filter: FilterShape): RuleFinding {
  const kept = filter.right.filter(({ literal }) => literal?.type !== 'null').map(({ span }) => textOf(query, span));
  const first = filter.right[0]?.span.start ?? filter.span.start;
  const last = filter.right.at(-1)?.span.end ?? filter.span.end;
  const tested = textOf(query, filter.left.span);
  return {
    severity: 'error',
    message: `NULL is in the list: NOT IN is never true, whatever ${tested} is.`,
    advice: `Leave NULL out of the list; to leave out rows without a value, add ${tested} IS NOT NULL.`,
    span: filter.span,
    fix:
      kept.length === 0
        ? undefined
        : {
            description: 'Leave NULL out of the list',
            edits: [{ span: { start: first, end: last }, text: kept.join(', ') }],
          },
  };
}

function subqueryWithNull(query: ResolvedQuery, filter: FilterShape): RuleFinding | undefined {
  const [operand] = filter.right;
  const inner = operand?.block === undefined ? undefined : query.blocks[operand.block];
  const output = inner?.outputs?.[0];
  const id = output?.attribute;
  const attribute = id === undefined ? undefined : query.index.attribute(id);
  if (inner === undefined || attribute === undefined || operand === undefined || inner.block.kind !== 'select')
    return undefined;
  const { index } = query;
  const key = index.primaryKey(attribute.relation)?.attributes ?? [];
  if (index.isNotNull(attribute.id) || key.includes(attribute.id) || isNullKeptOut(query, inner, attribute.id))
    return undefined;
  const isDeclared = index
    .attributesOf(attribute.relation)
    .some((other) => !key.includes(other.id) && index.isNotNull(other.id));
  return {
    severity: isDeclared ? 'warning' : 'note',
    message: `${attribute.name} may be NULL, and one NULL in the sub-query is enough for NOT IN to find nothing.`,
    advice: `Add ${attribute.name} IS NOT NULL to the sub-query, or use NOT EXISTS.`,
    span: operand.span,
    fix: keepNullOut(query, inner.block),
  };
}

/** True where each row of the block needs a value in that attribute: a comparison of WHERE or of an inner join. */
function isNullKeptOut(query: ResolvedQuery, { block }: ResolvedBlock, attribute: AttributeId): boolean {
  const isIt = (column: number) => originOf(query, block.id, column) === attribute;
  const joins = block.joins.flatMap(({ kind }, join) => (kind === 'inner' ? conjuncts(block, { join }) : []));
  return [...conjuncts(block, 'where'), ...joins].some(({ operator, negated, left, right }) => {
    if (operator === 'is null' ? !negated : operator === 'exists' || operator.startsWith('is ')) return false;
    return [left, ...right].some(({ kind, columns }) => kind === 'column' && columns.some(isIt));
  });
}

/** Only where the column stands there by its name, and where no OR asks for brackets. */
function keepNullOut(query: ResolvedQuery, block: QueryBlock): Fix | undefined {
  const [item] = block.items;
  const { where, from } = block.clauses;
  if (item?.kind !== 'column' || block.conditions.where?.kind === 'or') return undefined;
  const column = textOf(query, item.expression);
  const at = where?.end ?? from?.end;
  if (at === undefined) return undefined;
  return {
    description: `Leave out rows without ${column}`,
    edits: [{ span: { start: at, end: at }, text: ` ${where === undefined ? 'WHERE' : 'AND'} ${column} IS NOT NULL` }],
  };
}
