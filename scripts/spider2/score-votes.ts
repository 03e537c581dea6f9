import {
  decideVote,
  enoughVotes,
  questionConformity,
  type VoteCandidate,
  type VoteDecision,
  type VoteOptions,
} from '@askema/text2sql';
import { fitLogistic } from './fit-logistic.ts';
import type { RecordedTask } from './read-votes.ts';

/** Threads of every recorded question. */
export const THREADS = 8;

/** A task with what the vote made of it. Made without any score. */
export interface DecidedTask {
  readonly task: RecordedTask;
  readonly candidates: readonly VoteCandidate[];
  readonly decision: VoteDecision;
}

/** All slots of a task in their order; one without a recorded answer is a thread that ended without a result. */
export function candidatesOf(task: RecordedTask): readonly VoteCandidate[] {
  return Array.from({ length: THREADS }, (_, slot) => {
    const vote = task.votes.find((one) => one.slot === slot);
    if (vote === undefined) return { id: `none/${slot}`, sql: '', result: undefined };
    const { id, sql, result } = vote;
    return { id, sql, result, conformity: questionConformity(task.question, sql, result) };
  });
}

/** Decides every task under some rules. */
export function decideAll(tasks: readonly RecordedTask[], options: VoteOptions): readonly DecidedTask[] {
  return tasks.map((task) => {
    const candidates = candidatesOf(task);
    return { task, candidates, decision: decideVote(candidates, { ...options, threads: THREADS }) };
  });
}

/** The share of a task that its decision earns: 1 or 0 when decided, the share of right ones among tied answers. */
export function earned({ decision }: DecidedTask, scores: ReadonlyMap<string, boolean>): number {
  const ids = decision.winner === undefined ? decision.tied : [decision.winner];
  return ids.length === 0 ? 0 : ids.filter((id) => scores.get(id) === true).length / ids.length;
}

/** True when some recorded answer of the task is right. */
export function hasRight({ task }: DecidedTask, scores: ReadonlyMap<string, boolean>): boolean {
  return task.votes.some(({ id }) => scores.get(id) === true);
}

/** Early ending, with the slots in their order as the order of arrival. */
export interface EarlyEnd {
  readonly calls: number;
  readonly used: number;
  /** Tasks whose winner would have been another one. */
  readonly changed: number;
}

/** How many threads a vote needs until nothing can change its winner. */
export function endEarly(decided: readonly DecidedTask[], options: VoteOptions): EarlyEnd {
  let used = 0;
  let changed = 0;
  for (const { candidates, decision } of decided) {
    let count = 1;
    while (count < THREADS && !enoughVotes(candidates.slice(0, count), THREADS, options)) count += 1;
    used += count;
    const early = decideVote(candidates.slice(0, count), { ...options, threads: THREADS });
    if (early.winner !== decision.winner) changed += 1;
  }
  return { calls: decided.length * THREADS, used, changed };
}

/** A decided task beside its score. */
export interface Ranked {
  readonly isRight: boolean;
  /** The published confidence. */
  readonly confidence: number;
  /** What a logistic fit on all other tasks says of it. */
  readonly fitted: number;
}

/** Every task with its confidence, and with one that was fitted on all tasks but itself. Ties count as wrong. */
export function rankTasks(decided: readonly DecidedTask[], scores: ReadonlyMap<string, boolean>): readonly Ranked[] {
  const observations = decided.map((one) => ({ features: featuresOf(one), isRight: earned(one, scores) === 1 }));
  return decided.map(({ decision }, at) => {
    const others = observations.filter((_, other) => other !== at);
    const own = observations[at];
    return {
      isRight: own?.isRight ?? false,
      confidence: decision.confidence,
      fitted: fitLogistic(others)(own?.features ?? []),
    };
  });
}

function featuresOf({ decision, candidates, task }: DecidedTask): readonly number[] {
  const [best, second] = decision.clusters;
  const rows = candidates.find(({ id }) => id === decision.winner)?.result?.rows.length ?? 0;
  return [
    (best?.votes ?? 0) / THREADS,
    (second?.votes ?? 0) / THREADS,
    decision.clusters.length / THREADS,
    candidates.filter(({ result }) => result === undefined).length / THREADS,
    Math.min(1, Math.log10(1 + rows) / 3),
    Math.min(1, task.question.length / 800),
  ];
}

/**
 * What the tasks called sure are worth when each threshold comes from all other tasks, so that this share of them is
 * sure.
 */
export function sureWithoutOwn(
  ranked: readonly Ranked[],
  by: 'confidence' | 'fitted',
  coverage: number,
): { readonly sure: number; readonly right: number } {
  const sure = ranked.filter((one, at) => {
    const others = ranked.filter((_, other) => other !== at).map((other) => other[by]);
    const threshold = others.toSorted((a, b) => b - a)[Math.max(0, Math.round(others.length * coverage) - 1)] ?? 1;
    return one[by] >= threshold;
  });
  return { sure: sure.length, right: sure.filter(({ isRight }) => isRight).length };
}
