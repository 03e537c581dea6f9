import type { FilterShape, RelationShape } from '@askema/sql';
import { conjuncts } from '../../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedQuery, ResolvedRelation } from '../../resolve/resolved-query.ts';
import {
  type BlockKeys,
  determine,
  type JoinGraph,
  type JoinLink,
  type JoinNode,
  type NodeColumn,
  nodeColumn,
} from './join-graph.ts';

/** Blocks of more relations are left alone: what is looked for takes time quadratic in them. */
const MAX_RELATIONS = 100;

/** Memo: most rules of joins and groups read the same graphs, one after the other. */
const graphs = new WeakMap<ResolvedQuery, readonly JoinGraph[]>();

/** The join graph of every SELECT of a query that has relations. */
export function joinGraphs(query: ResolvedQuery): readonly JoinGraph[] {
  const known = graphs.get(query);
  if (known !== undefined) return known;
  const made = buildGraphs(query);
  graphs.set(query, made);
  return made;
}

function buildGraphs(query: ResolvedQuery): readonly JoinGraph[] {
  const keysOf = findBlockKeys(query, (block) => buildGraph(query, block, keysOf));
  return query.blocks
    .filter(
      ({ block }) => block.kind === 'select' && block.relations.length > 0 && block.relations.length <= MAX_RELATIONS,
    )
    .map((block) => buildGraph(query, block, keysOf));
}

function buildGraph(
  query: ResolvedQuery,
  resolved: ResolvedBlock,
  keysOf: (block: number) => BlockKeys | undefined,
): JoinGraph {
  const { block } = resolved;
  const nodes = block.relations.map((shape, relation): JoinNode => {
    const target = resolved.relations[relation] ?? { kind: 'opaque', exposedAs: '' };
    return { relation, shape, resolved: target, keys: nodeKeys(query, shape, target, keysOf) };
  });
  const links: JoinLink[] = [];
  const fixed: NodeColumn[] = [];
  const read = (filter: FilterShape, join: number | undefined): void => {
    if (filter.negated || filter.operator !== '=') return;
    const right = filter.right[0];
    if (right === undefined) return;
    const sides = [filter.left, right].map((operand) => ({
      operand,
      column: operand.columns.length === 1 ? nodeColumn(resolved, operand.columns[0] ?? -1) : undefined,
    }));
    const [first, second] = sides;
    if (first === undefined || second === undefined) return;
    const isSimple = (kind: string) => kind === 'column' || kind === 'call' || kind === 'expression';
    if (first.column !== undefined && second.column !== undefined) {
      if (!isSimple(first.operand.kind) || !isSimple(right.kind)) return;
      if (first.column.relation === second.column.relation) return;
      links.push({
        left: first.column,
        right: second.column,
        span: filter.span,
        from: join === undefined ? 'where' : 'on',
        join,
        exact: first.operand.kind === 'column' && right.kind === 'column',
        columns: [first.operand.columns[0] ?? -1, right.columns[0] ?? -1],
      });
      return;
    }
    for (const [side, other] of [
      [first, second],
      [second, first],
    ] as const)
      if (side.column !== undefined && side.operand.kind === 'column' && isConstant(resolved, other.operand.columns))
        fixed.push(side.column);
  };
  for (const filter of conjuncts(block, 'where')) read(filter, undefined);
  for (const at of block.joins.keys()) {
    for (const filter of conjuncts(block, { join: at })) read(filter, at);
    links.push(...namedLinks(query, resolved, at));
  }
  return { block: resolved, nodes, links, fixed };
}

/**
 * True where no column belongs to this block: literals, parameters, columns of blocks around it, sub-queries of one
 * value.
 */
function isConstant(resolved: ResolvedBlock, columns: readonly number[]): boolean {
  return columns.every((column) => {
    const found = resolved.columns[column];
    return (found?.kind === 'attribute' || found?.kind === 'output') && found.relation.block !== resolved.block.id;
  });
}

