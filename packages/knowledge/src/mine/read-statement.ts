import type { RelationId } from '@askema/core';
import type { ResolvedQuery } from '@askema/lint';
import type { NamePart, QueryBlock, SelectItemShape } from '@askema/sql';
import type { Call, ColumnName, Expression } from '../expression/expression.ts';
import { columnsIn, mapColumns, mapParts, walkExpression } from '../expression/walk-expression.ts';
import { textOfExpression } from './expression-text.ts';
import { isLikeExact, type NormalForms, normalConditions, normalForm, undressed } from './normal-form.ts';
import { baseOf, isUsedOnce, type RowsOf, RowsReader, type UsedJoin, useOf } from './read-from.ts';
import type { Sides } from './sides.ts';
import {
  type DefinedNames,
  hasUnknown,
  isUsedColumn,
  type LiteralValues,
  StatementReader,
} from './statement-reader.ts';

/** A number that a statement computes. */
interface UsedAggregate {
  /** Whose rows are aggregated. */
  readonly relation: RelationId;
  /** In normal form, without the conditions. */
  readonly expression: Expression;
  /** Of its own relation and of those that it reaches. */
  readonly conditions: readonly Expression[];
  readonly alias: string | undefined;
  /** It stands under a condition whose value is not known. */
  readonly hasUnknown: boolean;
}

/** Conditions under which a statement reads a relation. */
interface UsedRelation {
  readonly relation: RelationId;
  readonly conditions: readonly Expression[];
  /** The others are looked up for its rows. */
  readonly isBase: boolean;
}

/** What one statement teaches. */
export interface StatementFacts {
  readonly joins: readonly (UsedJoin & { readonly relations: readonly [RelationId, RelationId] })[];
  readonly aggregates: readonly UsedAggregate[];
  readonly relations: readonly UsedRelation[];
  /** Aggregates that definitions have no words for: what is called, and on which columns. */
  readonly unsaid: readonly string[];
  /** Other names of columns. */
  readonly names: readonly { readonly column: ColumnName; readonly relation: RelationId; readonly alias: string }[];
}

/** Reads what a statement joins, aggregates and asks for. */
export function readStatement(
  query: ResolvedQuery,
  values: LiteralValues,
  names: DefinedNames,
  sides: Sides,
): StatementFacts {
  const reader = new StatementReader(query, values, names);
  const plain: NormalForms = { nameOf: names.column, isKey: () => false, likeIsExact: isLikeExact(query.dialect) };
  const rows = new RowsReader(reader, plain);
  const blocks = query.shape.blocks.filter(({ kind }) => kind === 'select');
  const relationOfUse = usesOf(query);
  const read = blocks.map((block) => ({ block, rows: rows.rowsOf(block) }));
  return {
    joins: read.flatMap((one) =>
      one.rows.joins.flatMap((join) => {
        const [a, b] = (join.pairs[0] ?? []).map(({ qualifier }) => relationOfUse.get(qualifier[0]));
        return a === undefined || b === undefined ? [] : [{ ...join, relations: [a, b] as const }];
      }),
    ),
    aggregates: read.flatMap((one) => aggregatesOf(one.block, one.rows, { reader, sides, plain })),
    unsaid: read.flatMap((one) => unsaidOf(one.block, one.rows, reader, names)),
    relations: read.flatMap((one) => relationsOf(one.rows, isLookedUp(one.block, query) ? undefined : sides)),
    names: read.flatMap((one) => namesOf(one.block, reader, relationOfUse)),
  };
}

function usesOf(query: ResolvedQuery): ReadonlyMap<string, RelationId> {
  return new Map(
    query.blocks.flatMap(({ block, relations }) =>
      relations.flatMap((one, at) => (one.kind === 'relation' ? [[`${block.id}:${at}`, one.id] as const] : [])),
    ),
  );
}

/** Inside of `IN (SELECT …)` and `EXISTS`: they only choose what the statement is about. */
function isLookedUp({ role, parent }: QueryBlock, query: ResolvedQuery): boolean {
  if (role !== 'rows' && role !== 'scalar') return true;
  const outer = parent === undefined ? undefined : query.shape.blocks[parent];
  return outer !== undefined && isLookedUp(outer, query);
}

/** Without `sides`, none of them is what the statement is about. */
function relationsOf(rows: RowsOf, sides: Sides | undefined): readonly UsedRelation[] {
  const base = rows.isWhole && sides !== undefined ? baseOf(rows, sides) : undefined;
  return [...rows.uses].map(([use, relation]) => ({
    relation,
    isBase: use === base,
    conditions: rows.conditions.filter((condition) => useOf(condition) === use),
  }));
}

interface BlockScope {
  readonly reader: StatementReader;
  readonly sides: Sides;
  readonly plain: NormalForms;
}

function aggregateItems(block: QueryBlock): readonly SelectItemShape[] {
  return block.items.filter(
    ({ isAggregate, calls }) => isAggregate && calls.every((call) => block.calls[call]?.kind !== 'window'),
  );
}

function unsaidOf(block: QueryBlock, rows: RowsOf, reader: StatementReader, names: DefinedNames): readonly string[] {
  if (!rows.isWhole) return [];
  return aggregateItems(block).flatMap(({ calls, columns, expression }) => {
    if (reader.canSay(expression)) return [];
    const called = calls.flatMap((call) => {
      const { kind, name } = block.calls[call] ?? {};
      return kind === 'aggregate' ? [name?.at(-1)?.text.toUpperCase() ?? ''] : [];
    });
    const read = columns.flatMap((column) => reader.column(block.id, column) ?? []);
    return [[...called, ...read.flatMap(columnsIn).map(names.column).sort()].join(' ')];
  });
}

