import {
  type AttributeId,
  type Dialect,
  foldName,
  type NameComparison,
  type RelationId,
  type SchemaIndex,
} from '@askema/core';
import type { NamePart, QueryBlock, QueryShape, RelationRef, RelationShape } from '@askema/sql';
import type { OutputColumn, ResolvedRelation } from './resolved-query.ts';

/** What a relation of FROM offers under one name. */
export type Offer =
  | { readonly kind: 'attribute'; readonly attribute: AttributeId }
  | { readonly kind: 'output'; readonly output: OutputColumn }
  /** It does not have it. */
  | { readonly kind: 'none' }
  /** It may have it. */
  | { readonly kind: 'opaque' };

/** A relation of FROM with what is known of it while a statement is being resolved. */
export interface ScopeRelation {
  readonly ref: RelationRef;
  readonly shape: RelationShape;
  readonly resolved: ResolvedRelation;
  /** Parts of its full name, folded, outermost first; only the alias where it has one. */
  readonly fullName: readonly string[];
  /** The key of the name that columns are qualified with. */
  readonly exposedKey: string;
  /** It may have columns that are not known: PIVOT, wildcards, renamed columns. */
  readonly isOpen: boolean;
  /** Of a table function with a fixed result: its columns, by their keys. */
  readonly functionColumns: ReadonlyMap<string, string> | undefined;
}

/** Everything that the look-up of columns reads. */
export interface Scopes {
  readonly sql: string;
  readonly shape: QueryShape;
  readonly index: SchemaIndex;
  readonly keys: NameKeys;
  /** By the id of the block. */
  readonly relations: readonly (readonly ScopeRelation[])[];
  /** By the id of the block: undefined where it cannot be told or is not known yet. */
  readonly outputs: (OutputsOfBlock | undefined)[];
  /** By the id of the block: the items that have an alias of that key, made when they are first asked for. */
  readonly aliases: (ReadonlyMap<string, readonly number[]> | undefined)[];
  /** How many more columns stars may be expanded to: CTEs of stars over each other double with each of them. */
  starColumns: number;
}

/** Columns of all stars of one statement that are told apart; what a block gives beyond that is not known. */
export const MAX_STAR_COLUMNS = 100_000;

/** The items of a block whose alias has that key. */
export function aliasesOf(scopes: Scopes, block: QueryBlock, key: string): readonly number[] {
  let byKey = scopes.aliases[block.id];
  if (byKey === undefined) {
    const made = new Map<string, number[]>();
    for (const [item, { alias }] of block.items.entries()) {
      if (alias === undefined) continue;
      const known = made.get(scopes.keys.key(alias));
      if (known === undefined) made.set(scopes.keys.key(alias), [item]);
      else known.push(item);
    }
    scopes.aliases[block.id] = made;
    byKey = made;
  }
  return byKey.get(key) ?? [];
}

export interface OutputsOfBlock {
  readonly columns: readonly OutputColumn[];
  readonly byKey: ReadonlyMap<string, OutputColumn>;
  /** Columns whose name the engine makes up. */
  readonly hasUnnamed: boolean;
}

export function outputsOfBlock(columns: readonly OutputColumn[], keys: NameKeys): OutputsOfBlock {
  const byKey = new Map<string, OutputColumn>();
  let hasUnnamed = false;
  for (const column of columns) {
    if (column.name === undefined) {
      hasUnnamed = true;
      continue;
    }
    const key = keys.keyOfStored(column.name);
    if (!byKey.has(key)) byKey.set(key, column);
  }
  return { columns, byKey, hasUnnamed };
}

/** What `relation` offers under the key of a name. */
export function offerOf(scopes: Scopes, relation: ScopeRelation, key: string): Offer {
  const { resolved, isOpen } = relation;
  if (resolved.kind === 'relation') {
    const attribute = scopes.keys.attribute(resolved.id, key);
    if (attribute !== undefined) return { kind: 'attribute', attribute };
    return { kind: isOpen ? 'opaque' : 'none' };
  }
  if (resolved.kind !== 'block') {
    const { functionColumns } = relation;
    return { kind: functionColumns === undefined || functionColumns.has(key) ? 'opaque' : 'none' };
  }
  const outputs = scopes.outputs[resolved.block];
  if (outputs === undefined) return { kind: 'opaque' };
  const output = outputs.byKey.get(key);
  if (output !== undefined) return { kind: 'output', output };
  return { kind: isOpen || outputs.hasUnnamed ? 'opaque' : 'none' };
}

