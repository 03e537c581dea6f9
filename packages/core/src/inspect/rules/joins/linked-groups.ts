import type { ResolvedQuery } from '../../resolved-query.ts';
import { type JoinGraph, nodeColumn } from './join-graph.ts';
import { components } from './judge-links.ts';

/**
 * For each relation of a block the number of its group: relations that any condition compares share one, be it under OR, by a range, or in
 * a correlated sub-query. Undefined where a name in a condition may belong to any of them.
 */
export function linkedGroups(query: ResolvedQuery, graph: JoinGraph): readonly number[] | undefined {
  const { block } = graph.block;
  const sets: (ReadonlySet<number> | undefined)[] = [];
  for (const filter of block.filters) {
    if (filter.clause === 'having') continue;
    const columns = [...filter.left.columns, ...filter.right.flatMap((operand) => operand.columns)];
    const relations = new Set<number>();
    for (const column of columns) {
      const relation = relationOf(graph, column);
      if (relation === undefined) return undefined;
      relations.add(relation);
    }
    const blocks = [filter.left, ...filter.right].flatMap((operand) =>
      operand.block === undefined ? [] : [operand.block],
    );
    for (const { block: inner } of block.subqueries.filter(
      ({ span }) => span.start >= filter.span.start && span.end <= filter.span.end,
    ))
      blocks.push(inner);
    for (const inner of blocks) for (const relation of correlated(query, block.id, inner)) relations.add(relation);
    sets.push(relations);
  }
  // What stands in conditions without being an operand of a filter: arguments of table functions, of lateral sub-queries.
  for (const [at, { kind, lateral, block: inner }] of block.relations.entries()) {
    if (kind === 'function' || kind === 'unnest') return undefined;
    if (inner !== undefined && lateral) sets.push(new Set([at, ...correlated(query, block.id, inner)]));
  }
  const group = components(graph, () => true);
  for (const set of sets) {
    const [first, ...others] = [...(set ?? [])].filter((relation) => relation >= 0);
    for (const other of others) {
      const [one, two] = [group[first ?? 0], group[other]];
      for (const [at, value] of group.entries()) if (value === two) group[at] = one ?? 0;
    }
  }
  for (const join of block.joins) {
    // NATURAL and USING over columns that are not known.
    const isNamed = join.natural || join.using.length > 0;
    const hasLink = graph.links.some((link) => link.join === block.joins.indexOf(join));
    const isKnown = [join.relation, 0].every((relation) => graph.nodes[relation]?.resolved.kind === 'relation');
    if (isNamed && !hasLink && !(join.natural && isKnown)) return undefined;
  }
  return group;
}

/** -1 for columns of blocks around this one; undefined for those of which nothing can be said. */
function relationOf(graph: JoinGraph, column: number): number | undefined {
  const known = nodeColumn(graph.block, column);
  if (known !== undefined) return known.relation;
  const found = graph.block.columns[column];
  if (found?.kind === 'attribute' || found?.kind === 'output') {
    return found.relation.block === graph.block.block.id ? found.relation.relation : -1;
  }
  const written = graph.block.block.columns[column]?.relation;
  if (written === undefined) return undefined;
  return written.block === graph.block.block.id ? written.relation : -1;
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
