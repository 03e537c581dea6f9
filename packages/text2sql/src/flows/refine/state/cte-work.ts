import type { SerializedError } from '@askema/core';

/** Statements that a model may name to look further before it judges a step, and how often it may. */
export const PROBES_PER_LOOK = 3;
export const LOOKS_PER_STEP = 2;

/** Where the CTE stage of a thread stands: plain data in the state of the thread. */
export interface CteWork {
  /** The statement as it stands. */
  readonly sql: string;
  /** What each CTE is for, in the words of the model. */
  readonly purposes: readonly CtePurpose[];
  /** The step to look at or to judge next: CTEs in their order, then the SELECT behind them. */
  readonly position: number;
  /** How often the statement was changed. */
  readonly round: number;
  /** Model calls of the stage. */
  readonly calls: number;
  /** True when the model was asked again because its statement had no CTE. */
  readonly wasRestructured: boolean;
  /** Rewrites of each step, by position. */
  readonly rewrites: readonly number[];
  /** Every form of the statement so far: one that comes again ends the stage. */
  readonly seen: readonly string[];
  /** What the steps gave, by position, up to the one that is judged. */
  readonly looked: readonly LookedStep[];
  /** Positions of steps that the model could not decide on. */
  readonly undecided: readonly number[];
  /** What was looked up for the step that is judged. */
  readonly probes: readonly CteProbe[];
  /** Statements to run before the step is judged again, and how often there were such. */
  readonly wantedProbes: readonly string[];
  readonly looks: number;
  /** What was wrong with earlier texts of the steps, by position. */
  readonly notes: readonly CteNote[];
  /** Why the step at `position` has to be written anew, when that is known without its new text. */
  readonly fault: CteFault | null;
}

export interface CtePurpose {
  readonly name: string;
  readonly purpose: string;
}

/** What a step gave, as prompts show it: no rows, only text. */
export interface LookedStep {
  readonly name: string;
  /** `1,200 rows, 300 distinct`, then a line for each column. */
  readonly figures: string;
  readonly view: string;
}

export interface CteProbe {
  readonly sql: string;
  readonly view?: string | undefined;
  readonly error?: string | undefined;
}

export interface CteNote {
  readonly position: number;
  readonly text: string;
  readonly problem: string;
}

/** An error of the database, or what the model found wrong. */
export type CteFault =
  | { readonly type: 'error'; readonly error: SerializedError }
  | { readonly type: 'problem'; readonly problem: string };

/** The work on a statement that was just written. */
export function createCteWork(start: Pick<CteWork, 'sql' | 'purposes' | 'calls' | 'wasRestructured'>): CteWork {
  return {
    ...start,
    position: 0,
    round: 0,
    rewrites: [],
    seen: [start.sql],
    looked: [],
    undecided: [],
    probes: [],
    wantedProbes: [],
    looks: 0,
    notes: [],
    fault: null,
  };
}

/** The step behind the one that was judged. */
export function nextStep(work: CteWork, isDecided: boolean): CteWork {
  const { position } = work;
  const undecided = isDecided ? work.undecided : [...work.undecided, position];
  return { ...work, undecided, position: position + 1, probes: [], wantedProbes: [], looks: 0, fault: null };
}

/** The statement with a new text at a step, to be looked at from there on. */
export function changedWork(work: CteWork, position: number, sql: string, note: Omit<CteNote, 'position'>): CteWork {
  return {
    ...work,
    sql,
    position,
    round: work.round + 1,
    rewrites: countRewrite(work, position),
    seen: [...work.seen, sql],
    looked: work.looked.slice(0, position),
    undecided: work.undecided.filter((other) => other < position),
    probes: [],
    wantedProbes: [],
    looks: 0,
    notes: [...work.notes, { position, ...note }],
    fault: null,
  };
}

/** One more rewrite of a step, also when it came to nothing. */
export function countRewrite({ rewrites }: Pick<CteWork, 'rewrites'>, position: number): readonly number[] {
  const length = Math.max(rewrites.length, position + 1);
  return Array.from({ length }, (_, at) => (rewrites[at] ?? 0) + (at === position ? 1 : 0));
}
