import type { QueryBlock, Span } from '../../../ports/query-shape.ts';
import { aggregatesOf } from '../../resolve/index.ts';
import type { ResolvedBlock } from '../../resolved-query.ts';

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
 * Indexes of the columns that a block groups by, those behind positions and aliases among them; of expressions none. Undefined for
 * GROUP BY ALL.
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
 * The item of the select list that a grouping names: by its position, by its alias, or by the name that an item without alias has
 * (`SELECT t.a … GROUP BY a`). A relation may have a column of that name as well; engines differ in which of the two is meant.
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
