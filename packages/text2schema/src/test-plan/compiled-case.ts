import type { DataType, Parameter } from '@askema/core';
import type { FoundLater, Statement } from './statement.ts';

/** One thing that is done for a case. */
export type Step =
  /** Left out where `unless` finds a row: a part of a decomposed set that is there already. */
  | { readonly kind: 'write'; readonly statement: Statement; readonly unless?: Statement | undefined }
  /** The key of a row that the plan names by another attribute; `otherwise` where there is none. */
  | {
      readonly kind: 'find';
      readonly statement: Statement;
      readonly slot: FoundLater;
      readonly otherwise: Parameter;
    }
  /** A relationship that is a foreign key has room for one: the row must be there, and its foreign key empty. */
  | {
      readonly kind: 'vacant';
      readonly statement: Statement;
      readonly wanted: readonly WantedCell[];
      readonly subject: string;
    }
  | { readonly kind: 'read'; readonly statement: Statement; readonly columns: readonly ReadColumn[] };

interface WantedCell {
  readonly name: string;
  readonly type: DataType;
  readonly value: Statement['parameters'][number];
}

/** A column of a query, under the name that the plan gives it. */
export interface ReadColumn {
  readonly name: string;
  readonly type: DataType;
}

/** A case or a given row as SQL. */
export interface CompiledCase {
  readonly steps: readonly Step[];
  /** How names and values were read where that goes beyond their spelling, and values that do not fit their type. */
  readonly notices: readonly string[];
}
