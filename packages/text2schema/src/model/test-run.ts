import type { SchemaRole } from './role-id.ts';
import type { TestOperation } from './test-plan.ts';

/** What became of one case, or of one row that had to be there before. */
export interface CaseResult {
  /** From 1. */
  readonly set: number;
  /** From 1; 0 for the given rows of the set. */
  readonly case: number;
  readonly operation: TestOperation;
  readonly purpose: string;
  /** `not compiled`: code found no relation, attribute or way to write it; never counted as passed. `not run`: an earlier step of its set failed. */
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
