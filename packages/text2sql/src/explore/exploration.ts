import type {
  AttributeId,
  Catalog,
  ErrorClass,
  ExplorationLimits,
  RelationId,
  Solver,
  StopReason,
  Task,
  Usage,
  ValueMatch,
} from '@askema/core';
import { type CorrectProbeInput, type CorrectProbeOutput, correctProbeTask } from '../tasks/correct-probe.ts';
import { type ExploreColumnsInput, type ExploreColumnsOutput, exploreColumnsTask } from '../tasks/explore-columns.ts';
import { type ReviseQueueInput, type ReviseQueueOutput, reviseQueueTask } from '../tasks/revise-queue.ts';

/** The prompts of an exploration, to be replaced one by one. */
export interface ExplorationTasks {
  readonly exploreColumns: Task<ExploreColumnsInput, ExploreColumnsOutput>;
  readonly correctProbe: Task<CorrectProbeInput, CorrectProbeOutput>;
  readonly reviseQueue: Task<ReviseQueueInput, ReviseQueueOutput>;
}

/** Those that come with the package. */
export const EXPLORATION_TASKS: ExplorationTasks = {
  exploreColumns: exploreColumnsTask,
  correctProbe: correctProbeTask,
  reviseQueue: reviseQueueTask,
};

/** What an exploration is about. */
export interface ExplorationInput {
  readonly question: string;
  readonly schemaText: string;
  readonly evidence?: string | null | undefined;
  readonly documents?: string | null | undefined;
  readonly values?: readonly ValueMatch[] | undefined;
  /** ISO 8601. Default: by the clock of the run. */
  readonly today?: string | undefined;
  readonly catalog: Catalog;
  /** Which of several explorations of one question this is, from 0: each looks from another side. */
  readonly thread: number;
  /** Default: those of the preset `askema`. */
  readonly limits?: ExplorationLimits | undefined;
  /** Who writes and corrects the probes; a solver of its own for each thread, so that equal requests are samples of their own. Default: `deps.solver`. */
  readonly solver?: Solver | undefined;
  /** Profiles that were taken before, by {@link profileForQuestion}; `false`: none. Default: they are taken now. */
  readonly profile?: ProfileTaken | false | undefined;
  readonly tasks?: Partial<ExplorationTasks> | undefined;
}

/** What exploring without a model found out. */
export interface ProfileTaken {
  /** Prompt text without a fence: data of the database. */
  readonly text: string;
  readonly attributes: readonly AttributeId[];
  /** Attributes of text that hold JSON. */
  readonly nested: readonly AttributeId[];
  readonly executions: number;
  readonly warnings: readonly string[];
}

/** A relation with the attributes that an answer may need. */
export interface RelevantRelation {
  /** As the dialect writes it. */
  readonly relation: string;
  readonly attributes: readonly string[];
  readonly relationId: RelationId;
  readonly attributeIds: readonly AttributeId[];
}

/** What one probe showed. */
export interface ExplorationFinding {
  readonly sql: string;
  readonly purpose: string;
  /** The result as prompts show it. */
  readonly view?: string | undefined;
  readonly error?: string | undefined;
  readonly errorClass?: ErrorClass | undefined;
  readonly correctedFrom?: string | undefined;
}

/** P_column and R_exploration (ReFoRCE, Eq. 3 and 4), with what they cost. Plain data. */
export interface Exploration {
  readonly thread: number;
  readonly relevant: readonly RelevantRelation[];
  readonly findings: readonly ExplorationFinding[];
  /** Prompt text without a fence; empty where none was taken. */
  readonly profile: string;
  /** Why the probes ended; undefined where there were none. */
  readonly stopped?: StopReason | undefined;
  readonly calls: number;
  readonly usage: Usage;
  readonly executions: number;
  readonly warnings: readonly string[];
}
