import type { ClauseAction, InspectionFinding } from '@askema/core';
import type { InspectPlan } from './inspect-options.ts';

/** A sequence of clause actions with the answers of its sub-questions. */
export interface ActionSequence {
  readonly actions: readonly ClauseAction[];
  /** By the id of the sub-question. */
  readonly answers: Readonly<Record<string, SubAnswer>>;
  /** What the model gave that could not be read, with the position among its actions. */
  readonly unread: readonly SequenceProblem[];
}

/** The answer of a sub-question: a sequence of its own. */
export interface SubAnswer extends ActionSequence {
  readonly question: string;
  /** Empty where there is none. */
  readonly sql: string;
  /** Why there is none. */
  readonly problem?: string | undefined;
}

/** Something that is wrong with an action before there is a statement. */
export interface SequenceProblem {
  /** Index of the action, where it is one. */
  readonly action?: number | undefined;
  readonly message: string;
  /** Names that exist and are near. */
  readonly nearest?: readonly string[] | undefined;
}

/** What a model says to a finding. */
export type FindingDecision = {
  /** Index into the findings that it was shown. */
  readonly finding: number;
  readonly decision: 'use_cell' | 'change_column' | 'change' | 'drop' | 'keep';
  readonly reason: string;
};

/** One sequence that was inspected. */
export interface InspectTry extends ActionSequence {
  readonly sql: string;
  /** Those that a model answered with `keep` in an earlier round stand in `kept` as well. */
  readonly findings: readonly InspectionFinding[];
  /** Indexes into `findings` that were answered with `keep`. */
  readonly kept: readonly number[];
  /** What the model said to the findings of the try before. */
  readonly decisions: readonly FindingDecision[];
  /** How the question was read. */
  readonly explanation: string | null;
  /** True when the database refused it. */
  readonly failed?: boolean | undefined;
}

/** What the inspect flow adds to the state of a question: plain data. */
export interface InspectRunState {
  /** Input. */
  readonly plan: InspectPlan;
  /** To be inspected next. */
  sequence: ActionSequence | null;
  /** What the model said to the findings of the last try. */
  decisions: readonly FindingDecision[];
  /** Findings that a model answered with `keep`, by what they are about. */
  keeps: readonly string[];
  tries: readonly InspectTry[];
  /** Index of the try that is revised next. */
  base: number;
  /** Revisions so far. */
  iterations: number;
  /** Index of the try whose statement stands. */
  chosen: number | null;
}

/** What the inspect flow starts with. */
export function createInspectState(plan: InspectPlan): InspectRunState {
  return { plan, sequence: null, decisions: [], keeps: [], tries: [], base: 0, iterations: 0, chosen: null };
}
