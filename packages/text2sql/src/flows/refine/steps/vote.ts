import { AskemaError, defineStep } from '@askema/core';
import type { Verdict } from '../../../question/question-state.ts';
import { acceptReadings, UNCLEAR } from '../../../steps/accept-output.ts';
import { decideVote } from '../../../vote/decide-vote.ts';
import type { EndedThread, RefineState } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { answerOf, endingText } from '../thread/thread-answer.ts';
import { isRefusalOfAll, recordAnswer, voteCandidate, voteOptions } from './answers-of-threads.ts';

/**
 * Decides between the answers of the threads without a model (section 3.2.5), and writes the verdict. `tie`: the vote
 * settles nothing, and a model is to choose; until then the first of the tied answers stands, unsure. When most threads
 * declined, so does the question; when none has an answer, there is none: a limit that is reached is no reason to
 * guess.
 */
export const vote = defineStep<RefineState, RefineDeps>()({
  name: 'vote',
  actions: ['default', 'tie'],
  exec: () => null,
  post: (state) => {
    const threads = state.flow.threads.filter(({ status }) => status !== 'stopped');
    const declined = threads.filter(({ state: thread }) => thread.ending?.type === 'declined');
    const answered = threads.filter(({ state: thread }) => answerOf(thread) !== undefined);
    if (declined.length * 2 > threads.length) return decline(state, declined);
    if (answered.length > 0) return decide(state, threads);
    return declined.length > 0 ? decline(state, declined) : giveUp(state, threads);
  },
});

function decide(state: RefineState, threads: readonly EndedThread[]): 'default' | 'tie' {
  const { plan } = state.flow;
  const candidates = threads.map((thread) => voteCandidate(thread));
  const decision = decideVote(candidates, { ...voteOptions(plan), threads: threads.length });
  const winner = decision.winner ?? decision.tied[0];
  // What has no vote at all is no answer either.
  if (winner === undefined) return giveUp(state, threads);
  recordAnswer(state, decision, Number(winner));
  const { sure, confidence } = decision;
  state.verdict = { type: 'answered', sure, confidence: { value: confidence, from: 'votes' } };
  return decision.decision === 'tie' && plan.stages.choose ? 'tie' : 'default';
}

function decline(state: RefineState, declined: readonly EndedThread[]): 'default' {
  const verdicts = declined.map(declinedVerdict);
  const most = verdicts.filter(({ type }) => type === 'unanswerable').length * 2 > verdicts.length;
  const wanted = most ? 'unanswerable' : 'needsClarification';
  state.verdict = verdicts.find(({ type }) => type === wanted) ?? (verdicts[0] as Verdict);
  recordAnswer(state, null, null);
  if (state.verdict.type === 'needsClarification') offerReadings(state, state.verdict.ask, declined);
  state.explanation = declined[0]?.state.explanation ?? state.explanation;
  return 'default';
}

/** What the first thread that names readings can be asked about: each is weighed, as of an answer. */
function offerReadings(state: RefineState, ask: string, declined: readonly EndedThread[]): void {
  const readings = declined.map(({ state: { otherReadings } }) => otherReadings).find(({ length }) => length > 1);
  if (readings !== undefined) acceptReadings(state, ask, readings);
}

function declinedVerdict({ state }: EndedThread): Verdict {
  const { ending } = state;
  if (ending?.type !== 'declined') throw new AskemaError('INTERNAL', 'A thread that did not decline was read as one.');
  const { outcome, explanation, notUnderstood } = ending;
  return outcome === 'unanswerable'
    ? {
        type: 'unanswerable',
        reason: explanation || 'The database does not hold what the question asks for.',
        notUnderstood,
      }
    : { type: 'needsClarification', ask: explanation || UNCLEAR };
}

function giveUp(state: RefineState, threads: readonly EndedThread[]): 'default' {
  recordAnswer(state, null, null);
  const errors = threads.flatMap(({ error, state: thread }) =>
    error !== undefined ? [error] : thread.ending?.type === 'failed' ? [thread.ending.error] : [],
  );
  const [first] = errors;
  // Where every thread met an error, that is what there is to tell.
  if (first !== undefined && errors.length === threads.length) {
    state.finalError = first;
    state.verdict = isRefusalOfAll(errors)
      ? { type: 'refused', reason: first.message, error: first }
      : { type: 'failed', error: first };
    return 'default';
  }
  const endings = threads.map((thread) => `thread ${thread.state.thread + 1}: ${endingText(thread)}`).join('; ');
  const message = `No answer was confirmed, so none is given: ${endings}. The candidates show what was tried; ask more precisely, or allow more with \`refine.limits\`.`;
  state.finalError = new AskemaError('ANSWER_UNCONFIRMED', message).toJSON();
  state.verdict = { type: 'failed', error: state.finalError };
  return 'default';
}
