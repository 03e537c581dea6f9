import type { AskemaError, EndedItem } from '@askema/core';
import type { Text2SqlState } from '../text2sql-state.ts';
import { decideVote, type VoteDecision } from '../vote/decide-vote.ts';
import { enoughVotes } from '../vote/enough-votes.ts';
import type { RefinePlan } from './refine-options.ts';
import type { EndedThread, RefineThreadState } from './refine-state.ts';
import { recordAnswer } from './steps/record-answer.ts';
import { answerOf, bestAttemptOf } from './thread-answer.ts';
import { voteCandidate, voteOptions } from './vote-of-threads.ts';

/** True for what the database or the model will not do, however often it is asked: an answer of a kind, which a run ends well with. */
export function isRefusalOfAll(errors: readonly { readonly code: AskemaError['code'] }[]): boolean {
  return errors.length > 0 && errors.every(({ code }) => REFUSED.has(code));
}

const REFUSED: ReadonlySet<string> = new Set(['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED', 'MODEL_CONTENT_FILTERED']);

/**
 * The error that ends the run, because of what broke threads off: a budget, unless its threads could not have changed the decision; anything else, where no
 * thread has an answer or declined. Only errors of the threads that have `ended` just now count: when the run is resumed, those threads go on.
 */
export function breakOffError(
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

/** Writes the best so far to the state of the question, for the outcome of a run over budget: confirmed or not, but with the votes of all. */
export function recordBestSoFar(state: Text2SqlState): void {
  const { plan, threads } = state.refine;
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
