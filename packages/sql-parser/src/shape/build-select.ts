import type { SelectItemShape } from '@askema/sql';
import { isWord, nextAtLevel, splitAtCommas, type TokenRange } from '../source/token-table.ts';
import type { Expression, TreeItem, TreeQuery, TreeSelect } from '../tree/tree.ts';
import { buildCondition } from './build-condition.ts';
import { buildFrom } from './build-from.ts';
import { finishQuery } from './build-query.ts';
import { type BlockDraft, type Builder, indexes, mustSpan, NotLocated } from './builder.ts';
import { type ClauseWord, findClauses } from './clause-ranges.ts';
import { locateName, positionOf } from './locate.ts';
import { visitExpression } from './visit-expression.ts';

/** Fills the block of a SELECT. `range` runs from the word SELECT to the end of the query. */
export function buildSelect(
  builder: Builder,
  block: BlockDraft,
  select: TreeSelect,
  query: TreeQuery,
  range: TokenRange,
): void {
  const { table } = builder;
  if (!isWord(table, range.from, 'SELECT')) throw new NotLocated('SELECT');
  const clauses = findClauses(table, { from: range.from + 1, to: range.to }, wantedClauses(select, query));
  const firstClause = Math.min(range.to, ...[...clauses.values()].map((clause) => clause.whole.from));
  block.distinct = select.distinct;
  block.clauses.select = mustSpan(builder, { from: range.from, to: firstClause });
  const itemsStart = buildHead(builder, block, select, query, { from: range.from + 1, to: firstClause });
  buildItems(builder, block, select.items, { from: itemsStart, to: firstClause });
  const from = clauses.get('from');
  if (from !== undefined) buildFrom(builder, block, select.from, from.body);
  for (const clause of ['where', 'having', 'qualify'] as const) {
    // GROUP BY stands between WHERE and HAVING.
    if (clause === 'having') buildGroupings(builder, block, select.groupBy, clauses.get('group by')?.body);
    const expression = select[clause];
    if (expression === undefined) continue;
    const found = clauses.get(clause);
    if (found === undefined) throw new NotLocated(clause.toUpperCase());
    block.conditions[clause] = buildCondition({ builder, block, clause, join: undefined }, expression, found.body);
  }
  const windows = clauses.get('window');
  if (windows !== undefined)
    for (const expression of select.windows)
      visitExpression({ builder, block, clause: 'window' }, expression, windows.body);
  finishQuery(builder, block, query, clauses);
}

function wantedClauses(select: TreeSelect, query: TreeQuery): ReadonlySet<ClauseWord> {
  const wanted = new Set<ClauseWord>();
  if (select.from.length > 0) wanted.add('from');
  if (select.where !== undefined) wanted.add('where');
  if (select.groupBy.length > 0) wanted.add('group by');
  if (select.having !== undefined) wanted.add('having');
  if (select.qualify !== undefined) wanted.add('qualify');
  if (select.hasWindowClause) wanted.add('window');
  if (query.orderBy.length > 0) wanted.add('order by');
  if (query.hasLimit) wanted.add('limit');
  return wanted;
}

/** What stands between SELECT and its items: DISTINCT, TOP, AS STRUCT. Returns where the items begin. */
function buildHead(
  builder: Builder,
  block: BlockDraft,
  select: TreeSelect,
  query: TreeQuery,
  range: TokenRange,
): number {
  const { table } = builder;
  let index = range.from;
  if (/^(ALL|DISTINCT)$/.test(table.tokens[index]?.upper ?? '')) index++;
  if (select.distinctOn.length > 0 && isWord(table, index, 'ON')) {
    const end = nextAtLevel(table, index + 1);
    for (const expression of select.distinctOn)
      visitExpression({ builder, block, clause: 'select' }, expression, { from: index + 1, to: end });
    index = end;
  }
  if (select.hasTop && isWord(table, index, 'TOP')) {
    const end = nextAtLevel(table, index + 1);
    const number = table.tokens[index + 1]?.kind === 'number' ? table.tokens[index + 1]?.text : undefined;
    block.limit = { span: mustSpan(builder, { from: index, to: end }), count: number, offset: query.offset };
    index = end;
  }
  if (isWord(table, index, 'AS') && /^(STRUCT|VALUE)$/.test(table.tokens[index + 1]?.upper ?? '')) index += 2;
  return index;
}

function buildItems(builder: Builder, block: BlockDraft, items: readonly TreeItem[], range: TokenRange): void {
  const parts = splitAtCommas(builder.table, range);
  if (parts.length !== items.length)
    throw new NotLocated(`the items of SELECT (${items.length} in the tree, ${parts.length} in the text)`);
  for (const [index, item] of items.entries()) block.items.push(buildItem(builder, block, item, parts[index] ?? range));
}

function buildItem(builder: Builder, block: BlockDraft, item: TreeItem, part: TokenRange): SelectItemShape {
  const { table } = builder;
  const { expression } = item;
  const firstColumn = block.columns.length;
  const firstCall = block.calls.length;
  const last = { from: part.to - 1, to: part.to };
  const alias = item.alias === undefined ? undefined : locateName(builder, [item.alias], last, 'alias').parts[0];
  const aliasWords = alias === undefined ? 0 : isWord(table, part.to - 2, 'AS') ? 2 : 1;
  const inner = { from: part.from, to: part.to - aliasWords };
  const qualifier =
    expression.kind === 'star' && expression.qualifier.length > 0
      ? locateName(builder, expression.qualifier, inner, 'alias').parts
      : [];
  visitExpression({ builder, block, clause: 'select' }, expression, inner);
  const calls = indexes(firstCall, block.calls.length);
  return {
    kind: expression.kind === 'star' || expression.kind === 'column' ? expression.kind : 'expression',
    alias,
    span: mustSpan(builder, part),
    expression: mustSpan(builder, inner),
    columns: indexes(firstColumn, block.columns.length),
    calls,
    isAggregate: calls.some((call) => block.calls[call]?.kind === 'aggregate'),
    qualifier: [...qualifier],
  };
}

function buildGroupings(
  builder: Builder,
  block: BlockDraft,
  groupBy: TreeSelect['groupBy'],
  range: TokenRange | undefined,
): void {
  const { table } = builder;
  if (range === undefined) return;
  if (groupBy === 'all') {
    block.groupings.push({ kind: 'all', item: undefined, columns: [], span: mustSpan(builder, range) });
    return;
  }
  const parts = splitAtCommas(table, range);
  if (parts.length !== groupBy.length) throw new NotLocated('the elements of GROUP BY');
  for (const [index, expression] of groupBy.entries()) {
    const part = parts[index] ?? range;
    const firstColumn = block.columns.length;
    visitExpression({ builder, block, clause: 'group by' }, expression, part);
    const item = positionOf(expression, block);
    const isSets = /^(ROLLUP|CUBE|GROUPING)$/.test(table.tokens[part.from]?.upper ?? '') && part.to > part.from + 1;
    block.groupings.push({
      kind: isSets
        ? 'sets'
        : item !== undefined
          ? 'position'
          : unwrapped(expression).kind === 'column'
            ? 'column'
            : 'expression',
      item,
      columns: indexes(firstColumn, block.columns.length),
      span: mustSpan(builder, part),
    });
  }
}

function unwrapped(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === 'brackets') inner = inner.operand;
  return inner;
}
