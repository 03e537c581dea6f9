import type { CallShape, ColumnShape, QueryBlock, QueryShape, SelectItemShape } from '@askema/sql';
import { joinedPairs } from './join-keys.ts';

/** What the query says of one column of its result. */
export interface ItemFacts {
  /** In lower case: `count`, `sum`, `avg`; the outermost where several stand in it. */
  readonly aggregate: string | undefined;
  /** Whether parts of it add up to a whole: COUNT and SUM by themselves, not of averages, not DISTINCT. */
  readonly additive: boolean;
  /** Whether an aggregate or a window in it makes a new number, as COUNT does and MIN does not. */
  readonly computes: boolean;
  /** A key of GROUP BY. */
  readonly grouped: boolean;
  /** A number of its row's place: ROW_NUMBER, RANK, DENSE_RANK, NTILE. */
  readonly ranks: boolean;
  /** The statement joins by it, or by what it is in a query inside. */
  readonly joins: boolean;
  /** The stored column that it is or aggregates, with the relation where the text tells it. */
  readonly source: { readonly relation: string | undefined; readonly column: string } | undefined;
}

export interface ShapeFacts {
  /** By position in the result. */
  readonly items: readonly ItemFacts[];
  /** By which item the rows are sorted first; undefined where they are not, or by something that is not shown. */
  readonly sortedBy: number | undefined;
  readonly sorted: boolean;
  readonly limited: boolean;
  readonly groups: boolean;
}

const ADDITIVE = new Set(['count', 'sum', 'total', 'count_if', 'countif', 'count_big']);
const PICKS = new Set(['min', 'max', 'any_value', 'first_value', 'last_value', 'nth_value', 'lag', 'lead']);
const RANKS = new Set(['row_number', 'rank', 'dense_rank', 'ntile']);
/** Statements nest names through CTEs; a longer chain is not followed. */
const DEEPEST = 6;

/** Undefined where the items of the select list are not the columns of the result, as with `*`. */
export function shapeFacts(shape: QueryShape | undefined, columnCount: number): ShapeFacts | undefined {
  const block = shape?.blocks[0];
  if (shape === undefined || block === undefined || block.kind !== 'select') return undefined;
  if (block.items.length !== columnCount || block.items.some(({ kind }) => kind === 'star')) return undefined;
  return {
    items: block.items.map((_, index) => itemFacts(shape, block, index, 0)),
    sortedBy: sortedBy(block),
    sorted: block.orderBy.length > 0,
    limited: block.limit !== undefined,
    groups: block.groupings.length > 0,
  };
}

const known = new WeakMap<QueryBlock, Map<string, ItemFacts>>();

/** Read once: queries inside each other that join by one column are asked for it again at each join. */
function itemFacts(shape: QueryShape, block: QueryBlock, index: number, depth: number): ItemFacts {
  const own = known.get(block) ?? new Map<string, ItemFacts>();
  known.set(block, own);
  const key = `${index} ${depth}`;
  const facts = own.get(key) ?? readItem(shape, block, index, depth);
  own.set(key, facts);
  return facts;
}

function readItem(shape: QueryShape, block: QueryBlock, index: number, depth: number): ItemFacts {
  const item = block.items[index];
  const nothing = {
    aggregate: undefined,
    additive: false,
    computes: false,
    grouped: false,
    ranks: false,
    joins: false,
    source: undefined,
  };
  if (item === undefined || depth > DEEPEST) return nothing;
  const grouped = isGrouped(block, item, index);
  const [column] = item.columns.map((each) => block.columns[each]);
  if (item.kind === 'column' && column !== undefined) {
    const inner = innerItem(shape, block, column, depth);
    const joins = isJoined(shape, block, column, depth);
    if (inner !== undefined) return { ...inner, grouped: grouped || inner.grouped, joins: joins || inner.joins };
    return { ...nothing, grouped, joins, source: { relation: relationOf(block, column), column: column.name.text } };
  }
  const calls = item.calls.map((each) => block.calls[each]).filter((each) => each !== undefined);
  const ranks = calls.some((call) => call.kind === 'window' && RANKS.has(nameOf(call)));
  const makesNumber = calls.some((call) => call.kind !== 'scalar' && !PICKS.has(nameOf(call)));
  const call = calls.find(({ kind }) => kind === 'aggregate');
  if (call === undefined) return { ...nothing, computes: makesNumber, grouped, ranks };
  const isWhole = call.span.start === item.expression.start && call.span.end === item.expression.end;
  const inside = call.columns.map((each) => block.columns[each]).filter((each) => each !== undefined);
  const argument = inside.length === 1 ? inside[0] : undefined;
  const inner = argument === undefined ? undefined : innerItem(shape, block, argument, depth);
  const addsParts = inner?.aggregate === undefined || inner.additive || nameOf(call) === 'count';
  return {
    aggregate: nameOf(call),
    additive: isWhole && ADDITIVE.has(nameOf(call)) && !call.distinct && addsParts,
    computes: makesNumber || inner?.computes === true,
    grouped,
    ranks,
    joins: argument !== undefined && isJoined(shape, block, argument, depth),
    source:
      inner?.source ??
      (argument === undefined || inner !== undefined
        ? undefined
        : { relation: relationOf(block, argument), column: argument.name.text }),
  };
}

