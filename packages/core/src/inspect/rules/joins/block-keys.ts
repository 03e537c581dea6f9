import type { RelationShape } from '../../../ports/query-shape.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolved-query.ts';
import { determine } from './determine.ts';
import { type BlockKeys, type JoinGraph, nodeColumn } from './join-graph.ts';

/** Sub-queries deeper than this are not looked into for keys. */
const MAX_DEPTH = 30;

/**
 * Finds what is unique in the result of a block: the columns that it groups by, all columns of DISTINCT and UNION, one row for
 * aggregates without GROUP BY and LIMIT 1, and the keys of its relations where its joins do not repeat them. Members of a key are
 * positions in the block's outputs, as decimal text.
 *
 * The function that is returned remembers what it found.
 */
export function findBlockKeys(
  query: ResolvedQuery,
  graphOf: (block: ResolvedBlock) => JoinGraph,
): (block: number) => BlockKeys | undefined {
  const found = new Map<number, BlockKeys | undefined>();
  let depth = 0;
  return (id) => {
    if (found.has(id)) return found.get(id);
    const block = query.blocks[id];
    if (block === undefined || depth >= MAX_DEPTH) return undefined;
    // A recursive CTE reads itself: nothing is known of it meanwhile.
    found.set(id, undefined);
    depth += 1;
    const keys = keysOf(block, graphOf);
    depth -= 1;
    found.set(id, keys);
    return keys;
  };
}

/** The names of a block's outputs as a relation of another block gives them: those behind its alias, those of the CTE, its own. */
export function outputNames(
  query: ResolvedQuery,
  shape: RelationShape,
  block: number,
): readonly (string | undefined)[] {
  const own = query.blocks[block]?.outputs ?? [];
  const parent = query.shape.blocks[block]?.parent;
  const ctes = parent === undefined ? [] : (query.shape.blocks[parent]?.ctes ?? []);
  const cte = ctes.find((candidate) => candidate.block === block);
  const length = Math.max(own.length, shape.columnAliases.length, cte?.columns.length ?? 0);
  return Array.from(
    { length },
    (_, at) => shape.columnAliases[at]?.text ?? cte?.columns[at]?.text ?? own[at]?.name ?? undefined,
  );
}

function keysOf(resolved: ResolvedBlock, graphOf: (block: ResolvedBlock) => JoinGraph): BlockKeys | undefined {
  const { block, outputs } = resolved;
  if (block.limit?.count === '1') return [[]];
  const keys: string[][] = [];
  const everything = outputs?.map((_, at) => String(at));
  if (block.kind === 'set operation') {
    const isDistinct = block.setOperation?.operators.every(({ all }) => !all) ?? false;
    return isDistinct && everything !== undefined ? [everything] : undefined;
  }
  if (block.kind !== 'select') return undefined;
  const isAggregated = block.groupings.length > 0 || block.items.some(({ isAggregate }) => isAggregate);
  if (isAggregated && block.groupings.length === 0) return [[]];
  if (block.relations.length === 0) return [[]];
  if (everything === undefined || outputs === undefined) return undefined;
  if (block.distinct) keys.push(everything);
  if (isAggregated) {
    const grouped = groupedOutputs(resolved);
    if (grouped !== undefined) keys.push(grouped);
    return keys.length === 0 ? undefined : keys;
  }
  const graph = graphOf(resolved);
  // A key of a relation stays one where a row of that relation determines all others.
  for (const node of graph.nodes) {
    if (determine(graph, { nodes: [node.relation] }).nodes.size < graph.nodes.length) continue;
    for (const key of node.keys ?? []) {
      const positions = key.map((member) =>
        outputs.findIndex(({ item, relation, attribute }) => {
          const shape = item === undefined ? undefined : block.items[item];
          const shown = shape?.kind === 'column' ? nodeColumn(resolved, shape.columns[0] ?? -1) : undefined;
          if (shown !== undefined) return shown.relation === node.relation && shown.key === member;
          const isOwn = relation?.block === block.id && relation.relation === node.relation;
          return shape?.kind === 'star' && isOwn && attribute === member;
        }),
      );
      if (positions.every((position) => position >= 0)) keys.push(positions.map(String));
    }
  }
  return keys.length === 0 ? undefined : keys;
}

/** Positions of the outputs that show what the block groups by; undefined where one of its groupings is not shown. */
function groupedOutputs(resolved: ResolvedBlock): string[] | undefined {
  const { block, outputs } = resolved;
  const positions: string[] = [];
  for (const grouping of block.groupings) {
    if (grouping.kind === 'all' || grouping.kind === 'sets') return undefined;
    let item = grouping.item;
    const [column] = grouping.columns;
    if (item === undefined && grouping.kind === 'column' && column !== undefined) {
      const found = resolved.columns[column];
      const wanted = nodeColumn(resolved, column);
      if (found?.kind === 'alias') item = found.item;
      else
        item = block.items.findIndex(({ kind, columns }) => {
          const shown = kind === 'column' ? nodeColumn(resolved, columns[0] ?? -1) : undefined;
          return shown !== undefined && shown.relation === wanted?.relation && shown.key === wanted.key;
        });
    }
    const position = item === undefined || item < 0 ? -1 : (outputs?.findIndex((output) => output.item === item) ?? -1);
    if (position < 0) return undefined;
    positions.push(String(position));
  }
  return positions;
}
