import type { DataType } from '@askema/core';

/** A schema as baselines write it and as people read it: names in place of ids. Plain JSON. */
export interface NamedSchema {
  readonly relations: readonly NamedRelation[];
}

/** A relation of a {@link NamedSchema}. Keys name attributes; the two sides of a foreign key have the same order. */
export interface NamedRelation {
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly type: DataType }[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly {
    readonly attributes: readonly string[];
    readonly target: string;
    readonly targetAttributes: readonly string[];
  }[];
}
