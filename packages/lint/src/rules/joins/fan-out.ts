import type { CallShape } from '@askema/sql';
import { dropsRepeatedRows, groupedColumns, isAggregated } from '../../resolve/block-facts.ts';
import { conjuncts } from '../../resolve/query-facts.ts';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { joinGraphs } from './build-join-graphs.ts';
import { determine, type JoinGraph, type JoinNode, type Known, nodeColumn, nodeName } from './join-graph.ts';
import { relationUses } from './used-relations.ts';

const REPEATABLE: ReadonlySet<string> = new Set(['sum', 'avg', 'total', 'count']);

/**
 * SUM, AVG or COUNT of a column whose rows a join repeats: cells are added or counted several times. Two many sides of
 * one relation multiply each other; a sum over the one side counts each cell once for each row of the many side: a note
 * where those rows are no parts of it.
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
  // Each row of a relation that determines this one is a row of the join: counting a column of the one side counts
  // those.
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
 * True where the key of a relation begins with its reference to the other one: its rows are parts of that one
 * (`order_items` of `orders`). Rows with a key of their own are events, and a sum over events may be meant (the price
 * of what was sold, sale by sale).
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

/**
 * A list of one relation's columns whose rows a join repeats: another relation has several rows for each of them, and
 * shows none of its columns. Where nothing at all of that relation is read, `redundant-join` says so.
 */
export const repeatedRows: InspectionRule = {
  code: 'repeated-rows',
  severity: 'note',
  title: 'A join repeats the rows that are listed.',
  *check(query) {
    for (const graph of joinGraphs(query)) {
      const { block } = graph.block;
      if (block.distinct || isAggregated(block) || block.role !== 'rows' || block.limit?.count === '1') continue;
      if (block.calls.some(({ kind }) => kind === 'window') || dropsRepeatedRows(query.shape, block.id)) continue;
      const uses = relationUses(query, graph, graph.links);
      const shown = uses?.flatMap(({ isShown }, relation) => (isShown ? [relation] : [])) ?? [];
      if (shown.length === 0) continue;
      const many = repeatingNodes(graph, { nodes: shown }).filter(
        // A relation compared with a literal was used to look one thing up.
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

/** Of more relations it is not told which of them repeats the others. */
const MAX_RELATIONS = 32;

/**
 * The relations that repeat what is known: several of their rows may fit one of it, and the catalog says so (a key of
 * theirs is known and the joins do not fix it). Relations that a condition ties to one literal (`colour = 'Blue'`)
 * count as one row, those that other repeating relations determine are left out.
 */
function repeatingNodes(graph: JoinGraph, known: Known): readonly JoinNode[] {
  if (graph.nodes.length > MAX_RELATIONS) return [];
  const pinned = graph.nodes.filter((node) => isPinned(graph, node)).map(({ relation }) => relation);
  const nodes = [...(known.nodes ?? []), ...pinned];
  const determined = determine(graph, { ...known, nodes }, { trusting: true }).nodes;
  const open = graph.nodes.filter(({ relation, keys }) => !determined.has(relation) && keys !== undefined);
  return open.filter(({ relation }) =>
    open.every(
      (other) =>
        other.relation === relation ||
        !determine(graph, { ...known, nodes: [...nodes, other.relation] }, { trusting: true }).nodes.has(relation) ||
        // Two that determine each other: the first one speaks for both.
        (relation < other.relation &&
          determine(graph, { ...known, nodes: [...nodes, relation] }, { trusting: true }).nodes.has(other.relation)),
    ),
  );
}

/** A relation that others refer to, compared with a literal: a look-up of one thing by its name. */
function isPinned(graph: JoinGraph, node: JoinNode): boolean {
  if (!graph.fixed.some(({ relation }) => relation === node.relation)) return false;
  return graph.links.some(({ left, right }) =>
    [left, right].some(
      (side) =>
        side.relation === node.relation && node.keys?.some((key) => key.length === 1 && key[0] === side.key) === true,
    ),
  );
}
