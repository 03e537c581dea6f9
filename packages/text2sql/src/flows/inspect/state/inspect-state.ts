import type { InspectionFinding, Severity } from '@askema/core';
import type { InspectionLimits, InspectionPlan } from '../../../inspection/inspection-options.ts';
import type { FlowState } from '../../../question/flow-spec.ts';
import type { ClauseAction } from '../clauses/clause-action.ts';

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

/** What the flow keeps: plain data. */
export interface InspectSlice {
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

export type InspectFlowState = FlowState<InspectSlice>;

/** What the flow starts with. */
export function createInspectSlice(plan: InspectPlan): InspectSlice {
  return { plan, sequence: null, decisions: [], keeps: [], tries: [], base: 0, iterations: 0, chosen: null };
}

/** What asks a model in the inspect flow; each may have a model of its own. */
export type InspectStage = 'generate' | 'revise' | 'connect';

/** Every limit of the flow. */
export interface InspectLimits extends InspectionLimits {
  /** Revisions of a sequence; 0 inspects once and changes nothing. */
  readonly maxInspections: number;
  /** Sub-questions of sub-questions: 1 allows those of the question alone, 0 none. */
  readonly maxDepth: number;
  /** Sub-questions of one sequence that are answered. */
  readonly maxSubQuestions: number;
  /** Turns of a model that calls tools, until its sequence is whole. */
  readonly maxTurns: number;
  /** Findings in one prompt; the most severe come first. */
  readonly maxFindingsShown: number;
}

/** What else can be chosen. */
export interface InspectChoices {
  /**
   * How the model gives its actions: as native tool calls, as structured output, or (`auto`) as tool calls where the
   * model has tools.
   */
  readonly actions: 'auto' | 'tools' | 'structured';
  /** Findings of at least this severity are sent back to the model; the others are shown beside them. */
  readonly reviseFrom: Severity;
  /**
   * Leaves the columns of conditions whose value was not found out of the schema of the next try (section 2.2.1). Keys
   * stay.
   */
  readonly hideTriedColumns: boolean;
}

/** The options with their defaults: plain data, which stands in the slice of a run, so that a resumed run keeps it. */
export interface InspectPlan extends InspectChoices, InspectionPlan {
  readonly limits: InspectLimits;
}
