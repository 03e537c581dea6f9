import type { ColumnShape, ConditionShape, QueryBlock } from '@askema/sql';

/**
 * The columns by which a block joins rows, in pairs: an equality of columns in ON or WHERE, with no OR and no NOT
 * above it. Whoever joins by a number takes it for the name of something.
 */
export function joinedPairs(block: QueryBlock): readonly (readonly [ColumnShape, ColumnShape])[] {
  const inWhere = required(block.conditions.where).flatMap((index) => {
    const filter = block.filters[index];
    const [right] = filter?.right ?? [];
    if (filter?.operator !== '=' || filter.left.kind !== 'column' || right?.kind !== 'column') return [];
    return [{ left: filter.left.columns[0] ?? -1, right: right.columns[0] ?? -1 }];
  });
  return [...block.joins.flatMap(({ pairs }) => pairs), ...inWhere].flatMap(({ left, right }) => {
    const [one, other] = [block.columns[left], block.columns[right]];
    if (one === undefined || other === undefined) return [];
    const isOneRelation =
      one.relation?.block === other.relation?.block && one.relation?.relation === other.relation?.relation;
    return isOneRelation ? [] : [[one, other] as const];
  });
}

/** The filters that every row passes. */
function required(condition: ConditionShape | undefined): readonly number[] {
  if (condition?.kind === 'filter') return [condition.filter];
  return condition?.kind === 'and' ? condition.operands.flatMap(required) : [];
}
