import type { Span } from '../text/span.ts';

/** One common table expression; all spans slice the source. */
export interface Cte {
  /** As the engine sees it: without quotes, folded where it has none. */
  readonly name: string;
  /** As it is written. */
  readonly rawName: string;
  readonly columns?: readonly string[] | undefined;
  /** What `[NOT] MATERIALIZED` says, if it stands there. */
  readonly materialized?: boolean | undefined;
  /** What stands between the brackets. */
  readonly body: string;
  readonly bodySpan: Span;
  /** From the name to the closing bracket, or to the end of SEARCH and CYCLE. */
  readonly span: Span;
  /** Names of the CTEs of the same WITH that the body reads, in their order; under RECURSIVE its own may be one. */
  readonly dependsOn: readonly string[];
  /** The WITH that the body begins with. */
  readonly nested?: CteSplit | undefined;
}

/** A statement taken apart at its WITH. */
export interface CteSplit {
  /** Statements in front (DECLARE, SET, CREATE TEMP FUNCTION …), without their semicolons. */
  readonly prelude: readonly Span[];
  /** The whole statement; for a nested one what its WITH covers. */
  readonly statement: Span;
  readonly recursive: boolean;
  /** From WITH to the end of the last CTE; undefined when there is none. */
  readonly withSpan?: Span | undefined;
  /** In the order of the text; empty when the statement has no WITH of its own. */
  readonly ctes: readonly Cte[];
  /** What follows the CTEs; the whole statement when there are none. */
  readonly final: Span;
  /** The WITHs inside of sub-queries, of the bodies and of the rest. */
  readonly subqueries: readonly CteSplit[];
  /** False when a body is never closed: it then runs to the end. */
  readonly complete: boolean;
}

/**
 * Takes a statement apart at its WITH. The default slices the text with the dialect's lexer (`splitCtes`); it never
 * throws.
 */
export interface CteParser {
  split(sql: string): CteSplit;
}
