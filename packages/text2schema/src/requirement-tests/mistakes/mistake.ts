import type { Schema, SchemaIndex } from '@askema/core';

/** One place of a schema where a mistake can be made. */
export interface MistakePlace {
  /** One sentence: what the wrong design would do. */
  readonly says: string;
  readonly plant: () => Schema;
}

/** All places of a schema where a mistake can be made, in the order of the schema; not each may give a valid schema. */
export type Mistake = (index: SchemaIndex) => readonly MistakePlace[];
