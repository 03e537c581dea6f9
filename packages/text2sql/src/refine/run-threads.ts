import type { EndedItem } from '@askema/core';
import { readAsked, recordCost } from '../steps/sql-input.ts';
import type { Text2SqlState } from '../text2sql-state.ts';
import { enoughVotes } from '../vote/enough-votes.ts';
import { breakOffError, recordBestSoFar } from './break-off.ts';
import { perspectiveOf } from './perspectives.ts';
import type { RefinePlan } from './refine-options.ts';
import { createThreadState, type EndedThread, type RefineThreadState } from './refine-state.ts';
import { recordAnswer } from './steps/record-answer.ts';
import { voteCandidate, voteOptions } from './vote-of-threads.ts';

type Ended = EndedItem<RefineThreadState, string>;

/**
 * The states of the threads that begin now: the same P_init and format, a perspective of their own (section 3.2.5). All at once; or, where the flow may end
 * early, first only so many as can decide between themselves, and the others when those did not.
 */
export function enterThreads(state: Readonly<Text2SqlState>): readonly RefineThreadState[] {
  const { plan, format, profile, schemaIsPartial, threads } = state.refine;
  const asked = readAsked(state);
  const begun = threads.length;
  return Array.from({ length: waveOf(plan, begun) }, (_, position) =>
    createThreadState({
      thread: begun + position,
      plan,
      asked,
      format,
      profile,
      perspective: plan.rules.perspectives ? perspectiveOf(begun + position) : '',
      canExpand: schemaIsPartial,
    }),
  );
}

/** How many threads begin after so many. */
function waveOf({ limits, rules }: RefinePlan, begun: number): number {
  const left = limits.threads - begun;
  if (!rules.earlyEnd) return left;
  return Math.min(left, begun === 0 ? majorityOf(limits.threads) : limits.concurrency);
}

function majorityOf(threads: number): number {
  return Math.floor(threads / 2) + 1;
}

/**
 * Writes what the threads found and spent to the state of the question. `more`: the decision is open, and there are threads left.
 *
 * @throws AskemaError what broke threads off, where that leaves the question without an answer, or over budget. What was tried stands in the state,
 * over budget with the best so far; a run that is resumed takes up these threads.
 */
export function leaveThreads(state: Text2SqlState, ended: readonly Ended[]): 'default' | 'more' {
  const { refine } = state;
  refine.threads = [...refine.threads, ...ended.map(endedThread)];
  for (const { state: thread } of ended) {
    recordCost(state, thread);
    state.executions += thread.executions;
    state.solvedBy ??= thread.solvedBy;
  }
  const { plan, threads } = refine;
  // What broke one thread off without an answer of any (budget, provider, database) would break the next one off as well.
  const isHopeless =
    ended.some(({ status }) => status === 'failed') && ended.every(({ status }) => status !== 'finished');
  const isOver = threads.length >= plan.limits.threads || isHopeless || ended.some(isOverBudget);
  if (!isOver && !isDecided(threads, plan)) return 'more';
  const error = breakOffError(ended, refine);
  if (error === undefined) return 'default';
  if (error.code === 'BUDGET_EXCEEDED') recordBestSoFar(state);
  else recordAnswer(state, null, null);
  refine.brokenOff = error.toJSON();
  throw error;
}

function isOverBudget(item: Ended): boolean {
  return item.status === 'failed' && item.error.code === 'BUDGET_EXCEEDED';
}

/** Neither the vote nor a majority that declines can be changed by threads that are not over. */
function isDecided(threads: readonly EndedThread[], plan: RefinePlan): boolean {
  const { limits } = plan;
  const declined = threads.filter(({ state }) => state.ending?.type === 'declined').length;
  if (declined * 2 > limits.threads) return true;
  return enoughVotes(
    threads.map((thread) => voteCandidate(thread)),
    limits.threads,
    voteOptions(plan),
  );
}

function endedThread(item: Ended): EndedThread {
  const { status, state } = item;
  return status === 'failed' ? { status, error: item.error.toJSON(), state } : { status, state };
}
