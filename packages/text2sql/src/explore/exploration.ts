import {
  type AttributeId,
  type Catalog,
  type ErrorClass,
  fence,
  type RelationId,
  type Solver,
  type Task,
  type Usage,
  type ValueMatch,
} from '@askema/core';
import type { ExplorationLimits, StopReason } from '@askema/grounding';
import { cutText, onOneLine } from '../prompts/cut-text.ts';
import { type CorrectProbeInput, type CorrectProbeOutput, correctProbeTask } from './tasks/correct-probe.ts';
import { type ExploreColumnsInput, type ExploreColumnsOutput, exploreColumnsTask } from './tasks/explore-columns.ts';
import { type ReviseQueueInput, type ReviseQueueOutput, reviseQueueTask } from './tasks/revise-queue.ts';

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
  /** Columns that help to understand or check the answer are wanted: rules of the prompts say so. Default: no. */
  readonly extraColumns?: boolean | undefined;
  readonly catalog: Catalog;
  /** Which of several explorations of one question this is, from 0: each looks from another side. */
  readonly thread: number;
  /** Default: those of the preset `askema`. */
  readonly limits?: ExplorationLimits | undefined;
  /**
   * Who writes and corrects the probes; a solver of its own for each thread, so that equal requests are samples of
   * their own. Default: `deps.solver`.
   */
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
  /** Purposes of probes that were not run, because a limit ended the exploration before. */
  readonly notRun: readonly string[];
  /** Prompt text without a fence; empty where none was taken. */
  readonly profile: string;
  /** Why the probes ended; undefined where there were none. */
  readonly stopped?: StopReason | undefined;
  readonly calls: number;
  readonly usage: Usage;
  readonly executions: number;
  readonly warnings: readonly string[];
}

/**
 * Of statements, purposes and errors: models and databases write them as long as they like. Results were cut before.
 */
const MAX_SQL_CHARACTERS = 2_000;
const MAX_PURPOSE_CHARACTERS = 200;
const MAX_ERROR_CHARACTERS = 300;
const MAX_RELEVANT_CHARACTERS = 4_000;
const MAX_NOT_RUN = 12;

/**
 * What a model found out, as one fenced block for later prompts: relevant relations and attributes, then each statement
 * with its result or error, and what was not run. Empty when nothing was found. The profile is not in it: see
 * {@link profileSection}.
 */
export function explorationSection({
  relevant,
  findings,
  notRun,
}: Pick<Exploration, 'relevant' | 'findings' | 'notRun'>): string {
  const named = relevant.map(({ relation, attributes }) => `${relation} (${attributes.join(', ')})`).join('; ');
  const parts = [
    ...(named === '' ? [] : [cutText(`Relevant: ${onOneLine(named)}`, MAX_RELEVANT_CHARACTERS)]),
    ...findings.map(findingText),
    ...(notRun.length === 0 ? [] : [notRunText(notRun)]),
  ];
  return parts.length === 0 ? '' : fence('exploration', parts.join('\n\n'));
}

/** Profiles that were taken without a model, as one fenced block; empty when there are none. */
export function profileSection({ profile }: Pick<Exploration, 'profile'>): string {
  return profile.trim() === '' ? '' : fence('profile', profile);
}

function notRunText(purposes: readonly string[]): string {
  const shown = purposes
    .slice(0, MAX_NOT_RUN)
    .map((purpose) => `- ${cutText(onOneLine(purpose), MAX_PURPOSE_CHARACTERS)}`);
  const more = purposes.length - shown.length;
  const rest = more > 0 ? [`- and ${more} more`] : [];
  return ['Not looked up, because a limit ended the exploration before:', ...shown, ...rest].join('\n');
}

function findingText({ sql, purpose, view, error }: ExplorationFinding, position: number): string {
  const shown = view ?? `failed: ${cutText(onOneLine(error ?? 'It was not run.'), MAX_ERROR_CHARACTERS)}`;
  return `${position + 1}. ${cutText(onOneLine(purpose), MAX_PURPOSE_CHARACTERS)}\n${cutText(sql, MAX_SQL_CHARACTERS)}\n→ ${shown}`;
}
