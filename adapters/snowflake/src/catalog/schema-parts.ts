import type { DraftAttribute, DraftForeignKey, RelationKind } from '@askema/core';

/** A schema, by its names as they are stored. */
export interface SchemaPlace {
  readonly database: string;
  readonly schema: string;
}

/** A table or a view without its columns and keys. */
export interface RelationPart {
  readonly name: string;
  readonly kind: RelationKind;
  readonly comment?: string | undefined;
  readonly rowCount?: number | undefined;
  readonly rowCountExact?: boolean | undefined;
  readonly byteCount?: number | undefined;
  readonly clusteringKey?: string | undefined;
  readonly definition?: string | undefined;
  /** Hybrid tables alone enforce their keys (sql-reference/constraints-overview). */
  readonly isHybrid: boolean;
}

/** Attributes by the name of their relation, in their order. */
export type ColumnsByRelation = ReadonlyMap<string, readonly DraftAttribute[]>;

export interface KeysByRelation {
  readonly primaryKeys: ReadonlyMap<string, readonly string[]>;
  readonly uniqueKeys: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly foreignKeys: ReadonlyMap<string, readonly DraftForeignKey[]>;
}
