import { type Catalog, type Dialect, indexSchema, type SchemaIndex } from '@askema/core';
import type { NamePart, QueryBlock, QueryShape, RelationShape } from '@askema/sql';
import { catalogNames, type FindCatalogRelation } from './catalog-names.ts';
import { findColumn } from './find-column.ts';
import { outputsOf } from './outputs.ts';
import type { OutputColumn, ResolvedBlock, ResolvedColumn, ResolvedQuery, ResolvedRelation } from './resolved-query.ts';
import {
  MAX_STAR_COLUMNS,
  type NameKeys,
  nameKeys,
  type OutputsOfBlock,
  outputsOfBlock,
  type ScopeRelation,
  type Scopes,
} from './scope.ts';

export interface ResolveQueryOptions {
  readonly sql: string;
  /** The shape of `sql`, by a `SqlParser`. */
  readonly shape: QueryShape;
  readonly catalog: Catalog;
  readonly dialect: Dialect;
  /** What the statement is to answer. */
  readonly question?: string | undefined;
  readonly evidence?: string | undefined;
  /** Of that catalog, where it was made before. */
  readonly index?: SchemaIndex | undefined;
}

/** Memo: catalogs are immutable, and their index costs time linear in their size. */
const indexes = new WeakMap<Catalog, SchemaIndex>();

/**
 * Looks up the names of a statement in a catalog, by the scoping rules of SQL: aliases hide names, CTEs come before
 * relations of the catalog, sub-queries look outwards. Never throws for what a statement can hold: what cannot be told
 * is `opaque`, and `unknown` is only what a whole catalog does not have.
 */
export function resolveQuery(options: ResolveQueryOptions): ResolvedQuery {
  const { sql, shape, catalog, dialect, question, evidence } = options;
  const index = options.index ?? indexOf(catalog);
  const keys = nameKeys(dialect, index);
  const findRelation = catalogNames(catalog, index, dialect, keys);
  const relations = shape.blocks.map((block) => scopeRelations(options, block, keys, findRelation));
  const scopes: Scopes = {
    sql,
    shape,
    index,
    keys,
    relations,
    outputs: shape.blocks.map(() => undefined),
    aliases: [],
    starColumns: MAX_STAR_COLUMNS,
  };
  const names = givenNames(shape);
  const columns: (readonly ResolvedColumn[])[] = shape.blocks.map(() => []);
  for (const block of insideOut(shape)) {
    const resolved = block.columns.map((column) => findColumn(scopes, dialect, block, column));
    columns[block.id] = resolved;
    const outputs = outputsOf({ sql, dialect, scopes, names: names.get(block.id) ?? [] }, block, resolved);
    scopes.outputs[block.id] = outputs;
    const parent = block.parent === undefined ? undefined : shape.blocks[block.parent];
    // What a recursive operand sees of the whole.
    if (parent?.setOperation?.operands[0] === block.id)
      scopes.outputs[parent.id] = outputs && namesOnly(outputs.columns, names.get(parent.id) ?? [], keys);
  }
  const blocks = shape.blocks.map(
    (block): ResolvedBlock => ({
      block,
      relations: (relations[block.id] ?? []).map(({ resolved }) => resolved),
      columns: columns[block.id] ?? [],
      outputs: scopes.outputs[block.id]?.columns,
    }),
  );
  return { sql, shape, catalog, index, dialect, question, evidence, blocks };
}

function namesOnly(columns: readonly OutputColumn[], given: readonly NamePart[], keys: NameKeys): OutputsOfBlock {
  const bare = columns.map(({ name }, position): OutputColumn => {
    const part = given[position];
    return {
      name: part === undefined ? name : keys.stored(part),
      item: undefined,
      attribute: undefined,
      relation: undefined,
      type: undefined,
    };
  });
  return outputsOfBlock(bare, keys);
}

function indexOf(catalog: Catalog): SchemaIndex {
  let index = indexes.get(catalog);
  if (index === undefined) {
    index = indexSchema(catalog);
    indexes.set(catalog, index);
  }
  return index;
}

/**
 * Blocks in such an order that the outputs that a name may mean are known before it is looked up: CTEs, derived tables
 * and operands before the sub-queries of expressions, all of them before the block that they stand in. A recursive CTE
 * sees what its first operand gives.
 */
function insideOut(shape: QueryShape): readonly QueryBlock[] {
  const children = Map.groupBy(shape.blocks, ({ parent }) => parent);
  const rank = (block: QueryBlock): number =>
    block.place === 'cte' ? 0 : block.place === 'from' ? 1 : block.place === 'operand' ? 2 : 3;
  const order: QueryBlock[] = [];
  const [first] = shape.blocks;
  const open: { readonly block: QueryBlock; readonly inner: readonly QueryBlock[]; next: number }[] = [];
  const enter = (block: QueryBlock): void => {
    const inner = [...(children.get(block.id) ?? [])].sort((a, b) => rank(a) - rank(b));
    open.push({ block, inner, next: 0 });
  };
  if (first !== undefined) enter(first);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const child = top.inner[top.next];
    top.next += 1;
    if (child !== undefined) enter(child);
    else {
      order.push(top.block);
      open.pop();
    }
  }
  return order;
}

