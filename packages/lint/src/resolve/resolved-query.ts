import type { AttributeId, Catalog, DataType, Dialect, RelationId, SchemaIndex } from '@askema/core';
import type { QueryBlock, QueryShape, RelationRef } from '@askema/sql';

/** A statement whose names were looked up in a catalog: what rules read. `resolveQuery` makes it. */
export interface ResolvedQuery {
  readonly sql: string;
  readonly shape: QueryShape;
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly dialect: Dialect;
  /** What the statement is to answer, where that is known. */
  readonly question?: string | undefined;
  /** Definitions beside the question. */
  readonly evidence?: string | undefined;
  /** By the id of the block. */
  readonly blocks: readonly ResolvedBlock[];
}

export interface ResolvedBlock {
  readonly block: QueryBlock;
  /** In the order of `block.relations`. */
  readonly relations: readonly ResolvedRelation[];
  /** In the order of `block.columns`. */
  readonly columns: readonly ResolvedColumn[];
  /** The columns of its result, stars expanded; undefined where they cannot be told. */
  readonly outputs: readonly OutputColumn[] | undefined;
}

export type ResolvedRelation =
  /** A relation of the catalog. */
  | { readonly kind: 'relation'; readonly id: RelationId; readonly exposedAs: string }
  /** A CTE or derived table: the rows of another block. */
  | { readonly kind: 'block'; readonly block: number; readonly exposedAs: string }
  /** Not in the catalog, which is whole. */
  | { readonly kind: 'unknown'; readonly exposedAs: string; readonly nearest: readonly string[] }
  /** Table functions, UNNEST, system relations, or a catalog that is incomplete: nothing can be said. */
  | { readonly kind: 'opaque'; readonly exposedAs: string };

/** One column of a block's result. */
export interface OutputColumn {
  /** As the block gives it; undefined where the engine makes one up. */
  readonly name: string | undefined;
  /** Index into the block's `items`; several outputs share the item of a star. */
  readonly item: number | undefined;
  /** Where it is nothing but an attribute, passed through any number of blocks. */
  readonly attribute: AttributeId | undefined;
  /** The relation of that attribute in this very block; undefined for expressions. */
  readonly relation: RelationRef | undefined;
  readonly type: DataType | undefined;
}

export type ResolvedColumn =
  /** An attribute of a relation of this block or, in a correlated sub-query, of one around it. */
  | { readonly kind: 'attribute'; readonly attribute: AttributeId; readonly relation: RelationRef }
  /** A column of a CTE or derived table. */
  | { readonly kind: 'output'; readonly output: OutputColumn; readonly relation: RelationRef }
  /** An alias of the select list of the same block. */
  | { readonly kind: 'alias'; readonly item: number }
  /**
   * No relation in sight has it. `elsewhere` lists attributes of that name in other relations, `nearest` near names in
   * sight. `relation` is the one that its qualifier names.
   */
  | {
      readonly kind: 'unknown';
      readonly relation: RelationRef | undefined;
      readonly elsewhere: readonly AttributeId[];
      readonly nearest: readonly string[];
    }
  /** Several relations of the same block have it, and no qualifier says which. */
  | { readonly kind: 'ambiguous'; readonly among: readonly RelationRef[] }
  /** Nothing can be said: fields of nested columns, pseudo columns, columns of opaque relations. */
  | { readonly kind: 'opaque' };