function aggregatesOf(block: QueryBlock, rows: RowsOf, { reader, sides, plain }: BlockScope): readonly UsedAggregate[] {
  if (!rows.isWhole) return [];
  const items = aggregateItems(block);
  const base = items.length === 0 ? undefined : baseOf(rows, sides);
  const relation = base === undefined ? undefined : rows.uses.get(base);
  if (base === undefined || relation === undefined) return [];
  const key = reader.query.index.primaryKey(relation)?.attributes ?? [];
  const only = key.length === 1 && key[0] !== undefined ? reader.query.index.attribute(key[0])?.name : undefined;
  const forms = { ...plain, isKey: ({ qualifier, name }: ColumnName) => qualifier[0] === base && name === only };
  const outer = rows.conditions.filter((condition) => {
    const use = useOf(condition);
    return use !== undefined && (use === base || isUsedOnce(rows, use));
  });
  return items.flatMap((item) => {
    const read = aggregateOf(item, block, { base, rows, reader, forms });
    if (read === undefined) return [];
    const conditions = new Map([...outer, ...read.filters].map((one) => [textOfExpression(one, plain.nameOf), one]));
    return [
      {
        relation,
        expression: read.expression,
        conditions: [...conditions.values()],
        alias: aliasOf(item.alias),
        hasUnknown: rows.hasUnknown,
      },
    ];
  });
}

interface AggregateScope {
  readonly base: string;
  readonly rows: RowsOf;
  readonly reader: StatementReader;
  readonly forms: NormalForms;
}

function aggregateOf(
  item: SelectItemShape,
  block: QueryBlock,
  scope: AggregateScope,
): { readonly expression: Expression; readonly filters: readonly Expression[] } | undefined {
  const { base, rows, reader, forms } = scope;
  const written = reader.expression(block.id, item.expression);
  if (written === undefined) return undefined;
  const equals = equalColumns(rows, base);
  const near = mapColumns(written, (column) => equals.get(columnKey(column)) ?? column);
  const expression = normalForm(undressed(near), forms);
  const calls = aggregateCalls(expression);
  if (calls.length === 0 || hasUnknown(expression) || !areOfBase(expression, near, scope)) return undefined;
  const texts = calls.map(({ filter }) => (filter === undefined ? '' : textOfExpression(filter, forms.nameOf)));
  const isShared = texts.every((text) => text === texts[0]);
  const filter = isShared ? calls[0]?.filter : undefined;
  return {
    expression: isShared ? normalForm(withoutFilters(expression), forms) : expression,
    filters: filter === undefined ? [] : normalConditions(filter, forms),
  };
}

/** Columns of other relations that are equal to one of the base. */
function equalColumns(rows: RowsOf, base: string): ReadonlyMap<string, ColumnName> {
  return new Map(
    rows.joins.flatMap(({ pairs }) =>
      pairs.flatMap(([a, b]): [string, ColumnName][] => {
        if (a.qualifier[0] === base) return [[columnKey(b), a]];
        return b.qualifier[0] === base ? [[columnKey(a), b]] : [];
      }),
    ),
  );
}

function columnKey({ qualifier, name }: ColumnName): string {
  return `${qualifier[0]}\n${name}`;
}

function aggregateCalls(expression: Expression): readonly Call[] {
  const calls: Call[] = [];
  walkExpression(expression, (part) => {
    if (part.kind !== 'call' || !part.isAggregate) return true;
    calls.push(part);
    return false;
  });
  return calls;
}

/**
 * Each aggregate is about rows of the base and nothing stands outside of one but numbers: values of what is looked up
 * for these rows would count once for each of them.
 */
function areOfBase(expression: Expression, written: Expression, { base, rows }: AggregateScope): boolean {
  const uses = (part: Expression): readonly (string | undefined)[] =>
    columnsIn(part).map(({ qualifier }) => qualifier[0]);
  const isFine = aggregateCalls(written).every((call) => {
    const all = uses(call);
    return all.length === 0 || all.includes(base);
  });
  const inside = aggregateCalls(expression).reduce((sum, call) => sum + columnsIn(call).length, 0);
  return (
    isFine &&
    inside === columnsIn(expression).length &&
    uses(expression).every((use) => use === base || (use !== undefined && isUsedOnce(rows, use)))
  );
}

function withoutFilters(expression: Expression): Expression {
  if (expression.kind !== 'call' || !expression.isAggregate) return mapParts(expression, withoutFilters);
  const { filter: _, ...call } = expression;
  return call;
}

function namesOf(
  block: QueryBlock,
  reader: StatementReader,
  relationOfUse: ReadonlyMap<string, RelationId>,
): StatementFacts['names'] {
  return block.items.flatMap((item) => {
    const alias = item.kind === 'column' ? aliasOf(item.alias) : undefined;
    const [at] = item.columns;
    const column = alias === undefined || at === undefined ? undefined : reader.column(block.id, at);
    if (alias === undefined || column === undefined || !isUsedColumn(column)) return [];
    const relation = relationOfUse.get(column.qualifier[0]);
    return relation === undefined ? [] : [{ column, relation, alias }];
  });
}

const MAX_ALIAS = 60;

/**
 * Names are hostile: letters, digits and what joins them, or none at all; with a longer number it is a value.
 * `"Net Sales"` is `net_sales`.
 */
function aliasOf(alias: NamePart | undefined): string | undefined {
  const text = alias?.text ?? '';
  if (text.length > MAX_ALIAS || !/^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(text) || /\p{N}{5}/u.test(text)) return undefined;
  return text
    .toLowerCase()
    .trim()
    .replaceAll(/[\s-]+/g, '_');
}
