import { type Dialect, nearestNames } from '@askema/core';
import type { ColumnShape, QueryBlock } from '@askema/sql';
import type { ResolvedColumn } from './resolved-query.ts';
import {
  aliasesOf,
  blocksInSight,
  isMerged,
  matchedParts,
  namesOf,
  type Offer,
  offerOf,
  type ScopeRelation,
  type Scopes,
} from './scope.ts';

const OPAQUE: ResolvedColumn = { kind: 'opaque' };
/** Where a dialect that does not say takes names of the result. */
const BEHIND_ITEMS: readonly ColumnShape['clause'][] = ['group by', 'having', 'qualify', 'order by'];
/** Attributes of the same name elsewhere that are listed. */
const MAX_ELSEWHERE = 50;

/** Columns that relations of some engine have without a catalog knowing them. */
export const PSEUDO_COLUMN =
  /^(rowid|oid|_rowid_|_rowid|row_start|row_end|ctid|xmin|xmax|cmin|cmax|tableoid|_partition(time|date)|_table_suffix|_file_name|_change_type|_change_timestamp|metadata\$.*|\$\d+)$/i;
/**
 * Functions and pseudo columns that stand without brackets and without a relation; units of time that are arguments.
 */
const BARE_WORD =
  /^(level|connect_by_.*|rownum|current_.*|local(time|timestamp)|session_user|system_user|user|sysdate|systimestamp|excluded|default|true|false|null|epoch_[a-z]+)$/i;

/** What a column of `block` means. */
export function findColumn(scopes: Scopes, dialect: Dialect, block: QueryBlock, column: ColumnShape): ResolvedColumn {
  return column.qualifier.length > 0
    ? findQualified(scopes, dialect, block, column)
    : findUnqualified(scopes, dialect, block, column);
}

function findQualified(scopes: Scopes, dialect: Dialect, block: QueryBlock, column: ColumnShape): ResolvedColumn {
  const { keys } = scopes;
  const inSight = blocksInSight(scopes.shape, block);
  const parts = column.qualifier.map((part) => keys.key(part));
  for (const level of inSight) {
    let best: { readonly relation: ScopeRelation; readonly length: number } | undefined;
    for (const relation of scopes.relations[level.id] ?? []) {
      const length = matchedParts(relation, parts);
      if (length > (best?.length ?? 0)) best = { relation, length };
    }
    if (best === undefined) continue;
    const { relation, length } = best;
    // Fields of a nested column follow: what they are, only the engine knows.
    if (length < column.qualifier.length) return OPAQUE;
    const offer = offerOf(scopes, relation, keys.key(column.name));
    const isHidden =
      level === block && column.clause === 'join' && isBehindComma(scopes, dialect, block, relation, column);
    if (isHidden && offer.kind !== 'none') return unknown(scopes, column, relation, []);
    if (offer.kind !== 'none') return resolvedOffer(offer, relation);
    if (PSEUDO_COLUMN.test(column.name.text)) return OPAQUE;
    return unknown(scopes, column, relation, namesOf(scopes, relation));
  }
  // The qualifier may be a column with fields, or a relation that the shape does not show.
  const first = column.qualifier[0];
  if (first === undefined) return OPAQUE;
  const key = keys.key(first);
  const relations = inSight.flatMap((level) => scopes.relations[level.id] ?? []);
  if (relations.some((relation) => offerOf(scopes, relation, key).kind !== 'none')) return OPAQUE;
  if (block.kind !== 'select' || hasAlias(scopes, inSight, key)) return OPAQUE;
  return unknown(
    scopes,
    column,
    undefined,
    relations.map(({ resolved }) => resolved.exposedAs).filter((name) => name !== ''),
    first.text,
  );
}

