import type { Fix, Severity } from '@askema/core';
import { dropsRepeatedRows, isAggregated } from '../../resolve/block-facts.ts';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { joinGraphs } from './build-join-graphs.ts';
import {
  determine,
  type JoinGraph,
  type JoinLink,
  type JoinNode,
  keyName,
  keysBetween,
  nodeName,
} from './join-graph.ts';
import { relationUses } from './used-relations.ts';

/**
 * A relation that contributes nothing: no column of it is read outside its own join. Along a declared key to its unique
 * side nothing changes without it (a note where the key may be NULL: the join then drops rows); towards the many side
 * the join filters and repeats.
 */
export const redundantJoin: InspectionRule = {
  code: 'redundant-join',
  severity: 'warning',
  title: 'A joined relation contributes nothing.',
  *check(query) {
    for (const graph of joinGraphs(query)) {
      if (graph.nodes.length < 2) continue;
      yield* sameRows(query, graph);
      const gone = new Set<number>();
      const noted = new Set<number>();
      for (let isFound = true; isFound; ) {
        isFound = false;
        for (const node of graph.nodes) {
          if (gone.has(node.relation) || noted.has(node.relation)) continue;
          const verdict = judge(query, graph, node, gone);
          if (verdict === undefined) continue;
          if (verdict.severity === 'warning') {
            gone.add(node.relation);
            isFound = true;
          } else noted.add(node.relation);
          const join = graph.block.block.joins.find(({ relation }) => relation === node.relation);
          const name = nodeName(query, node);
          yield {
            severity: verdict.severity,
            message: `${name} contributes nothing: no column of it is read outside its join.${verdict.remark}`,
            advice: verdict.isMany
              ? `Leave ${name} out; if only rows that have one there are meant, use EXISTS.`
              : `Leave ${name} out, unless the question asks for rows that have one there.`,
            span: join?.span ?? node.shape.span,
            ...(verdict.fix === undefined ? {} : { fix: verdict.fix }),
          };
          if (isFound) break;
        }
      }
    }
  },
};

interface Verdict {
  readonly severity: Severity;
  readonly remark: string;
  readonly isMany: boolean;
  readonly fix: Fix | undefined;
}

function judge(query: ResolvedQuery, graph: JoinGraph, node: JoinNode, gone: ReadonlySet<number>): Verdict | undefined {
  const { block } = graph.block;
  if (node.resolved.kind !== 'relation') return undefined;
  const own = graph.links.filter(
    ({ left, right }) => left.relation === node.relation || right.relation === node.relation,
  );
  const others = new Set(own.map(({ left, right }) => (left.relation === node.relation ? right : left).relation));
  for (const relation of gone) others.delete(relation);
  const [other] = others;
  if (other === undefined || others.size !== 1) return undefined;
  const left = graph.nodes[other];
  const dead = graph.links.filter(({ left: a, right: b }) => gone.has(a.relation) || gone.has(b.relation));
  const use = relationUses(query, graph, [...own, ...dead])?.[node.relation];
  if (left === undefined || use === undefined || use.isUsed) return undefined;
  const join = block.joins.find(({ relation }) => relation === node.relation);
  const kind = joinKind(graph, node, own);
  if (kind === undefined) return undefined;
  const columns = own.map(({ left: a, right: b }) => (a.relation === node.relation ? a : b));
  const isOne = node.keys?.some((key) => key.every((member) => columns.some((column) => column.key === member)));
  if (isOne === true) {
    const isOnlyOwn = own.every((link) => link.join !== undefined && block.joins[link.join] === join);
    const fix: Fix | undefined =
      join === undefined || !isOnlyOwn || join.using.length > 0 || join.natural
        ? undefined
        : { description: `Leave out ${nodeName(query, node)}`, edits: [{ span: join.span, text: '' }] };
    if (kind === 'left') return { severity: 'warning', remark: '', isMany: false, fix };
    const key = followedKey(query, left, node, own);
    if (key === undefined) return undefined;
    const isWhole = key.every((attribute) => query.index.isNotNull(attribute));
    const remark = isWhole ? '' : ' The join only drops rows without a counterpart.';
    return { severity: isWhole ? 'warning' : 'note', remark, isMany: false, fix: isWhole ? fix : undefined };
  }
  // Towards the many side: counts and groups are counts of its rows.
  if (
    isAggregated(block) ||
    block.distinct ||
    dropsRepeatedRows(query.shape, block.id) ||
    block.role !== 'rows' ||
    node.keys === undefined
  )
    return undefined;
  const rest = graph.nodes.filter(({ relation }) => relation !== node.relation).map(({ relation }) => relation);
  if (determine(graph, { nodes: rest }, { trusting: true }).nodes.has(node.relation)) return undefined;
  return { severity: 'note', remark: ' It repeats the rows of the others.', isMany: true, fix: undefined };
}