/** The links of USING and NATURAL: the column of that name of the nearest relation to the left that has it. */
function namedLinks(query: ResolvedQuery, resolved: ResolvedBlock, at: number): JoinLink[] {
  const join = resolved.block.joins[at];
  if (join === undefined || (join.using.length === 0 && !join.natural)) return [];
  const links: JoinLink[] = [];
  const names = join.natural
    ? (columnsOf(query, resolved, join.relation) ?? []).map(({ name }) => ({ name, span: join.span }))
    : join.using.map(({ text, span }) => ({ name: text, span }));
  for (const { name, span } of names) {
    const right = columnNamed(query, resolved, join.relation, name);
    let left: NodeColumn | undefined;
    for (let before = join.relation - 1; before >= 0 && left === undefined; before -= 1)
      left = columnNamed(query, resolved, before, name);
    if (left === undefined || right === undefined) continue;
    const from = join.natural ? 'natural' : 'using';
    links.push({ left, right, span, from, join: at, exact: true, columns: undefined });
  }
  return links;
}

/** The column of that name of a relation of the block. */
function columnNamed(
  query: ResolvedQuery,
  resolved: ResolvedBlock,
  relation: number,
  name: string,
): NodeColumn | undefined {
  const folded = name.toLowerCase();
  return columnsOf(query, resolved, relation)?.find((column) => column.name.toLowerCase() === folded);
}

function columnsOf(
  query: ResolvedQuery,
  resolved: ResolvedBlock,
  relation: number,
): readonly (NodeColumn & { readonly name: string })[] | undefined {
  const found = resolved.relations[relation];
  const shape = resolved.block.relations[relation];
  if (found === undefined || shape === undefined) return undefined;
  if (found.kind === 'relation')
    return query.index.attributesOf(found.id).map(({ id, name }) => ({ relation, key: id, attribute: id, name }));
  if (found.kind !== 'block') return undefined;
  const outputs = query.blocks[found.block]?.outputs ?? [];
  return outputNames(query, shape, found.block).flatMap((name, at) =>
    name === undefined ? [] : [{ relation, key: name.toLowerCase(), attribute: outputs[at]?.attribute, name }],
  );
}

function nodeKeys(
  query: ResolvedQuery,
  shape: RelationShape,
  resolved: ResolvedRelation,
  keysOf: (block: number) => BlockKeys | undefined,
): BlockKeys | undefined {
  if (resolved.kind === 'relation') {
    const keys = [
      ...[query.index.primaryKey(resolved.id)?.attributes ?? []].filter((key) => key.length > 0),
      ...query.catalog.uniqueKeys.filter(({ relation }) => relation === resolved.id).map((key) => key.attributes),
      ...query.index
        .attributesOf(resolved.id)
        .filter(({ id }) => query.index.isUnique(id))
        .map(({ id }) => [id]),
    ];
    return keys.length === 0 ? undefined : keys;
  }
  if (resolved.kind !== 'block') return undefined;
  const names = outputNames(query, shape, resolved.block);
  const keys: string[][] = [];
  for (const key of keysOf(resolved.block) ?? []) {
    const named = key.map((position) => names[Number(position)]?.toLowerCase());
    if (named.every((name) => name !== undefined)) keys.push(named as string[]);
  }
  return keys.length === 0 ? undefined : keys;
}

/** Sub-queries deeper than this are not looked into for keys. */
const MAX_DEPTH = 30;

/** Keys of one block: each relation brings its own, so the join of a CTE with itself, again and again, doubles them. */
const MAX_KEYS = 32;

/**
 * Finds what is unique in the result of a block: the columns that it groups by, all columns of DISTINCT and UNION, one
 * row for aggregates without GROUP BY and LIMIT 1, and the keys of its relations where its joins do not repeat them.
 * Members of a key are positions in the block's outputs, as decimal text.
 *
 * The function that is returned remembers what it found.
 */
function findBlockKeys(
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
    const keys = distinctKeys(keysOf(block, graphOf));
    depth -= 1;
    found.set(id, keys);
    return keys;
  };
}

function distinctKeys(keys: BlockKeys | undefined): BlockKeys | undefined {
  return keys && [...new Map(keys.map((key) => [key.join(), key])).values()].slice(0, MAX_KEYS);
}

/**
 * The names of a block's outputs as a relation of another block gives them: those behind its alias, those of the CTE,
 * its own.
 */
function outputNames(query: ResolvedQuery, shape: RelationShape, block: number): readonly (string | undefined)[] {
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
