import type { SchemaRole } from './role-id.ts';
import type { TestValue } from './test-plan.ts';

/** Another row of the same test, by its label. */
export interface RowReference {
  readonly row: string;
}

export function isRowReference(value: StatedFact['value']): value is RowReference {
  return value !== null && typeof value === 'object';
}

/** One fact of a row, in the words of the requirement. */
export interface StatedFact {
  readonly fact: string;
  readonly value: TestValue | RowReference;
}

/** Something that is to be kept, in the words of the requirement: no design is known to who writes it. */
export interface StatedRow {
  /** Which kind of thing: `Loan`. */
  readonly thing: string;
  /** By which later rows of the test refer to it. A label that was there before means that row: it is changed. */
  readonly label: string;
  /** A fact that is not named is not known yet. */
  readonly facts: readonly StatedFact[];
}

/**
 * What a design must be able to hold (`fact`), what must be possible (`event`: the same again, a cancellation, a fact
 * that becomes known later), or what must be refused (`refusal`). The rows come one after another, and all are accepted;
 * of a refusal the last one must be refused.
 */
export interface RequirementTest {
  /** From 1, over all tests of a design. */
  readonly number: number;
  readonly kind: 'fact' | 'event' | 'refusal';
  /** One sentence. */
  readonly says: string;
  /** The QA engineer, who never sees a design, or the reviewer, who argues against one. */
  readonly by: SchemaRole;
  /** Sample rows of the QA engineer that the rows refer to or change; they come first. */
  readonly given?: readonly StatedRow[] | undefined;
  readonly rows: readonly StatedRow[];
  /** Made by code: its row is a sample, to which other tests refer. */
  readonly isSample?: boolean | undefined;
}

/** Where a thing (`fact` is null) or a fact of it stands in a design, where its name does not tell. */
export interface TestPlace {
  readonly thing: string;
  readonly fact: string | null;
  readonly relation: string;
  /** Null: for a thing, or a fact that the relation holds as a reference to another row. */
  readonly attribute: string | null;
}

/** A thing (`fact` is null) or a fact of it for which code finds no place. */
export interface TestGap {
  readonly thing: string;
  readonly fact: string | null;
  /** Why, with the nearest names. */
  readonly reason: string;
}

/** What became of a test. */
export interface RequirementTestResult {
  readonly number: number;
  /** `no place`: something of it stands nowhere in the design. */
  readonly status: 'passed' | 'failed' | 'no place';
  /** What stands nowhere. */
  readonly gaps: readonly TestGap[];
  /** What happened, with the row and the words of the database; empty where it passed. */
  readonly actual: string;
}

/** What a plan is worth: mistakes that were planted into the design, and which of them no test noticed. */
export interface MutationCheck {
  readonly planted: number;
  readonly noticed: number;
  /** One sentence each: what the wrong design would do. */
  readonly unnoticed: readonly string[];
}
