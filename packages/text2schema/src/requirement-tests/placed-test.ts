import type { AttributeId, RelationId } from '@askema/core';
import type { RequirementTest, StatedRow, TestGap, TestPlace } from '../model/requirement-test.ts';
import type { TestValue } from '../model/test-plan.ts';

/** What is done with the rows of a store for one row of a test. */
export type PlacedStep =
  | {
      readonly kind: 'insert';
      readonly relation: RelationId;
      readonly values: ReadonlyMap<AttributeId, TestValue>;
      /** Nothing of it is stated: the design asks for this row, the test does not. */
      readonly isMade: boolean;
    }
  | {
      readonly kind: 'update';
      readonly relation: RelationId;
      readonly key: ReadonlyMap<AttributeId, TestValue>;
      readonly values: ReadonlyMap<AttributeId, TestValue>;
      readonly isMade: boolean;
    }
  /** The form of the design has no room for it: nothing is written. */
  | { readonly kind: 'no room'; readonly reason: string };

/** A row of a test as steps on relations, one after another. */
export interface PlacedRow {
  readonly row: StatedRow;
  readonly steps: readonly PlacedStep[];
  /** Values that their attributes cannot hold by type, in words. */
  readonly misfits: readonly string[];
}

/** A test as steps on the relations of a design. */
export interface PlacedTest {
  readonly test: RequirementTest;
  /** What of it stands nowhere; then it has no rows and cannot run. */
  readonly gaps: readonly TestGap[];
  readonly rows: readonly PlacedRow[];
}

/** The tests of a requirement on one design. */
export interface PlacedTests {
  readonly tests: readonly PlacedTest[];
  /** What stands nowhere, each once. */
  readonly gaps: readonly TestGap[];
  /** Where everything else stands. */
  readonly places: readonly TestPlace[];
}
