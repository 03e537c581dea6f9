import type { Fix, Severity } from '@askema/core';
import type { JoinShape } from '@askema/sql';
import { aggregatesOf } from '../../resolve/query-facts.ts';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule } from '../rule.ts';
import { joinGraphs } from './build-join-graphs.ts';
import {
  determine,
  type JoinGraph,
  type JoinNode,
  keyCondition,
  keyName,
  keysBetween,
  nodeColumn,
  nodeName,
} from './join-graph.ts';
import { components } from './judge-links.ts';
import { between } from './missing-join.ts';
import { correlated } from './used-relations.ts';

/** A relation that nothing connects with the others of its FROM: each of its rows is paired with each of theirs. */
export const joinWithoutCondition: InspectionRule = {
  code: 'join-without-condition',
  severity: 'error',
  title: 'A relation is joined without any condition that connects it.',
  *check(query) {
    const graphs = joinGraphs(query);
    // Sub-queries that look one thing up by a literal.
    const lookUps = new Set(
      graphs.filter(({ nodes, fixed }) => nodes.length === 1 && fixed.length > 0).map(({ block }) => block.block.id),
    );
    for (const graph of graphs) {
      if (graph.block.block.joins.length === 0) continue;
      const groups = linkedGroups(query, graph);
      if (groups === undefined) continue;
      const fixedRows = determine(graph, {}).nodes;
      const isPinned = (node: JoinNode): boolean =>
        fixedRows.has(node.relation) ||
        graph.fixed.some(({ relation }) => relation === node.relation) ||
        (node.resolved.kind === 'block' && lookUps.has(node.resolved.block));
      const seen = new Set([groups[0]]);
      for (const join of graph.block.block.joins) {
        const node = graph.nodes[join.relation];
        const group = groups[join.relation];
        if (node === undefined || seen.has(group)) continue;
        seen.add(group);
        const members = graph.nodes.filter(({ relation }) => groups[relation] === group);
        const others = graph.nodes.filter(({ relation }) => seen.has(groups[relation]) && groups[relation] !== group);
        if ([members, others].some((side) => isSmall(query, graph, side, fixedRows))) continue;
        const found = severityOf(query, join, [...members, ...others].every(isPinned), members, others);
        const severity = found === 'error' && isImmune(graph) ? 'warning' : found;
        if (severity === undefined) continue;
        const ways = others.flatMap((other) => waysBetween(query, other, node));
        const fix = severity === 'error' ? fixOf(query, graph, join, others) : undefined;
        const rest = others.map((other) => nodeName(query, other)).join(', ');
        yield {
          severity,
          message: `${nodeName(query, node)} is joined with ${rest} without a condition: each of its rows is paired with each of theirs.`,
          advice:
            ways.length === 0
              ? `Add the condition that connects ${nodeName(query, node)} with ${rest}, or leave it out.`
              : `Connect them ${ways.slice(0, 3).join(', or ')}; or leave ${nodeName(query, node)} out.`,
          span: join.span,
          ...(fix === undefined ? {} : { fix }),
        };
      }
    }
  },
};

/** Nothing but aggregates that no repetition changes: COUNT(DISTINCT …), MIN, MAX. */
function isImmune({ block: { block } }: JoinGraph): boolean {
  const calls = aggregatesOf(block);
  return (
    calls.length > 0 &&
    block.items.every(({ isAggregate }) => isAggregate) &&
    calls.every(({ distinct, name }) => distinct || /^(?:min|max)$/i.test(name.at(-1)?.text ?? ''))
  );
}

/** One row at most, or nothing that can be told: functions, constants, relations that are not in the catalog. */
function isSmall(
  query: ResolvedQuery,
  graph: JoinGraph,
  nodes: readonly JoinNode[],
  fixedRows: ReadonlySet<number>,
): boolean {
  return nodes.every(({ relation, shape, resolved, keys }) => {
    if (shape.kind === 'function' || shape.kind === 'unnest' || shape.lateral) return true;
    if (resolved.kind === 'opaque' || resolved.kind === 'unknown') return true;
    if (keys?.some((key) => key.length === 0)) return true;
    if (resolved.kind === 'block' && isConstant(query, resolved.block)) return true;
    return fixedRows.has(relation) && (graph.nodes[relation]?.keys ?? []).length > 0;
  });
}