/** Not by an extreme, as `t.price = cheapest.price` joins each group with its cheapest row. */
function isJoined(shape: QueryShape, block: QueryBlock, column: ColumnShape, depth: number): boolean {
  const name = column.name.text.toLowerCase();
  return joinedPairs(block).some(
    (pair) =>
      pair.some((each) => each.name.text.toLowerCase() === name && isOfOne(each, column)) &&
      pair.every((each) => innerItem(shape, block, each, depth)?.aggregate === undefined),
  );
}

/** Whether both name a column of one relation; where the text does not tell, a name stands for one column. */
function isOfOne(first: ColumnShape, second: ColumnShape): boolean {
  if (first.relation === undefined || second.relation === undefined) return true;
  return first.relation.block === second.relation.block && first.relation.relation === second.relation.relation;
}

const nameOf = (call: CallShape): string => (call.name.at(-1)?.text ?? '').toLowerCase();

/** The item of a CTE or derived table that a column is. */
function innerItem(shape: QueryShape, block: QueryBlock, column: ColumnShape, depth: number): ItemFacts | undefined {
  const { relation: ref } = column;
  const home = ref === undefined ? block : shape.blocks[ref.block];
  const only = home?.relations.length === 1 && column.qualifier.length === 0 ? home.relations[0] : undefined;
  const relation = ref === undefined ? only : home?.relations[ref.relation];
  const inner = relation?.block === undefined ? undefined : shape.blocks[relation.block];
  if (inner === undefined || inner.kind !== 'select') return undefined;
  const wanted = column.name.text.toLowerCase();
  const index = inner.items.findIndex((item) => nameOfItem(inner, item) === wanted);
  return index === -1 ? undefined : itemFacts(shape, inner, index, depth + 1);
}

function nameOfItem(block: QueryBlock, item: SelectItemShape): string | undefined {
  const [column] = item.columns;
  const own = item.kind === 'column' && column !== undefined ? block.columns[column]?.name.text : undefined;
  return (item.alias?.text ?? own)?.toLowerCase();
}

function relationOf(block: QueryBlock, column: ColumnShape): string | undefined {
  const { relation: ref } = column;
  if (ref !== undefined && ref.block !== block.id) return undefined;
  const relation = ref === undefined ? onlyTable(block) : block.relations[ref.relation];
  return relation?.kind === 'table' ? relation.name.at(-1)?.text : undefined;
}

const onlyTable = (block: QueryBlock): QueryBlock['relations'][number] | undefined =>
  block.relations.length === 1 ? block.relations[0] : undefined;

function isGrouped(block: QueryBlock, item: SelectItemShape, index: number): boolean {
  return block.groupings.some((grouping) => {
    if (grouping.kind === 'position') return grouping.item === index;
    if (grouping.kind === 'all') return !item.isAggregate;
    const columns = grouping.columns.map((each) => block.columns[each]).filter((each) => each !== undefined);
    if (columns.some((column) => column.item === index)) return true;
    const own = item.columns.map((each) => block.columns[each]?.name.text.toLowerCase());
    const names = columns.map((column) => column.name.text.toLowerCase());
    return !item.isAggregate && own.length > 0 && own.every((name) => name !== undefined && names.includes(name));
  });
}

function sortedBy(block: QueryBlock): number | undefined {
  const [order] = block.orderBy;
  if (order === undefined) return undefined;
  if (order.kind === 'position') return order.item;
  const columns = order.columns.map((each) => block.columns[each]).filter((each) => each !== undefined);
  const named = columns.find(({ item }) => item !== undefined)?.item;
  if (named !== undefined && order.calls.length === 0) return named;
  const signature = (calls: readonly number[], used: readonly number[]): string =>
    JSON.stringify([
      calls.map((each) => block.calls[each]).map((call) => call && [nameOf(call), call.distinct, call.star]),
      used.map((each) => block.columns[each]?.name.text.toLowerCase()),
    ]);
  const wanted = signature(order.calls, order.columns);
  const found = block.items.findIndex((item) => signature(item.calls, item.columns) === wanted);
  return found === -1 ? undefined : found;
}
