import type { Fix } from '../../finding.ts';
import { aggregatesOf } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule } from '../../rule.ts';
import { joinGraphs } from '../joins/build-join-graphs.ts';
import { determine } from '../joins/determine.ts';
import { type JoinGraph, nodeColumn } from '../joins/join-graph.ts';
import { groupedColumns, groupedItem } from './grouped-block.ts';

/** GROUP BY without any aggregate (DISTINCT says the same); and GROUP BY a whole key, so that each group is a single row. */
export const needlessGroupBy: InspectionRule = {
  code: 'needless-group-by',
  severity: 'note',
  title: 'GROUP BY does nothing, or makes groups of a single row.',
  *check(query) {
    for (const graph of joinGraphs(query)) {
      const { block } = graph.block;
      const span = block.clauses['group by'];
      if (block.groupings.length === 0 || span === undefined) continue;
      if (block.groupings.some(({ kind }) => kind === 'sets' || kind === 'all')) continue;
      const all = aggregatesOf(block);
      if (all.length === 0 && block.clauses.having === undefined) {
        if (block.calls.some(({ kind }) => kind === 'window')) continue;
        const fix = distinctFix(query, graph);
        yield {
          message: 'The statement groups but aggregates nothing: GROUP BY only drops repeated rows.',
          advice: 'Use SELECT DISTINCT if each row is asked for once; add the aggregate if one is asked for.',
          span,
          ...(fix === undefined ? {} : { fix }),
        };
        continue;
      }
      if (all.length === 0) continue;
      const columns = (groupedColumns(graph.block) ?? []).flatMap((at) => nodeColumn(graph.block, at) ?? []);
      // Conditions with a literal are left aside: whether they name one row is not the question.
      const { nodes } = determine({ ...graph, fixed: [] }, { columns });
      if (columns.length === 0 || nodes.size < graph.nodes.length) continue;
      if (graph.nodes.some(({ keys, resolved }) => keys === undefined || resolved.kind === 'opaque')) continue;
      const isCatalog = graph.nodes.every(({ resolved }) => resolved.kind === 'relation');
      yield {
        severity: isCatalog ? 'warning' : 'note',
        message: `${query.sql.slice(span.start, span.end)} names a whole key: each group has one row, and the aggregates say nothing.`,
        advice: 'Group by what the question asks for, or leave GROUP BY and the aggregates out.',
        span,
      };
    }
  },
};

/** SELECT DISTINCT in its place, where exactly the grouped columns are shown. */
function distinctFix(query: ResolvedQuery, graph: JoinGraph): Fix | undefined {
  const { block } = graph.block;
  const { select, 'group by': groupBy } = block.clauses;
  const first = block.items[0];
  if (select === undefined || groupBy === undefined || first === undefined || block.orderBy.length > 0)
    return undefined;
  if (block.distinct || query.sql.slice(select.start, first.span.start).trim().toLowerCase() !== 'select')
    return undefined;
  const same = (one: number, other: number): boolean => {
    const [a, b] = [nodeColumn(graph.block, one), nodeColumn(graph.block, other)];
    return a !== undefined && b !== undefined && a.relation === b.relation && a.key === b.key;
  };
  const grouped = block.groupings.flatMap((grouping) => {
    const item = groupedItem(graph.block, grouping);
    return item === undefined ? grouping.columns : (block.items[item]?.columns ?? []);
  });
  const isShown = block.items.every(
    ({ kind, columns }) => kind === 'column' && grouped.some((other) => same(columns[0] ?? -1, other)),
  );
  const areAll = grouped.every((one) => block.items.some(({ columns }) => same(columns[0] ?? -1, one)));
  if (!isShown || !areAll) return undefined;
  return {
    description: 'Use SELECT DISTINCT in place of GROUP BY',
    edits: [
      { span: { start: first.span.start, end: first.span.start }, text: 'DISTINCT ' },
      { span: groupBy, text: '' },
    ],
  };
}