/** A block that reads no relation: VALUES, SELECT of constants, UNION of those. */
function isConstant(query: ResolvedQuery, id: number): boolean {
  const block = query.shape.blocks[id];
  if (block === undefined) return false;
  if (block.kind === 'set operation') {
    const operands = block.setOperation?.operands ?? [];
    return operands.every((operand) => operand > id && isConstant(query, operand));
  }
  return (
    block.kind === 'values' ||
    (block.kind === 'select' && block.relations.every(({ kind }) => kind === 'function' || kind === 'unnest'))
  );
}

function severityOf(
  query: ResolvedQuery,
  join: JoinShape,
  arePinned: boolean,
  members: readonly JoinNode[],
  others: readonly JoinNode[],
): Severity | undefined {
  if (join.kind === 'semi' || join.kind === 'anti' || join.kind === 'other') return undefined;
  const pairs = members.flatMap((member) => others.map((other) => [member.resolved, other.resolved] as const));
  const isKeyed = pairs.some(
    ([a, b]) =>
      a.kind === 'relation' && b.kind === 'relation' && a.id !== b.id && keysBetween(query, a.id, b.id).length > 0,
  );
  // Written as such it is meant, unless a key says how the two belong together.
  if (join.kind === 'cross') return isKeyed && !arePinned ? 'warning' : undefined;
  // ON TRUE, ON 1 = 1: meant.
  const condition = join.condition;
  if (condition !== undefined && !/[\p{L}_]/u.test(textWithoutWords(query, condition.span))) return 'note';
  const isCatalog = members.every(({ resolved }) => resolved.kind === 'relation');
  if (condition !== undefined || !isCatalog) return arePinned ? 'note' : 'warning';
  if (!arePinned) return 'error';
  // One row of each, looked up by a literal: compared with each other, where they are rows of one relation.
  const isSame = pairs.some(([a, b]) => a.kind === 'relation' && b.kind === 'relation' && a.id === b.id);
  return isKeyed ? 'error' : isSame ? 'note' : 'warning';
}

function textWithoutWords(query: ResolvedQuery, span: { readonly start: number; readonly end: number }): string {
  return query.sql.slice(span.start, span.end).replace(/\btrue\b/gi, '');
}

function waysBetween(query: ResolvedQuery, left: JoinNode, right: JoinNode): readonly string[] {
  if (left.resolved.kind !== 'relation' || right.resolved.kind !== 'relation') return [];
  const keys = keysBetween(query, left.resolved.id, right.resolved.id);
  if (keys.length > 0) return keys.map((key) => `on ${keyName(query, key)}`);
  return query.index
    .joinPaths(left.resolved.id, right.resolved.id, { limit: 2, maxSteps: 3 })
    .filter((path) => path.length > 1)
    .map((path) => `by ${between(query, path)}`);
}

/** The condition of the only foreign key that connects the relation with those in front of it. */
function fixOf(query: ResolvedQuery, graph: JoinGraph, join: JoinShape, others: readonly JoinNode[]): Fix | undefined {
  const { block } = graph.block;
  const node = graph.nodes[join.relation];
  const conditions = others.flatMap((other) =>
    node?.resolved.kind !== 'relation' || other.resolved.kind !== 'relation'
      ? []
      : keysBetween(query, other.resolved.id, node.resolved.id).map((key) =>
          keyCondition(query, graph, key, other.relation, join.relation),
        ),
  );
  const [condition] = conditions;
  if (condition === undefined || conditions.length !== 1) return undefined;
  const description = `Join on ${condition}`;
  if (join.kind !== 'comma') {
    const { end } = join.span;
    return { description, edits: [{ span: { start: end, end }, text: ` ON ${condition}` }] };
  }
  const { where, from } = block.clauses;
  if (where === undefined && from !== undefined)
    return { description, edits: [{ span: { start: from.end, end: from.end }, text: ` WHERE ${condition}` }] };
  if (where === undefined || block.conditions.where === undefined || block.conditions.where.kind === 'or')
    return undefined;
  return { description, edits: [{ span: { start: where.end, end: where.end }, text: ` AND ${condition}` }] };
}

/**
 * For each relation of a block the number of its group: relations that any condition compares share one, be it under
 * OR, by a range, or in a correlated sub-query. Undefined where a name in a condition may belong to any of them.
 */
function linkedGroups(query: ResolvedQuery, graph: JoinGraph): readonly number[] | undefined {
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
  // What stands in conditions without being an operand of a filter: arguments of table functions, of lateral
  // sub-queries.
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
