import type { SchemaRole } from './role-id.ts';

/** A cell of a test case. Dates and times are ISO 8601 texts. */
export type TestValue = string | number | boolean | null;

/** A value under the name of what it is a value of. */
export interface TestCell {
  /** In the words of the report; code finds the attribute of the schema. */
  readonly attribute: string;
  readonly value: TestValue;
}

/** Rows that must be there before a set of cases runs. */
export interface TestRow {
  /** A subject or a relationship, in the words of the report; code finds the relation. */
  readonly target: string;
  readonly values: readonly TestCell[];
}

/** Which constraint must refuse an operation. */
export type RefusingConstraint = 'entity integrity' | 'referential integrity' | 'not null' | 'unique';

/** What must happen. */
export type TestExpectation =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'rejected'; readonly by: RefusingConstraint }
  /** For queries: the rows, in any order; only the attributes named in them are compared. */
  | { readonly outcome: 'rows'; readonly rows: readonly (readonly TestCell[])[] };

/** What a case does with the rows of its target. */
export type TestOperation = 'insert' | 'delete' | 'update' | 'query';

/** One statement and what must come of it. */
export interface TestCase {
  readonly operation: TestOperation;
  /** What it is about, one sentence. */
  readonly purpose: string;
  readonly target: string;
  /** Insert and update: what is written. Query: the attributes asked for, with null values. */
  readonly values: readonly TestCell[];
  /** Update, delete and query: the rows meant. Empty: all. */
  readonly where: readonly TestCell[];
  readonly expected: TestExpectation;
}

/** Cases that run one after another on the same rows. Each set begins with an empty database. */
export interface TestSet {
  readonly title: string;
  readonly given: readonly TestRow[];
  readonly cases: readonly TestCase[];
}

/**
 * What the QA engineer writes from the report: 10 sets, each with insert, delete, update and query (SchemaAgent,
 * section 4.1).
 */
export interface TestPlan {
  readonly sets: readonly TestSet[];
}

/** What became of one case, or of one row that had to be there before. */
export interface CaseResult {
  /** From 1. */
  readonly set: number;
  /** From 1; 0 for the given rows of the set. */
  readonly case: number;
  readonly operation: TestOperation;
  readonly purpose: string;
  /**
   * `not compiled`: code found no relation, attribute or way to write it; never counted as passed. `not run`: an
   * earlier step of its set failed.
   */
  readonly status: 'passed' | 'failed' | 'not compiled' | 'not run';
  /** The statements, in order. */
  readonly sql: readonly string[];
  readonly expected: string;
  /** What happened, with the words of the database. */
  readonly actual: string;
  /** Who is likely to be able to mend it; undefined where it passed. */
  readonly role?: SchemaRole | undefined;
}

/** The real outcomes that the test executor judges. Plain JSON. */
export interface TestRun {
  /** The name of the scratch database's dialect. */
  readonly dialect: string;
  readonly results: readonly CaseResult[];
  readonly counts: {
    readonly passed: number;
    readonly failed: number;
    readonly notCompiled: number;
    readonly notRun: number;
  };
  readonly elapsedMs: number;
}

/** An error that the test executor reports. */
export interface TestVerdictError {
  readonly role: SchemaRole;
  readonly problem: string;
  readonly remedy: string;
}

/** The judgement of the test executor, with the run before it. */
export interface TestReport {
  readonly accepted: boolean;
  readonly errors: readonly TestVerdictError[];
  /** The full report, in the language of the requirement. */
  readonly text: string;
  /** Undefined where no scratch database was passed. */
  readonly run?: TestRun | undefined;
}
