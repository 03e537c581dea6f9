import type { CallShape } from '../../../ports/query-shape.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { groupedColumns } from '../grouping/grouped-block.ts';
import { joinGraphs } from './build-join-graphs.ts';
import { determine } from './determine.ts';
import { repeatingNodes } from './fan-out.ts';
import { type JoinGraph, type JoinNode, nodeColumn } from './join-graph.ts';
import { nodeName } from './link-names.ts';

const REPEATABLE: ReadonlySet<string> = new Set(['sum', 'avg', 'total', 'count']);

/**
 * SUM, AVG or COUNT of a column whose rows a join repeats: cells are added or counted several times. Two many sides of one relation
 * multiply each other; a sum over the one side counts each cell once for each row of the many side: a note where those rows are no parts of it.
 */
export const aggregateOverFanOut: InspectionRule = {
  code: 'aggregate-over-fan-out',
  severity: 'warning',
  title: 'An aggregate counts cells several times, because a join repeats their rows.',
  *check(query) {
    for (const graph of joinGraphs(query)) {
      if (graph.nodes.length < 2) continue;
      for (const call of graph.block.block.calls) {
        const finding = judge(query, graph, call);
        if (finding !== undefined) yield finding;
      }
    }
  },
};

function judge(query: ResolvedQuery, graph: JoinGraph, call: CallShape): RuleFinding | undefined {
  const name = call.name.at(-1)?.text.toLowerCase() ?? '';
  if (call.kind !== 'aggregate' || call.distinct || call.star || !REPEATABLE.has(name)) return undefined;
  // A condition inside counts rows of the join, and asks nothing of the cells.
  const argument = query.sql.slice(call.span.start, call.span.end);
  if (name !== 'count' && /[<>=]|\b(?:case|if|iff|iif|decode)\b/i.test(argument)) return undefined;
  const relations = new Set(call.columns.map((column) => nodeColumn(graph.block, column)?.relation));
  const [relation] = relations;
  if (relation === undefined || relations.size !== 1) return undefined;
  const node = graph.nodes[relation];
  const groups = groupedColumns(graph.block);
  if (node === undefined || node.keys === undefined || groups === undefined) return undefined;
  const columns = groups.flatMap((column) => nodeColumn(graph.block, column) ?? []);
  const many = repeatingNodes(graph, { nodes: [relation], columns });
  if (many.length === 0) return undefined;
  // Each row of a relation that determines this one is a row of the join: counting a column of the one side counts those.
  const isParent = many.every((other) => determine(graph, { nodes: [other.relation] }).nodes.has(relation));
  if (isParent && name === 'count') return undefined;
  const names = many.map((other) => nodeName(query, other)).join(' and ');
  return {
    severity: isParent && (name === 'avg' || !many.every((other) => isPartOf(query, other, node))) ? 'note' : 'warning',
    message: `${argument} takes cells of ${nodeName(query, node)} several times: once for each row of ${names} that is joined to it.`,
    advice:
      name === 'count'
        ? `Count distinct keys, or aggregate ${names} in a sub-query before the join.`
        : `Aggregate in a sub-query before joining ${names}, or leave ${names} out.`,
    span: call.span,
  };
}

/**
 * True where the key of a relation begins with its reference to the other one: its rows are parts of that one (`order_items` of `orders`).
 * Rows with a key of their own are events, and a sum over events may be meant (the price of what was sold, sale by sale).
 */
function isPartOf(query: ResolvedQuery, part: JoinNode, whole: JoinNode): boolean {
  // What a sub-query has aggregated before is no event any more.
  if (part.resolved.kind !== 'relation' || whole.resolved.kind !== 'relation') return true;
  const { id } = part.resolved;
  const { id: target } = whole.resolved;
  const key = query.index.primaryKey(id)?.attributes ?? [];
  return query.index
    .foreignKeysFrom(id)
    .some((reference) => reference.target === target && reference.pairs.every(({ from }) => key.includes(from)));
}
