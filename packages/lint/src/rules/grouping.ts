import type { Fix, Span } from '@askema/core';
import { splitWords } from '@askema/grounding';
import type { FilterShape } from '@askema/sql';
import { groupedColumns, groupedItem, isWithin } from '../resolve/block-facts.ts';
import { aggregatesOf } from '../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedQuery } from '../resolve/resolved-query.ts';
import { joinGraphs } from './joins/build-join-graphs.ts';
import { determine, isSameColumn, type JoinGraph, nodeColumn } from './joins/join-graph.ts';
import type { InspectionRule } from './rule.ts';

/** An aggregate in WHERE or ON: both look at single rows, before there are groups, and every engine refuses it. */
export const aggregateInWhere: InspectionRule = {
  code: 'aggregate-in-where',
  severity: 'error',
  title: 'An aggregate stands in WHERE or ON.',
  *check(query) {
    for (const { block, columns } of query.blocks)
      for (const call of aggregatesOf(block)) {
        if (call.clause !== 'where' && call.clause !== 'join') continue;
        // An aggregate of the block around a sub-query in its HAVING.
        const isOuter =
          call.columns.length > 0 &&
          call.columns.every((at) => {
            const column = columns[at];
            return (column?.kind === 'attribute' || column?.kind === 'output') && column.relation.block !== block.id;
          });
        if (isOuter) continue;
        const text = query.sql.slice(call.span.start, call.span.end);
        yield {
          message: `${text} stands in ${call.clause === 'where' ? 'WHERE' : 'the condition of a join'}, which looks at single rows before there are groups.`,
          advice: `Move the condition with ${text} to HAVING, or compare with a sub-query that computes it.`,
          span: call.span,
        };
      }
  },
};

/**
 * HAVING in a statement that neither groups nor aggregates; and, as a note, conditions of HAVING that WHERE could hold.
 */
export const havingWithoutGroup: InspectionRule = {
  code: 'having-without-group',
  severity: 'warning',
  title: 'HAVING stands where there are no groups.',
  *check(query) {
    for (const resolved of query.blocks) {
      const { block } = resolved;
      const span = block.clauses.having;
      if (span === undefined) continue;
      const isAggregate = block.calls.some(({ kind }) => kind === 'aggregate');
      if (block.groupings.length === 0 && !isAggregate) {
        yield {
          message: 'HAVING stands in a statement that neither groups nor aggregates.',
          advice: 'Move the conditions to WHERE, or add the GROUP BY that they are about.',
          span,
        };
        continue;
      }
      for (const filter of block.filters) {
        if (filter.clause !== 'having' || !isAboutRows(resolved, filter)) continue;
        const text = query.sql.slice(filter.span.start, filter.span.end);
        yield {
          severity: 'note',
          message: `${text} stands in HAVING, but asks for no aggregate.`,
          advice: `Move ${text} to WHERE, unless it is about whole groups.`,
          span: filter.span,
        };
      }
    }
  },
};

function isAboutRows({ block, columns }: ResolvedBlock, filter: FilterShape): boolean {
  const operands = [filter.left, ...filter.right];
  const indexes = operands.flatMap((operand) => operand.columns);
  if (indexes.length === 0) return false;
  if (block.subqueries.some(({ span }) => isWithin(span, filter.span))) return false;
  if (block.calls.some(({ kind, span }) => kind !== 'scalar' && isWithin(span, filter.span))) return false;
  return indexes.every((at) => {
    const column = columns[at];
    const item = column?.kind === 'alias' ? column.item : block.columns[at]?.item;
    return column?.kind === 'attribute' && (item === undefined || block.items[item]?.kind === 'column');
  });
}

/** What asks for one row for each of something. */
const FOR_EACH =
  /\b(?:(?:for|in|of|by|from|to|at|with|on|within|across|under|inside|per)\s+(?:each|every)|grouped\s+by|broken\s+down\s+by|each|per)\s+(?:of\s+the\s+|of\s+these\s+)?([\p{L}\p{N}_-]+)/giu;

/** Words behind `per` that make a unit or a rate out of it, not a group. */
const UNITS: ReadonlySet<string> = new Set(
  'capita cent gallon hour hours minute second mile kilometer km litre liter unit person head se game match thousand million hundred'.split(
    ' ',
  ),
);

