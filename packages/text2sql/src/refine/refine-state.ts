import type { Candidate, QueryResult, SerializedError, Usage } from '@askema/core';
import type { AskedInput } from '../steps/sql-input.ts';

/** A column of the expected answer. */
export interface FormatColumn {
  readonly name: string;
  /** In the words of the model: `text`, `integer`, `decimal`, `date`, … */
  readonly type: string;
  /** What it holds, with unit and range: `percentage from 0 to 100`. */
  readonly meaning: string;
}

/** The expected answer format (ReFoRCE, section 3.2.2): made once, repeated in every later prompt. */
export interface AnswerFormat {
  readonly columns: readonly FormatColumn[];
  /** The number of rows where the question determines it: 1 for a superlative, n for `top n`. */
  readonly rows: number | null;
  /** What one record stands for, and which repetitions belong into the answer. */
  readonly record: string;
  /** How ambiguous terms are read, order, ties, rounding. */
  readonly notes: readonly string[];
}

/** What a thread found out about the database, as text for its later prompts. */
export interface ThreadKnowledge {
  /** Relevant columns and the results of probes, rendered and fenced. */
  readonly exploration: string;
  /** Profiles of columns and keys, rendered and fenced. */
  readonly profile: string;
}

/** Why a result is doubted before a model looks at it; the codes of core's `isImplausible` and of the format check. */
export type ResultDoubt = { readonly code: string; readonly message: string };

/** One statement that a thread executed. */
export interface RefineAttempt {
  readonly sql: string;
  readonly stage: 'refine' | 'cte';
  /** Undefined when it failed. */
  readonly result?: QueryResult | undefined;
  readonly error?: SerializedError | undefined;
  readonly doubts: readonly ResultDoubt[];
  /** What the model said of its result when it saw it. */
  readonly review?: { readonly isRight: boolean; readonly problems: readonly string[] } | undefined;
}

/** How a thread ended: `agreed` (the answer came often enough), `accepted` (first plausible one), `cte`, or without an answer. */
export type ThreadEnding =
  | { readonly type: 'answered'; readonly by: 'agreed' | 'accepted' | 'confirmed' | 'cte'; readonly attempt: number }
  | {
      readonly type: 'declined';
      readonly outcome: 'needs_clarification' | 'unanswerable';
      readonly explanation: string;
      readonly notUnderstood: readonly string[];
    }
  | { readonly type: 'exhausted'; readonly reason: 'iterations' | 'empty' | 'cte' }
  | { readonly type: 'failed'; readonly error: SerializedError };

/** The state of one thread: plain data. */
export interface RefineThreadState {
  /** From 0. */
  readonly thread: number;
  readonly asked: AskedInput;
  readonly format: AnswerFormat | null;
  knowledge: ThreadKnowledge;
  /** The statement to run next. */
  sql: string | null;
  explanation: string | null;
  attempts: RefineAttempt[];
  /** Of the CTE stage: what was looked at and what was rewritten, for the trace. */
  cteTrace: CteTraceEntry[];
  ending: ThreadEnding | null;
  candidates: Candidate[];
  usage: Usage;
  calls: number;
  executions: number;
  solvedBy: string | null;
  warnings: string[];
}

/** One CTE that was executed alone (section 3.2.4, CTE-based refinement). */
export interface CteTraceEntry {
  readonly round: number;
  readonly cte: string;
  readonly prefixSql: string;
  readonly rows: number | null;
  readonly error?: SerializedError | undefined;
  readonly verdict: 'ok' | 'rewritten' | 'unjudged';
  readonly problem?: string | undefined;
}