function findUnqualified(scopes: Scopes, dialect: Dialect, block: QueryBlock, column: ColumnShape): ResolvedColumn {
  const { keys } = scopes;
  const key = keys.key(column.name);
  const inSight = blocksInSight(scopes.shape, block);
  const alias = aliasIn(scopes, block, key, column);
  if (alias !== undefined && aliasHides(dialect, block, column, alias)) return { kind: 'alias', item: alias };
  if (block.kind === 'set operation') return findInOperands(scopes, block, column, key);
  if (block.kind !== 'select') return OPAQUE;
  for (const level of inSight) {
    const all = scopes.relations[level.id] ?? [];
    const visible = level === block && column.clause === 'join' ? beforeJoin(level, all, column) : all;
    const found =
      lookUp(scopes, level, visible, key) ?? (visible === all ? undefined : lookUp(scopes, level, all, key));
    if (found?.kind === 'ambiguous' && level === block)
      return unlessOutput(scopes, dialect, block, column, found, alias);
    if (found !== undefined) return found;
    if (all.some(({ exposedKey }) => exposedKey === key)) return OPAQUE;
    if (level === block && alias !== undefined && allowsAlias(dialect, column)) return { kind: 'alias', item: alias };
  }
  const { text } = column.name;
  if (PSEUDO_COLUMN.test(text) || BARE_WORD.test(text) || scopes.shape.statementCount > 1) return OPAQUE;
  if (hasAlias(scopes, inSight.slice(1), key)) return OPAQUE;
  const names = inSight.flatMap((level) =>
    (scopes.relations[level.id] ?? []).flatMap((relation) => namesOf(scopes, relation)),
  );
  return unknown(scopes, column, undefined, names);
}

/** What the relations of one FROM say about an unqualified name; undefined when none has it. */
function lookUp(
  scopes: Scopes,
  level: QueryBlock,
  relations: readonly ScopeRelation[],
  key: string,
): ResolvedColumn | undefined {
  const found: { readonly relation: ScopeRelation; readonly offer: Offer }[] = [];
  let isOpaque = false;
  for (const relation of relations) {
    const offer = offerOf(scopes, relation, key);
    if (offer.kind === 'opaque') isOpaque = true;
    else if (offer.kind !== 'none' && (found.length === 0 || !isMerged(scopes, level, relation, key)))
      found.push({ relation, offer });
  }
  const [first] = found;
  if (first === undefined) return isOpaque ? OPAQUE : undefined;
  if (found.length === 1) return resolvedOffer(first.offer, first.relation);
  return { kind: 'ambiguous', among: found.map(({ relation }) => relation.ref) };
}

/** The relations to the left of the end of the join whose condition holds the column. */
function beforeJoin(
  level: QueryBlock,
  relations: readonly ScopeRelation[],
  column: ColumnShape,
): readonly ScopeRelation[] {
  const join = level.joins.find(({ span }) => span.start <= column.span.start && column.span.end <= span.end);
  return join === undefined ? relations : relations.filter(({ ref }) => ref.relation <= join.relation);
}

/**
 * Whether an alias of the select list comes before the columns of FROM: for a bare name of ORDER BY in every engine,
 * elsewhere as the dialect says.
 */
function aliasHides(dialect: Dialect, block: QueryBlock, column: ColumnShape, alias: number): boolean {
  if (column.clause === 'order by' && isBareOrder(block, column)) return true;
  if (!(dialect.scopes?.aliasesFirstIn ?? []).includes(column.clause)) return false;
  const item = block.items[alias];
  const only = item?.kind === 'column' ? item.columns[0] : undefined;
  return only === undefined || block.columns[only]?.name.text.toLowerCase() !== column.name.text.toLowerCase();
}

function isBareOrder(block: QueryBlock, column: ColumnShape): boolean {
  return block.orderBy.some(
    ({ kind, columns }) => kind === 'column' && columns.some((at) => block.columns[at] === column),
  );
}

/**
 * Behind the select list a name that is ambiguous in FROM may be that of a column of the result, also without an alias,
 * where the dialect takes that.
 */
function unlessOutput(
  scopes: Scopes,
  dialect: Dialect,
  block: QueryBlock,
  column: ColumnShape,
  ambiguous: ResolvedColumn,
  alias: number | undefined,
): ResolvedColumn {
  if (!(dialect.scopes?.outputNamesIn ?? BEHIND_ITEMS).includes(column.clause)) return ambiguous;
  if (alias !== undefined) return { kind: 'alias', item: alias };
  const key = scopes.keys.key(column.name);
  const item = block.items.findIndex(({ kind, columns, alias: written }) => {
    const only = columns[0];
    const name =
      kind === 'column' && written === undefined && only !== undefined ? block.columns[only]?.name : undefined;
    return name !== undefined && scopes.keys.key(name) === key;
  });
  return item < 0 ? ambiguous : { kind: 'alias', item };
}

