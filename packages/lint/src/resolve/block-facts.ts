import type { Span } from '@askema/core';
import type { CallShape, QueryBlock, QueryShape } from '@askema/sql';
import { aggregatesOf } from './query-facts.ts';
import type { ResolvedBlock, ResolvedQuery } from './resolved-query.ts';

/** True where a block gives one row for each group: it has GROUP BY, or aggregates in SELECT, HAVING or ORDER BY. */
export function isAggregated(block: QueryBlock): boolean {
  return (
    block.groupings.length > 0 ||
    aggregatesOf(block).some(({ clause }) => clause === 'select' || clause === 'having' || clause === 'order by')
  );
}

/** True where `inner` stands in `outer`. */
export function isWithin(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/**
 * Indexes of the columns that a block groups by, those behind positions and aliases among them; of expressions none.
 * Undefined for GROUP BY ALL.
 */
export function groupedColumns(resolved: ResolvedBlock): readonly number[] | undefined {
  const { block } = resolved;
  const found: number[] = [];
  for (const grouping of block.groupings) {
    if (grouping.kind === 'all') return undefined;
    const item = groupedItem(resolved, grouping);
    const shape = item === undefined ? undefined : block.items[item];
    if (shape?.kind === 'column') found.push(...shape.columns);
    if (grouping.kind === 'column' || grouping.kind === 'sets') found.push(...grouping.columns);
  }
  return found;
}

/**
 * The item of the select list that a grouping names: by its position, by its alias, or by the name that an item without
 * alias has (`SELECT t.a … GROUP BY a`). A relation may have a column of that name as well; engines differ in which of
 * the two is meant.
 */
export function groupedItem(
  { block, columns }: ResolvedBlock,
  grouping: QueryBlock['groupings'][number],
): number | undefined {
  if (grouping.item !== undefined) return grouping.item;
  const [column] = grouping.columns;
  const shape = column === undefined ? undefined : block.columns[column];
  if (grouping.kind !== 'column' || column === undefined || shape === undefined) return undefined;
  const found = columns[column];
  if (found?.kind === 'alias') return found.item;
  if (shape.item !== undefined || shape.qualifier.length > 0) return shape.item;
  const name = shape.name.text.toLowerCase();
  const item = block.items.findIndex(
    ({ kind, alias, columns: shown }) =>
      kind === 'column' && alias === undefined && block.columns[shown[0] ?? -1]?.name.text.toLowerCase() === name,
  );
  return item < 0 ? undefined : item;
}

/** SQL without case, blanks and quotes, so that two writings of one expression are equal. */
export function plainSql(sql: string, span: Span): string {
  return sql
    .slice(span.start, span.end)
    .toLowerCase()
    .replace(/[\s"`[\]]/g, '');
}

/** True for an operand of a set operation that drops repeated rows: UNION, INTERSECT, EXCEPT without ALL. */
export function dropsRepeatedRows(shape: QueryShape, block: number): boolean {
  const parent = shape.blocks[block]?.parent;
  const around = parent === undefined ? undefined : shape.blocks[parent]?.setOperation;
  return around?.operands.includes(block) === true && around.operators.some(({ all }) => !all);
}

/** The first SELECT of the statement: itself, or the first operand of a set operation. */
export function firstSelect(query: ResolvedQuery): QueryBlock | undefined {
  let block = query.shape.blocks[0];
  for (let depth = 0; depth < 20 && block?.kind === 'set operation'; depth++) {
    const first = block.setOperation?.operands[0];
    block = first === undefined ? undefined : query.shape.blocks[first];
  }
  return block?.kind === 'select' ? block : undefined;
}

/** True for a SELECT of aggregates without GROUP BY, or without FROM: one row. */
export function givesOneRow(block: QueryBlock | undefined): boolean {
  if (block === undefined || block.kind !== 'select') return false;
  if (block.relations.length === 0) return true;
  return block.groupings.length === 0 && block.items.length > 0 && block.items.some(({ isAggregate }) => isAggregate);
}

/** All calls of the statement. */
export function allCalls(query: ResolvedQuery): readonly CallShape[] {
  return query.shape.blocks.flatMap(({ calls }) => calls);
}

/** The end of a statement, where a clause may be added: behind everything but comments and a semicolon. */
export function endOf(query: ResolvedQuery): { readonly start: number; readonly end: number } {
  const end = query.shape.blocks[0]?.span.end ?? query.shape.statement.end;
  return { start: end, end };
}
