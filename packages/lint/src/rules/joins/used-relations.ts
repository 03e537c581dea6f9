import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import { type JoinGraph, type JoinLink, nodeColumn } from './join-graph.ts';

/** What a block does with one of its relations, besides linking it. */
interface RelationUse {
  /** In the select list, outside of aggregates too. */
  readonly isShown: boolean;
  /** Anywhere: in conditions, groups, order, aggregates, sub-queries. */
  readonly isUsed: boolean;
}

/**
 * How each relation of a block is used outside the given links. Undefined where a name cannot be told, so that it may
 * belong to any of them.
 */
export function relationUses(
  query: ResolvedQuery,
  graph: JoinGraph,
  ignored: readonly JoinLink[],
): readonly RelationUse[] | undefined {
  const { block } = graph.block;
  const shown = new Set<number>();
  const used = new Set<number>();
  const skipped = new Set(ignored.flatMap(({ columns }) => columns ?? []));
  for (const [at, shape] of block.columns.entries()) {
    if (skipped.has(at)) continue;
    const column = graph.block.columns[at];
    if (column === undefined || column.kind === 'alias') continue;
    const relations =
      column.kind === 'ambiguous'
        ? column.among
        : column.kind === 'attribute' || column.kind === 'output'
          ? [column.relation]
          : shape.relation === undefined
            ? undefined
            : [shape.relation];
    if (relations === undefined) return undefined;
    for (const { block: owner, relation } of relations) {
      if (owner !== block.id) continue;
      used.add(relation);
      if (shape.clause === 'select') shown.add(relation);
    }
  }
  for (const item of block.items) {
    if (item.kind !== 'star') continue;
    const qualifier = item.qualifier.at(-1)?.text.toLowerCase();
    for (const { relation, resolved } of graph.nodes)
      if (qualifier === undefined || resolved.exposedAs.toLowerCase() === qualifier) {
        shown.add(relation);
        used.add(relation);
      }
  }
  for (const { block: inner } of query.shape.blocks.flatMap(({ parent, id, place }) =>
    parent === block.id && place !== 'cte' ? [{ block: id }] : [],
  ))
    for (const relation of correlated(query, block.id, inner)) used.add(relation);
  // NATURAL and USING merge columns: which side shows them cannot be told.
  for (const link of graph.links)
    if (link.columns === undefined)
      for (const side of [link.left, link.right]) {
        const name = query.index.attribute(side.key)?.name.toLowerCase() ?? side.key;
        const isNamed = block.columns.some(
          ({ name: written, qualifier }, at) =>
            qualifier.length === 0 && written.text.toLowerCase() === name && nodeColumn(graph.block, at) === undefined,
        );
        if (isNamed) used.add(side.relation);
      }
  return graph.nodes.map(({ relation }) => ({ isShown: shown.has(relation), isUsed: used.has(relation) }));
}

/** Relations of a block that the blocks inside another one name. */
export function correlated(query: ResolvedQuery, outer: number, inner: number): ReadonlySet<number> {
  const inside = new Set([inner]);
  const found = new Set<number>();
  for (const { block, columns } of query.blocks) {
    if (block.parent !== undefined && inside.has(block.parent)) inside.add(block.id);
    if (!inside.has(block.id)) continue;
    for (const [at, column] of columns.entries()) {
      const relation =
        column.kind === 'attribute' || column.kind === 'output' ? column.relation : block.columns[at]?.relation;
      if (relation?.block === outer) found.add(relation.relation);
    }
  }
  return found;
}