/** The names that WITH and aliases give to the columns of blocks. */
function givenNames(shape: QueryShape): ReadonlyMap<number, readonly NamePart[]> {
  const names = new Map<number, readonly NamePart[]>();
  for (const block of shape.blocks) {
    for (const cte of block.ctes) if (cte.columns.length > 0) names.set(cte.block, cte.columns);
    for (const relation of block.relations)
      if (relation.kind === 'derived' && relation.block !== undefined && relation.columnAliases.length > 0)
        names.set(relation.block, relation.columnAliases);
  }
  return names;
}

function scopeRelations(
  { sql, catalog, dialect, shape: { statementCount } }: ResolveQueryOptions,
  block: QueryBlock,
  keys: NameKeys,
  findRelation: FindCatalogRelation,
): readonly ScopeRelation[] {
  const exposed = new Set<string>();
  return block.relations.map((shape, position): ScopeRelation => {
    const exposedPart = shape.alias ?? shape.name.at(-1);
    const exposedAs = exposedPart?.text ?? '';
    const exposedKey = exposedPart === undefined ? '' : keys.key(exposedPart);
    let isOpen = isReshaped(sql, block, position);
    let resolved: ResolvedRelation = { kind: 'opaque', exposedAs };
    const isOfColumn = shape.name.length > 1 && shape.name[0] !== undefined && exposed.has(keys.key(shape.name[0]));
    if (shape.block !== undefined && (shape.kind === 'cte' || shape.kind === 'derived')) {
      resolved = { kind: 'block', block: shape.block, exposedAs };
      isOpen ||= shape.kind === 'cte' && shape.columnAliases.length > 0;
    } else if (shape.kind === 'table' && !isOfColumn && shape.columnAliases.length === 0) {
      const found = findRelation(shape.name.map((part) => keys.stored(part)));
      // A statement before this one may have created it.
      if (found.kind === 'unknown' && statementCount === 1 && !isOnly(shape))
        resolved = {
          kind: 'unknown',
          exposedAs,
          get nearest() {
            return found.nearest;
          },
        };
      if (found.kind === 'relation') {
        resolved = { kind: 'relation', id: found.id, exposedAs };
        isOpen ||= found.isOpen;
      }
    }
    exposed.add(exposedKey);
    const fullName = shape.alias === undefined ? fullNameOf(shape, resolved, catalog, keys) : [exposedKey];
    return {
      ref: { block: block.id, relation: position },
      shape,
      resolved,
      fullName,
      exposedKey,
      isOpen,
      functionColumns: functionColumns(dialect, shape, keys),
    };
  });
}

/** PostgreSQL's `FROM ONLY t`, which parsers read as a relation with an alias. */
function isOnly({ name: [first, ...more], alias }: RelationShape): boolean {
  return alias !== undefined && more.length === 0 && first?.quoted === false && /^only$/i.test(first.text);
}

function fullNameOf(shape: RelationShape, resolved: ResolvedRelation, catalog: Catalog, keys: NameKeys): string[] {
  const written = shape.name.map((part) => keys.key(part));
  if (resolved.kind !== 'relation') return written;
  const parts = catalog.relations[resolved.id]?.nameParts;
  if (parts === undefined || written.length > 2) return written;
  const known = [parts.database, parts.schema, parts.relation].flatMap((part) =>
    part === undefined ? [] : [keys.keyOfStored(part)],
  );
  return known.length > written.length ? [...known.slice(0, -written.length), ...written] : written;
}

/** Behind the relation follows what gives its rows other columns: PIVOT and the like, which a shape does not show. */
function isReshaped(sql: string, block: QueryBlock, position: number): boolean {
  const from = block.relations[position]?.span.end ?? 0;
  const next = block.relations[position + 1]?.span.start ?? block.clauses.from?.end ?? from;
  return next > from && /\b(?:PIVOT|UNPIVOT|MATCH_RECOGNIZE)\b/i.test(sql.slice(from, next));
}

/**
 * The names of a table function's columns, by their keys; undefined where they depend on its arguments or are not
 * known.
 */
function functionColumns(
  dialect: Dialect,
  { kind, name, columnAliases }: RelationShape,
  keys: NameKeys,
): ReadonlyMap<string, string> | undefined {
  const last = name.at(-1);
  if (kind !== 'function' || last === undefined || name.length !== 1 || columnAliases.length > 0) return undefined;
  const known = dialect.functions?.tableColumns ?? {};
  const called = last.text.toUpperCase();
  const columns = Object.hasOwn(known, called) ? known[called] : undefined;
  return columns === undefined ? undefined : new Map(columns.map((column) => [keys.keyOfStored(column), column]));
}
