import type { ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import type { JoinGraph } from './join-graph.ts';
import { keyName, keysBetween, nodeName } from './link-names.ts';

/** Pairs of relations that are one relation joined twice over the same key, so that both always show the same row. */
export function* sameRows(query: ResolvedQuery, graph: JoinGraph): Iterable<RuleFinding> {
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
