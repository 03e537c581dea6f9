import { addUsage, type EndedItem } from '@askema/core';
import { readAsked } from '../steps/sql-input.ts';
import type { Text2SqlState } from '../text2sql-state.ts';
import { enoughVotes } from '../vote/enough-votes.ts';
import { perspectiveOf } from './perspectives.ts';
import { createThreadState, type EndedThread, type RefineThreadState } from './refine-state.ts';
import { voteCandidate, voteOptions } from './vote-of-threads.ts';

type Ended = EndedItem<RefineThreadState, string>;

/** The first state of each thread: the same P_init and format, its own perspective (section 3.2.5). */
export function enterThreads(state: Readonly<Text2SqlState>): readonly RefineThreadState[] {
  const { plan, format, profile, schemaIsPartial } = state.refine;
  const asked = readAsked(state);
  return Array.from({ length: plan.limits.threads }, (_, thread) =>
    createThreadState({
      thread,
      plan,
      asked,
      format,
      profile,
      perspective: plan.rules.perspectives ? perspectiveOf(thread) : '',
      canExpand: schemaIsPartial,
    }),
  );
}

/** Writes what the threads found and spent to the state of the question. */
export function leaveThreads(state: Text2SqlState, ended: readonly Ended[]): void {
  state.refine.threads = ended.map(endedThread);
  for (const { state: thread } of ended) {
    state.usage = addUsage(state.usage, thread.usage);
    state.calls += thread.calls;
    state.executions += thread.executions;
    state.solvedBy ??= thread.solvedBy;
    state.warnings.push(...thread.warnings);
  }
}

/**
 * True when the threads that still run cannot change the decision any more: neither that of the vote, nor that most threads
 * decline.
 */
export function enoughThreads(ended: readonly Ended[], threads: number): boolean {
  const plan = ended[0]?.state.plan;
  if (plan === undefined || !plan.rules.earlyEnd) return false;
  const declined = ended.filter(({ state }) => state.ending?.type === 'declined').length;
  if (declined * 2 > threads) return true;
  const candidates = ended.map((item) => voteCandidate(endedThread(item)));
  return enoughVotes(candidates, threads, voteOptions(plan));
}

function endedThread(item: Ended): EndedThread {
  const { status, state } = item;
  return status === 'failed' ? { status, error: item.error.toJSON(), state } : { status, state };
}