/** ORDER BY of a set operation sees the columns of its result. */
function findInOperands(scopes: Scopes, block: QueryBlock, column: ColumnShape, key: string): ResolvedColumn {
  const operands = (block.setOperation?.operands ?? []).map((operand) => scopes.outputs[operand]);
  const first = scopes.outputs[block.id] ?? operands[0];
  if (first === undefined || first.hasUnnamed) return OPAQUE;
  if (operands.some((outputs) => outputs === undefined || outputs.byKey.has(key))) return OPAQUE;
  if (column.clause !== 'order by') return OPAQUE;
  return unknown(
    scopes,
    column,
    undefined,
    first.columns.flatMap(({ name }) => name ?? []),
  );
}

/** The item with that alias; an item does not see its own. */
function aliasIn(scopes: Scopes, block: QueryBlock, key: string, column: ColumnShape): number | undefined {
  return aliasesOf(scopes, block, key).find((item) => {
    const span = block.items[item]?.span;
    return !(span !== undefined && span.start <= column.span.start && column.span.end <= span.end);
  });
}

function hasAlias(scopes: Scopes, blocks: readonly QueryBlock[], key: string): boolean {
  return blocks.some((block) => aliasesOf(scopes, block, key).length > 0);
}

/** Whether a clause may use aliases of the select list. GROUP BY and ORDER BY may in every engine. */
function allowsAlias(dialect: Dialect, { clause }: ColumnShape): boolean {
  return !(dialect.scopes?.aliasesHiddenIn ?? []).includes(clause);
}

function resolvedOffer(offer: Offer, relation: ScopeRelation): ResolvedColumn {
  if (offer.kind === 'attribute') return { kind: 'attribute', attribute: offer.attribute, relation: relation.ref };
  if (offer.kind === 'output') return { kind: 'output', output: offer.output, relation: relation.ref };
  return OPAQUE;
}

function unknown(
  scopes: Scopes,
  column: ColumnShape,
  relation: ScopeRelation | undefined,
  names: readonly string[],
  wanted: string = column.name.text,
): ResolvedColumn {
  let near: readonly string[] | undefined;
  return {
    kind: 'unknown',
    relation: relation?.ref,
    elsewhere: scopes.index
      .attributesNamed(scopes.keys.stored(column.name))
      .slice(0, MAX_ELSEWHERE)
      .map(({ id }) => id),
    // Not everybody asks, and comparing takes a millisecond for some thousand names.
    get nearest() {
      near ??= nearestNames(wanted, names);
      return near;
    },
  };
}

/**
 * Whether a comma hides a relation from the condition of a join: in `FROM a, b JOIN c ON …` the condition sees `b` and
 * `c` only (https://www.postgresql.org/docs/current/queries-table-expressions.html#QUERIES-FROM; Snowflake says
 * "invalid identifier").
 */
function isBehindComma(
  { shape, sql }: Scopes,
  dialect: Dialect,
  block: QueryBlock,
  { ref }: ScopeRelation,
  column: ColumnShape,
): boolean {
  if (dialect.scopes?.joinBeforeComma !== true || shape.blocks[ref.block] !== block) return false;
  const join = block.joins.find(({ span }) => span.start <= column.span.start && column.span.end <= span.end);
  if (join === undefined) return false;
  // Brackets around several relations change what belongs together, and a shape does not show them.
  const isBracketed = (from: number | undefined, relation: number): boolean =>
    sql.slice(from ?? 0, block.relations[relation]?.span.start ?? 0).includes('(');
  if (isBracketed(block.clauses.from?.start, 0)) return false;
  const commas = block.joins.filter(({ kind, relation }) => kind === 'comma' && relation <= join.relation);
  if (commas.some(({ span, relation }) => isBracketed(span.start, relation))) return false;
  return commas.some(({ relation }) => ref.relation < relation);
}
