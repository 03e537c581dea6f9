import type { AttributeId, Fix, Severity } from '@askema/core';
import { groupedColumns, groupedItem, isAggregated, isWithin, plainSql } from '../resolve/block-facts.ts';
import { aggregatesOf } from '../resolve/query-facts.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { joinGraphs } from './joins/build-join-graphs.ts';
import {
  attributeTitle,
  type Determined,
  determine,
  isSameColumn,
  type JoinGraph,
  nodeColumn,
} from './joins/join-graph.ts';
import type { InspectionRule, RuleFinding } from './rule.ts';

/**
 * A plain column beside aggregates that is neither grouped nor determined by what is grouped. Engines that refuse it
 * fail (an error); SQLite takes the cell of any row of the group. There it is an error without GROUP BY, where one row
 * stands for the whole relation. A single MIN or MAX is a note, as SQLite takes its row
 * (https://sqlite.org/lang_select.html#bareagg).
 */
export const ungroupedColumn: InspectionRule = {
  code: 'ungrouped-column',
  severity: 'warning',
  title: 'A column stands beside aggregates without being grouped.',
  *check(query) {
    for (const graph of joinGraphs(query)) {
      const { block } = graph.block;
      if (!isAggregated(block) || block.groupings.some(({ kind }) => kind === 'all')) continue;
      yield* check(query, graph);
    }
  },
};

function* check(query: ResolvedQuery, graph: JoinGraph): Iterable<RuleFinding> {
  const { block, columns } = graph.block;
  const grouped = groupedColumns(graph.block) ?? [];
  const known = grouped.flatMap((column) => nodeColumn(graph.block, column) ?? []);
  const determined = determine(graph, { columns: known });
  // By a key of any relation that is grouped, also where the catalog knows of no key: nothing is claimed about those.
  const trusted = determine(graph, { columns: known }, { trusting: true });
  const covered = coveredTexts(query, graph);
  const reported = new Set<string>();
  for (const [at, shape] of block.columns.entries()) {
    if (shape.clause !== 'select' && shape.clause !== 'having' && shape.clause !== 'order by') continue;
    const found = columns[at];
    if (found === undefined || (found.kind !== 'attribute' && found.kind !== 'output') || shape.path !== undefined)
      continue;
    const column = nodeColumn(graph.block, at);
    if (column === undefined || isInsideCall(graph, at) || isCovered(query, graph, at, covered)) continue;
    if (grouped.some((other) => isSameColumn(graph.block, at, other))) continue;
    const severity = severityOf(query, graph, column, { determined, trusted });
    if (severity === undefined) continue;
    const id = `${column.relation} ${column.key}`;
    if (reported.has(id)) continue;
    reported.add(id);
    const written = query.sql.slice(shape.span.start, shape.span.end);
    const name = column.attribute === undefined ? written : attributeTitle(query, column.attribute);
    const isBare = block.groupings.length === 0;
    const fix = fixOf(query, graph, at, severity);
    yield {
      severity,
      message: isBare
        ? `${written} stands beside an aggregate without GROUP BY: ${refuses(query) ? 'the engine refuses it' : `its cell comes from any one row of ${name.split('.')[0]}`}.`
        : `${written} is neither grouped nor aggregated: ${refuses(query) ? 'the engine refuses it' : 'its cell comes from any one row of each group'}.`,
      advice: isBare
        ? `Group by ${written} if one row for each is asked for; else leave it out, or find its row with ORDER BY and LIMIT or a sub-query.`
        : `Add ${written} to GROUP BY, or aggregate it, or leave it out.`,
      span: shape.span,
      ...(fix === undefined ? {} : { fix }),
    };
  }
}

/** True where the engine takes no column that is not grouped by name. */
const refuses = ({ dialect }: ResolvedQuery): boolean => dialect.ungroupedColumns === 'refused';

function severityOf(
  query: ResolvedQuery,
  graph: JoinGraph,
  column: { readonly relation: number; readonly key: string; readonly attribute: AttributeId | undefined },
  { determined, trusted }: { readonly determined: Determined; readonly trusted: Determined },
): Severity | undefined {
  const { block } = graph.block;
  if (refuses(query)) return 'error';
  if (determined.has(column)) return undefined;
  const all = aggregatesOf(block);
  const isAnyRow = query.dialect.ungroupedColumns === 'any row';
  const extremes = all.filter(({ name }) => /^(?:min|max)$/i.test(name.at(-1)?.text ?? ''));
  if (isAnyRow && all.length === 1 && extremes.length === 1 && block.groupings.length === 0) return 'note';
  if (block.groupings.length === 0) return 'error';
  if (trusted.has(column)) return undefined;
  if (isAnyRow && all.length === 1 && extremes.length === 1) return 'note';
  // Beside a grouped column of its relation it may be one to one with that, though no key says so: not an error, as
  // without GROUP BY.
  return 'warning';
}

/** Inside the brackets of an aggregate or of a window function: the one may, the other rarely goes wrong. */
function isInsideCall(graph: JoinGraph, at: number): boolean {
  const { block } = graph.block;
  const span = block.columns[at]?.span;
  return span !== undefined && block.calls.some((call) => call.kind !== 'scalar' && isWithin(span, call.span));
}

interface Covered {
  /** Texts of grouped expressions. */
  readonly texts: readonly string[];
  /** Items of the select list that are grouped whole. */
  readonly items: ReadonlySet<number>;
  /** Columns of grouped expressions. */
  readonly columns: readonly number[];
}

function coveredTexts(query: ResolvedQuery, graph: JoinGraph): Covered {
  const { block } = graph.block;
  const texts: string[] = [];
  const items = new Set<number>();
  const columns: number[] = [];
  for (const grouping of block.groupings) {
    const item = groupedItem(graph.block, grouping);
    const shape = item === undefined ? undefined : block.items[item];
    if (item !== undefined) items.add(item);
    texts.push(plainSql(query.sql, shape?.expression ?? grouping.span));
    if (shape?.kind !== 'column' && grouping.kind !== 'column') columns.push(...(shape?.columns ?? grouping.columns));
  }
  return { texts, items, columns };
}

/** True where the column stands in an expression that is grouped, or in one over the columns of such an expression. */
function isCovered(query: ResolvedQuery, graph: JoinGraph, at: number, covered: Covered): boolean {
  const { block } = graph.block;
  const shape = block.columns[at];
  if (shape === undefined) return true;
  if (covered.texts.includes(plainSql(query.sql, shape.span))) return true;
  const item = block.items.findIndex(({ span }) => isWithin(shape.span, span));
  if (covered.items.has(item)) return true;
  const isInExpression = covered.columns.some((other) => isSameColumn(graph.block, at, other));
  const isAlone = block.items[item]?.kind === 'column' && shape.clause === 'select';
  return isInExpression && !isAlone;
}

/**
 * The column added to the end of GROUP BY, where that surely is what was meant: the engine refuses the statement as it
 * is.
 */
function fixOf(query: ResolvedQuery, graph: JoinGraph, at: number, severity: Severity): Fix | undefined {
  const { block } = graph.block;
  const last = block.groupings.at(-1);
  const shape = block.columns[at];
  if (last === undefined || shape === undefined || severity !== 'error' || last.kind === 'sets') return undefined;
  const written = query.sql.slice(shape.span.start, shape.span.end);
  const { end } = last.span;
  return { description: `Group by ${written} too`, edits: [{ span: { start: end, end }, text: `, ${written}` }] };
}
