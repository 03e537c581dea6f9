import type { Span } from '../../../ports/query-shape.ts';
import type { AttributeId } from '../../../schema/schema.ts';
import { bareArgument, isSameName, originOf } from '../../resolve/index.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolved-query.ts';

/**
 * A place of the statement where one attribute stands by itself. `aggregated` is the argument of SUM, AVG, MIN or MAX, `counted` that of
 * COUNT DISTINCT. Of an order only the first key counts: others break ties.
 */
export interface ColumnUse {
  readonly attribute: AttributeId;
  readonly place: 'shown' | 'aggregated' | 'counted' | 'compared' | 'ordered by';
  /** The numbers that it is compared with, as written. */
  readonly numbers: readonly string[];
  readonly span: Span;
  /** Of its name without qualifier: what a fix replaces. */
  readonly name: Span;
}

/** What the statement shows, orders by, and compares with numbers. Sub-queries show nothing. */
export function columnUses(query: ResolvedQuery): readonly ColumnUse[] {
  return query.blocks.flatMap((resolved) => usesOfBlock(query, resolved));
}

function usesOfBlock(query: ResolvedQuery, { block }: ResolvedBlock): ColumnUse[] {
  const use = (place: ColumnUse['place'], column: number | undefined, numbers: readonly string[] = []): ColumnUse[] => {
    const shape = column === undefined ? undefined : block.columns[column];
    const attribute = column === undefined ? undefined : originOf(query, block.id, column);
    if (shape === undefined || attribute === undefined || shape.item !== undefined) return [];
    return [{ attribute, place, numbers, span: shape.span, name: shape.name.span }];
  };
  const argument = (call: number | undefined): number | undefined => {
    const shape = call === undefined ? undefined : block.calls[call];
    const name = shape?.name.at(-1)?.text.toUpperCase() ?? '';
    if (shape?.kind !== 'aggregate' || !(/^(?:SUM|AVG|MIN|MAX)$/.test(name) || (name === 'COUNT' && shape.distinct)))
      return undefined;
    return bareArgument(query.sql, block, shape);
  };
  const items = isShown(query, block.id)
    ? block.items.flatMap(({ kind, columns, calls }) =>
        kind === 'column'
          ? use('shown', columns[0])
          : calls.length === 1
            ? use(block.calls[calls[0] ?? -1]?.distinct === true ? 'counted' : 'aggregated', argument(calls[0]))
            : [],
      )
    : [];
  const filters = block.filters.flatMap(({ operator, left, right }) => {
    const numbers = right.flatMap(({ literal }) => (literal?.type === 'number' ? [literal.value] : []));
    const isComparison = /^(?:=|<|>|<=|>=|between)$/.test(operator) && numbers.length === right.length;
    return left.kind === 'column' && isComparison ? use('compared', left.columns[0], numbers) : [];
  });
  const orders = block.orderBy
    .slice(0, 1)
    .flatMap(({ kind, columns, calls }) =>
      use('ordered by', kind === 'column' ? columns[0] : calls.length === 1 ? argument(calls[0]) : undefined),
    );
  return [...items, ...filters, ...orders];
}

/** The rows of the statement itself: its block, and the operands of its set operation. */
function isShown(query: ResolvedQuery, id: number): boolean {
  let block = query.shape.blocks[id];
  for (let depth = 0; depth < 20 && block !== undefined && block.place === 'operand'; depth++)
    block = block.parent === undefined ? undefined : query.shape.blocks[block.parent];
  return block?.id === 0;
}

/** All attributes that the statement stands on, wherever. */
export function usedAttributes(query: ResolvedQuery): ReadonlySet<AttributeId> {
  const used = new Set<AttributeId>();
  for (const { block, columns, relations } of query.blocks) {
    for (const [index] of columns.entries()) {
      const id = originOf(query, block.id, index);
      if (id !== undefined) used.add(id);
    }
    const names = block.joins.flatMap(({ using }) => using);
    const isAll = block.items.some(({ kind }) => kind === 'star');
    for (const relation of relations) {
      if (relation.kind !== 'relation' || (!isAll && names.length === 0)) continue;
      for (const attribute of query.index.attributesOf(relation.id))
        if (isAll || names.some((name) => isSameName(query, attribute.name, name))) used.add(attribute.id);
    }
  }
  return used;
}