/** How the relation is joined; undefined where that is neither inner nor left. */
function joinKind(graph: JoinGraph, node: JoinNode, own: readonly JoinLink[]): 'inner' | 'left' | undefined {
  const kinds = own.map((link) => (link.join === undefined ? 'comma' : graph.block.block.joins[link.join]?.kind));
  if (kinds.every((kind) => kind === 'inner' || kind === 'comma' || kind === 'cross')) return 'inner';
  const join = graph.block.block.joins.find(({ relation }) => relation === node.relation);
  return join?.kind === 'left' && kinds.every((kind) => kind === 'left') ? 'left' : undefined;
}

/** The attributes of the foreign key from `from` to `to` that the links follow whole. */
function followedKey(
  query: ResolvedQuery,
  from: JoinNode,
  to: JoinNode,
  links: readonly JoinLink[],
): readonly string[] | undefined {
  if (from.resolved.kind !== 'relation' || to.resolved.kind !== 'relation') return undefined;
  const { id } = from.resolved;
  const has = (a: string, b: string): boolean =>
    links.some(
      ({ left, right }) =>
        (left.attribute === a && right.attribute === b) || (left.attribute === b && right.attribute === a),
    );
  const key = keysBetween(query, id, to.resolved.id).find(
    ({ relation, pairs }) => relation === id && pairs.every((pair) => has(pair.from, pair.to)),
  );
  return key?.pairs.map((pair) => pair.from);
}

/** Pairs of relations that are one relation joined twice over the same key, so that both always show the same row. */
function* sameRows(query: ResolvedQuery, graph: JoinGraph): Iterable<RuleFinding> {
  const classOf = equalColumns(graph);
  for (const one of graph.nodes)
    for (const other of graph.nodes) {
      if (one.relation >= other.relation || one.resolved.kind !== 'relation' || other.resolved.kind !== 'relation')
        continue;
      if (one.resolved.id !== other.resolved.id) continue;
      const { id } = one.resolved;
      const isSame = one.keys?.some(
        (key) =>
          key.length > 0 &&
          key.every((member) => {
            const group = classOf(one.relation, member);
            return group !== undefined && group === classOf(other.relation, member);
          }),
      );
      const join = graph.block.block.joins.find(({ relation }) => relation === other.relation);
      if (isSame !== true || join === undefined || (join.kind !== 'inner' && join.kind !== 'comma')) continue;
      const keys = graph.nodes.flatMap(({ resolved }) =>
        resolved.kind === 'relation' && resolved.id !== id
          ? keysBetween(query, resolved.id, id).filter(({ target }) => target === id)
          : [],
      );
      const ways = [...new Set(keys.map((key) => keyName(query, key)))];
      yield {
        severity: 'warning',
        message: `${nodeName(query, one)} and ${nodeName(query, other)} are always the same row: both are joined over the same key.`,
        advice:
          ways.length > 1
            ? `Join one of them over another key: ${ways.join(', or ')}; or leave it out.`
            : `Leave one of them out, or join it over what tells the two apart.`,
        span: join.span,
      };
    }
}

/** Tells which columns of a block are equal to each other by its links: those with the same number. */
function equalColumns(graph: JoinGraph): (relation: number, key: string) => number | undefined {
  const groups = new Map<string, number>();
  let next = 0;
  for (const { left, right, exact } of graph.links) {
    if (!exact) continue;
    const [a, b] = [`${left.relation} ${left.key}`, `${right.relation} ${right.key}`];
    const [first, second] = [groups.get(a), groups.get(b)];
    const group = first ?? second ?? next++;
    groups.set(a, group);
    groups.set(b, group);
    if (second !== undefined && second !== group)
      for (const [id, value] of groups) if (value === second) groups.set(id, group);
  }
  return (relation, key) => groups.get(`${relation} ${key}`);
}