/** The names that a relation is known to have, as they are stored. */
export function namesOf(scopes: Scopes, { resolved, functionColumns }: ScopeRelation): readonly string[] {
  if (resolved.kind === 'relation') return scopes.index.attributesOf(resolved.id).map(({ name }) => name);
  if (resolved.kind !== 'block') return [...(functionColumns?.values() ?? [])];
  return [...(scopes.outputs[resolved.block]?.columns ?? [])].flatMap(({ name }) => name ?? []);
}

/**
 * The blocks whose FROM a name in `block` may mean, nearest first: its own, then those around it. A CTE sees no FROM of
 * the query that its WITH belongs to; a derived table sees the relations beside it only when it is lateral.
 */
export function blocksInSight(shape: QueryShape, block: QueryBlock): readonly QueryBlock[] {
  const found: QueryBlock[] = [];
  let current: QueryBlock | undefined = block;
  while (current !== undefined) {
    found.push(current);
    const child: QueryBlock = current;
    let parent = parentOf(shape, child);
    const isHidden =
      child.place === 'cte' ||
      (child.place === 'from' &&
        parent?.relations.some((relation) => relation.block === child.id && !relation.lateral));
    if (isHidden && parent !== undefined) parent = parentOf(shape, parent);
    current = parent;
  }
  return found;
}

function parentOf(shape: QueryShape, block: QueryBlock): QueryBlock | undefined {
  return block.parent === undefined ? undefined : shape.blocks[block.parent];
}

/** How many parts of a qualifier, given by their keys, name the relation: 0 when they do not. */
export function matchedParts({ fullName }: ScopeRelation, parts: readonly string[]): number {
  // The longest first: `schema.relation.column` before a relation that is named like the schema.
  for (let length = Math.min(parts.length, fullName.length); length > 0; length -= 1) {
    const tail = fullName.slice(fullName.length - length);
    if (tail.every((part, index) => part === parts[index])) return length;
  }
  return 0;
}

/** A column of USING and of NATURAL JOIN is one with that of the relations before. */
export function isMerged(scopes: Scopes, level: QueryBlock, relation: ScopeRelation, key: string): boolean {
  const join = level.joins.find((candidate) => candidate.relation === relation.ref.relation);
  if (join === undefined) return false;
  return (
    join.natural ||
    join.kind === 'semi' ||
    join.kind === 'anti' ||
    join.using.some((part) => scopes.keys.key(part) === key)
  );
}

/** How the names of one statement are held against each other and against the catalog. */
export interface NameKeys {
  /** The name as the engine stores it: folded where it has no quotes. */
  stored(part: NamePart): string;
  /** Equal for parts that mean the same alias, CTE or column. */
  key(part: NamePart): string;
  /** The same of a name as it is stored. */
  keyOfStored(name: string): string;
  /** The attribute of that key. */
  attribute(relation: RelationId, key: string): AttributeId | undefined;
}

/** A name of a statement as the engine stores it: folded where it has no quotes. */
export function storedName({ lexer, identifiers }: Dialect, { text, quoted }: NamePart): string {
  const unquoted = lexer.nameFolding?.unquoted ?? identifiers.unquotedFolding;
  if (quoted || unquoted === 'none') return text;
  return unquoted === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

/** Names compare without case where the engine or the catalog says so. */
export function nameKeys(dialect: Dialect, index: SchemaIndex): NameKeys {
  const folding = dialect.lexer.nameFolding;
  const ofDialect = folding?.comparison ?? dialect.identifiers.comparison;
  const comparison: NameComparison =
    ofDialect === 'insensitive' || index.nameComparison === 'insensitive' ? 'insensitive' : 'sensitive';
  const byRelation = new Map<RelationId, ReadonlyMap<string, AttributeId>>();

  const stored = (part: NamePart): string => storedName(dialect, part);
  const keyOfStored = (name: string): string => foldName(name, comparison);
  return {
    stored,
    keyOfStored,
    key: (part) => keyOfStored(stored(part)),
    attribute(relation, key) {
      let names = byRelation.get(relation);
      if (names === undefined) {
        const made = new Map<string, AttributeId>();
        for (const { id, name } of index.attributesOf(relation)) {
          const folded = keyOfStored(name);
          if (!made.has(folded)) made.set(folded, id);
        }
        byRelation.set(relation, made);
        names = made;
      }
      return names.get(key);
    },
  };
}
