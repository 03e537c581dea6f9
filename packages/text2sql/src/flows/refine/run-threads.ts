import type { AskemaError, EndedItem } from '@askema/core';
import { readQuestion, recordCost } from '../../question/question-input.ts';
import { decideVote, enoughVotes, type VoteDecision } from '../../vote/decide-vote.ts';
import type { RefinePlan } from './state/refine-plan.ts';
import { createThreadState, type EndedThread, type RefineState, type RefineThreadState } from './state/refine-state.ts';
import { isRefusalOfAll, recordAnswer, voteCandidate, voteOptions } from './steps/answers-of-threads.ts';
import type { RefineDeps } from './tasks/refine-tasks.ts';
import { answerOf, bestAttemptOf } from './thread/thread-answer.ts';

type Ended = EndedItem<RefineThreadState, string>;

/** How threads are run: a part of `refine`, and of flows that end with it. */
export const RUN_THREADS = {
  actions: ['default', 'more'],
  enter: enterThreads,
  leave: leaveThreads,
  concurrency: (deps: RefineDeps) => deps.own.concurrency,
  onError: 'collect',
} as const;

/**
 * The states of the threads that begin now: the same P_init and format, a perspective of their own (section 3.2.5). All
 * at once; or, where the flow may end early, first only so many as can decide between themselves, and the others when
 * those did not.
 */
function enterThreads(state: Readonly<RefineState>): readonly RefineThreadState[] {
  const { plan, format, profile, threads } = state.flow;
  const asked = readQuestion(state);
  const begun = threads.length;
  return Array.from({ length: waveOf(plan, begun) }, (_, position) =>
    createThreadState({
      thread: begun + position,
      plan,
      asked,
      format,
      profile,
      perspective: plan.rules.perspectives ? perspectiveOf(begun + position) : '',
      canExpand: state.schemaIsPartial,
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
 * Writes what the threads found and spent to the state of the question. `more`: the decision is open, and there are
 * threads left.
 *
 * @throws AskemaError what broke threads off, where that leaves the question without an answer, or over budget. What
 * was tried stands in the state, over budget with the best so far; a run that is resumed takes up these threads.
 */
function leaveThreads(state: RefineState, ended: readonly Ended[]): 'default' | 'more' {
  const { flow } = state;
  flow.threads = [...flow.threads, ...ended.map(endedThread)];
  for (const { state: thread } of ended) {
    recordCost(state, thread);
    state.executions += thread.executions;
    state.solvedBy ??= thread.solvedBy;
  }
  const { plan, threads } = flow;
  // What broke one thread off without an answer of any (budget, provider, database) would break the next one off as
  // well.
  const isHopeless =
    ended.some(({ status }) => status === 'failed') && ended.every(({ status }) => status !== 'finished');
  const isOver = threads.length >= plan.limits.threads || isHopeless || ended.some(isOverBudget);
  if (!isOver && !isDecided(threads, plan)) return 'more';
  const error = breakOffError(ended, flow);
  if (error === undefined) return 'default';
  if (error.code === 'BUDGET_EXCEEDED') recordBestSoFar(state);
  else recordAnswer(state, null, null);
  flow.brokenOff = error.toJSON();
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

/**
 * The error that ends the run, because of what broke threads off: a budget, unless its threads could not have changed
 * the decision; anything else, where no thread has an answer or declined. Only errors of the threads that have `ended`
 * just now count: when the run is resumed, those threads go on.
 */
function breakOffError(
  ended: readonly EndedItem<RefineThreadState, string>[],
  { plan, threads }: { readonly plan: RefinePlan; readonly threads: readonly EndedThread[] },
): AskemaError | undefined {
  const errors = ended.flatMap((item) => (item.status === 'failed' ? [item.error] : []));
  const declined = threads.filter(({ state }) => state.ending?.type === 'declined').length;
  if (declined * 2 > threads.length) return undefined;
  const answered = threads.filter(({ state }) => answerOf(state) !== undefined);
  const overBudget = errors.find(({ code }) => code === 'BUDGET_EXCEEDED');
  if (overBudget !== undefined && !isSettled(answered, plan)) return overBudget;
  if (answered.length > 0 || declined > 0 || isRefusalOfAll(errors)) return undefined;
  return errors[0];
}

/** True when the threads that have no answer could not have changed the decision. */
function isSettled(answered: readonly EndedThread[], plan: RefinePlan): boolean {
  const candidates = answered.map((thread) => voteCandidate(thread));
  return candidates.length > 0 && enoughVotes(candidates, plan.limits.threads, voteOptions(plan));
}

/**
 * Writes the best so far to the state of the question, for the outcome of a run over budget: confirmed or not, but with
 * the votes of all.
 */
function recordBestSoFar(state: RefineState): void {
  const { plan, threads } = state.flow;
  const vote = (attemptOf: typeof answerOf): VoteDecision =>
    decideVote(
      threads.map((thread) => voteCandidate(thread, attemptOf(thread.state))),
      { ...voteOptions(plan), threads: threads.length },
    );
  const confirmed = vote(answerOf);
  const decision = confirmed.decision === 'none' ? vote(bestAttemptOf) : confirmed;
  const winner = decision.winner ?? decision.tied[0];
  recordAnswer(state, decision, winner === undefined ? null : Number(winner));
}

/**
 * Ways to go about a question, one a thread. Threads that differ by their samples alone repeat each other's mistakes
 * (section 3.2.5: "different views of the columns"); these put another doubt first each. The first thread has none.
 */
const PERSPECTIVES: readonly string[] = [
  '',
  'Before you write, work back from the answer: what does one row of it stand for, which relation holds each such thing exactly once, and which join could repeat or lose some of them?',
  'Before you write, go through the question word by word: which attribute or stored value does each word mean, could another attribute be meant as well, and which of the two fits better what is stored?',
  'Before you write, write down the steps by which a person would find the answer by hand, with the conditions of each step; then put them together.',
];

/** The perspective of a thread, from 0. */
function perspectiveOf(thread: number): string {
  return PERSPECTIVES[thread % PERSPECTIVES.length] ?? '';
}
