import type { CallShape } from '../../../ports/query-shape.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { groupedColumns } from '../grouping/grouped-block.ts';
import { joinGraphs } from './build-join-graphs.ts';
import { determine } from './determine.ts';
import { repeatingNodes } from './fan-out.ts';
import { type JoinGraph, nodeColumn } from './join-graph.ts';
import { nodeName } from './link-names.ts';

const REPEATABLE: ReadonlySet<string> = new Set(['sum', 'avg', 'total', 'count']);

/**
 * SUM, AVG or COUNT of a column whose rows a join repeats: cells are added or counted several times. Two many sides of one relation
 * multiply each other; a sum over the one side counts each cell once for each row of the many side.
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
    severity: isParent && name === 'avg' ? 'note' : 'warning',
    message: `${argument} takes cells of ${nodeName(query, node)} several times: once for each row of ${names} that is joined to it.`,
    advice:
      name === 'count'
        ? `Count distinct keys, or aggregate ${names} in a sub-query before the join.`
        : `Aggregate in a sub-query before joining ${names}, or leave ${names} out.`,
    span: call.span,
  };
}