/** The question asks for a figure for each of something, the statement computes one figure over everything. */
export const missingGroupBy: InspectionRule = {
  code: 'missing-group-by',
  severity: 'warning',
  title: 'A figure for each of something is asked for, and the statement does not group.',
  needsQuestion: true,
  *check(query) {
    const asked = forEach(query.question ?? '');
    if (asked === undefined) return;
    const isGrouped = query.blocks.some(
      (resolved) =>
        resolved.block.groupings.length > 0 ||
        resolved.block.calls.some(({ window }) => window !== undefined) ||
        isCorrelated(resolved),
    );
    if (isGrouped) return;
    for (const resolved of resultBlocks(query)) {
      const [first] = aggregatesOf(resolved.block).filter(({ clause }) => clause === 'select');
      if (first === undefined || isRateOver(query, resolved, first.span, asked)) continue;
      const text = query.sql.slice(first.span.start, first.span.end);
      yield {
        message: `The question says "${asked}", but ${text} is computed once, over all rows.`,
        advice: `Add GROUP BY with the column that "${asked}" means, and show that column.`,
        span: first.span,
      };
    }
  },
};

/** A count behind a division. */
const DIVISOR = /\/[\s(]*(?:(?:NULLIF|CAST|GREATEST|COALESCE|1\.0\s*\*)[\s(]*)*COUNT\s*\(\s*(DISTINCT\b)?([^()]*)/i;

/**
 * One figure over everything that is divided by how many of them there are: "the average revenue per month" by
 * `SUM(revenue) / COUNT(DISTINCT month)`, "revenue per order" by `SUM(revenue) / COUNT(*)` of orders, or the average over
 * rows of which each is one: `AVG(revenue)` of `monthly_revenue`.
 */
function isRateOver(query: ResolvedQuery, { block }: ResolvedBlock, aggregate: Span, asked: string): boolean {
  const item = block.items.find(({ expression }) => isWithin(aggregate, expression));
  if (item === undefined) return false;
  const isMean = /\b(?:average|mean)\b/i.test(query.question ?? '');
  if (!isMean && !/^per\s/i.test(asked)) return false;
  const noun = splitWords(asked).at(-1) ?? '';
  const read = block.relations.slice(0, 1).flatMap(({ name }) => splitWords(name.at(-1)?.text ?? ''));
  const isOfRows = read.some((word) => word.startsWith(noun));
  if (isMean && isOfRows && /^AVG\b/i.test(query.sql.slice(aggregate.start, aggregate.end))) return true;
  const [, distinct, counted] = DIVISOR.exec(query.sql.slice(item.expression.start, item.expression.end)) ?? [];
  if (counted === undefined) return false;
  return distinct !== undefined || isOfRows || splitWords(counted.split('.').at(-1) ?? '').includes(noun);
}

/** The words of the question that ask for groups, as they stand there. */
function forEach(question: string): string | undefined {
  for (const match of question.slice(0, 4000).matchAll(FOR_EACH)) {
    const word = match[1]?.toLowerCase() ?? '';
    const isRate = /^per\s/i.test(match[0]) && UNITS.has(word);
    if (!isRate && word !== 'other') return match[0].replace(/\s+/g, ' ');
  }
  return undefined;
}

/** The statement, or the operands of the set operation that it is. */
function resultBlocks(query: ResolvedQuery): readonly ResolvedBlock[] {
  const found: ResolvedBlock[] = [];
  const rest = [query.blocks[0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { setOperation, kind } = next.block;
    if (kind === 'select') found.push(next);
    for (const operand of setOperation?.operands ?? []) if (operand > next.block.id) rest.push(query.blocks[operand]);
  }
  return found;
}

function isCorrelated({ block, columns }: ResolvedBlock): boolean {
  return columns.some(
    (column) => (column.kind === 'attribute' || column.kind === 'output') && column.relation.block !== block.id,
  );
}

/**
 * GROUP BY without any aggregate (DISTINCT says the same); and GROUP BY a whole key, so that each group is a single
 * row.
 */
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
  const same = (one: number, other: number): boolean => isSameColumn(graph.block, one, other);
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
