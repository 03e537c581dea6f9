import type { AttributeId, RelationId } from '@askema/core';
import type { TestValue } from '../model/test-plan.ts';

/** Holds rows and says no as a database does. */
export interface RowStore {
  /** Empties all relations. */
  reset(): Promise<void>;
  /**
   * Undefined: it is there. Else why it was refused, in one sentence with the constraint: a key, a reference, not null,
   * unique, a type.
   */
  insert(relation: RelationId, values: ReadonlyMap<AttributeId, TestValue>): Promise<string | undefined>;
  /** Changes the row with these key values. */
  update(
    relation: RelationId,
    key: ReadonlyMap<AttributeId, TestValue>,
    values: ReadonlyMap<AttributeId, TestValue>,
  ): Promise<string | undefined>;
}
