import { conjuncts } from '../../resolve/index.ts';
import type { InspectionRule } from '../../rule.ts';
import { isAggregated } from '../grouping/grouped-block.ts';
import { joinGraphs } from './build-join-graphs.ts';
import { repeatingNodes } from './fan-out.ts';
import { type JoinGraph, nodeColumn } from './join-graph.ts';
import { nodeName } from './link-names.ts';
import { isMerged } from './merged-block.ts';
import { relationUses } from './used-relations.ts';

/**
 * A list of one relation's columns whose rows a join repeats: another relation has several rows for each of them, and shows none of its
 * columns. Where nothing at all of that relation is read, `redundant-join` says so.
 */
export const repeatedRows: InspectionRule = {
  code: 'repeated-rows',
  severity: 'note',
  title: 'A join repeats the rows that are listed.',
  *check(query) {
    for (const graph of joinGraphs(query)) {
      const { block } = graph.block;
      if (block.distinct || isAggregated(block) || block.role !== 'rows' || block.limit?.count === '1') continue;
      if (block.calls.some(({ kind }) => kind === 'window') || isMerged(query.shape, block.id)) continue;
      const uses = relationUses(query, graph, graph.links);
      const shown = uses?.flatMap(({ isShown }, relation) => (isShown ? [relation] : [])) ?? [];
      if (shown.length === 0) continue;
      const many = repeatingNodes(graph, { nodes: shown }).filter(
        // Compared with a literal it is one thing that was looked up, as far as the question knows.
        ({ relation }) =>
          uses?.[relation]?.isUsed &&
          !graph.fixed.some((column) => column.relation === relation) &&
          !isKeptOut(graph, relation),
      );
      const [first] = many;
      if (first === undefined) continue;
      const names = shown.flatMap((relation) => graph.nodes[relation] ?? []).map((node) => nodeName(query, node));
      yield {
        message: `Rows of ${names.join(' and ')} come several times: once for each row of ${many.map((node) => nodeName(query, node)).join(' and ')} that fits, of which nothing is shown.`,
        advice: `If each is to be listed once, use SELECT DISTINCT, or EXISTS in place of the join with ${nodeName(query, first)}.`,
        span: block.clauses.select ?? block.span,
      };
    }
  },
};

/** Only rows without a counterpart in the relation are left: LEFT JOIN … WHERE its column IS NULL. */
function isKeptOut({ block }: JoinGraph, relation: number): boolean {
  return conjuncts(block.block, 'where').some(
    ({ operator, negated, left }) =>
      operator === 'is null' &&
      !negated &&
      left.columns.some((column) => nodeColumn(block, column)?.relation === relation),
  );
}
