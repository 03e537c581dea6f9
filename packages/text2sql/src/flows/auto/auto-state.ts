import type { AnswerSignals, ConfidenceTable, Solver } from '@askema/core';
import type { FlowDeps, FlowState } from '../../question/flow-spec.ts';
import type { debugSqlTask } from '../plain/tasks/debug-sql.ts';
import type { generateSqlTask } from '../plain/tasks/generate-sql.ts';
import type { RefineSlice } from '../refine/state/refine-state.ts';
import type { RefineOwn, RefineTasks } from '../refine/tasks/refine-tasks.ts';
import type { Doubt } from './doubt.ts';
import type { reviseSqlTask } from './tasks/revise-sql.ts';

/** What a doubt may cost: plain data, recorded with the run. */
export interface AutoLimits {
  /** Calls in which a doubted statement is kept or corrected. */
  readonly revisions: number;
  /** Independent first statements: the second one where a doubt remains after the revisions. */
  readonly attempts: number;
  /** 1: where two attempts disagree and a doubt remains, the flow `refine` decides. */
  readonly refinements: number;
}

export interface AutoSlice extends RefineSlice {
  readonly limits: AutoLimits;
  /** Findings of this severity and above are doubts. */
  readonly doubtFrom: 'error' | 'warning';
  /** The solver that is asked first has answered. */
  isFirst: boolean;
  /** Of the answer that stands; null where they were not looked for yet. */
  doubts: readonly Doubt[] | null;
  /** Of the answer that stands. */
  signals: AnswerSignals | null;
  /** The answer that stands was kept in a revision. */
  isKept: boolean;
  revisions: number;
  attempts: number;
  /** Whether the second attempt gave the same. */
  agreed: boolean | null;
  refinements: number;
  /** The answer before `refine` began, which stands where that finds none. */
  before: { readonly sql: string; readonly explanation: string | null } | null;
}

export type AutoState = FlowState<AutoSlice>;

/** The prompts of the flow. */
export interface AutoTasks extends RefineTasks {
  readonly generateSql: typeof generateSqlTask;
  readonly debugSql: typeof debugSqlTask;
  readonly reviseSql: typeof reviseSqlTask;
}

export interface AutoOwn extends RefineOwn {
  readonly tasks: AutoTasks;
  /** Asked before the model. */
  readonly sure: Solver | undefined;
  /** What the signals of an answer are worth. */
  readonly confidence: ConfidenceTable | undefined;
}

export type AutoDeps = FlowDeps<AutoOwn>;
