import type { Candidate } from '@askema/core';
import type { EndedThread, RefineAttempt, RefineThreadState, ThreadEnding } from '../state/refine-state.ts';
import { isPlausible } from './result-doubts.ts';

/** The attempt that a thread ended with as its answer. */
export function answerOf({
  ending,
  attempts,
}: Pick<RefineThreadState, 'ending' | 'attempts'>): RefineAttempt | undefined {
  return ending?.type === 'answered' ? attempts[ending.attempt] : undefined;
}

/** The best that a thread has found so far, confirmed or not: for a run whose budget ended. */
export function bestAttemptOf(thread: Pick<RefineThreadState, 'ending' | 'attempts'>): RefineAttempt | undefined {
  const ran = thread.attempts.filter(({ result }) => result !== undefined);
  return answerOf(thread) ?? ran.findLast(isPlausible) ?? ran.at(-1);
}

/** How a thread ended, in a few words for a person. */
export function endingText({ status, error, state }: EndedThread): string {
  if (status === 'stopped') return 'it was stopped, because its answer could not change the decision any more';
  if (status === 'failed') return `it broke off: ${error?.message ?? 'unknown'}`;
  return state.ending === null ? 'it ended without an answer' : ENDINGS[state.ending.type](state.ending as never);
}

const EXHAUSTED: Readonly<Record<Extract<ThreadEnding, { type: 'exhausted' }>['reason'], string>> = {
  iterations: 'no answer came often enough within its limits',
  empty: 'its results stayed empty',
  cte: 'neither refining the whole nor going CTE by CTE gave an answer',
};

const ENDINGS: { readonly [Type in ThreadEnding['type']]: (ending: Extract<ThreadEnding, { type: Type }>) => string } =
  {
    answered: ({ by }) => `it answered (${by})`,
    declined: ({ outcome, explanation }) => `it declined as ${outcome}${explanation === '' ? '' : `: ${explanation}`}`,
    exhausted: ({ reason }) => EXHAUSTED[reason],
    failed: ({ error }) => `it failed: ${error.message}`,
  };

/**
 * Every statement that the threads tried, each with what became of it. `chosen` is the thread whose answer was taken,
 * `agrees` tells which other threads have the same answer.
 */
export function candidatesOf(
  threads: readonly EndedThread[],
  chosen: number | null,
  agrees: (thread: number) => boolean,
): Candidate[] {
  return threads.flatMap((thread) => {
    const isChosen = thread.state.thread === chosen;
    const answer = isChosen ? bestAttemptOf(thread.state) : answerOf(thread.state);
    return thread.state.attempts.flatMap((attempt): Candidate[] => {
      if (attempt.isRepeated === true) return [];
      const { sql, error } = attempt;
      const name = `thread ${thread.state.thread + 1}`;
      if (error !== undefined) return [{ sql, status: 'failed', reason: name, error }];
      const isAnswer = attempt.sql === answer?.sql;
      if (isAnswer && isChosen) return [{ sql, status: 'chosen', reason: `${name}: ${endingText(thread)}` }];
      const reason = isAnswer ? voteReason(chosen, agrees(thread.state.thread)) : attemptReason(attempt, thread);
      return [{ sql, status: 'rejected', reason: `${name}: ${reason}` }];
    });
  });
}

function voteReason(chosen: number | null, agrees: boolean): string {
  if (chosen === null) return 'no answer was chosen';
  return agrees ? 'its result agrees with the chosen one' : 'another answer was chosen';
}

function attemptReason(attempt: RefineAttempt, thread: EndedThread): string {
  const said = [
    ...(attempt.reviews ?? []).flatMap(({ problems }) => problems),
    ...attempt.doubts.map(({ message }) => message),
  ];
  return said.length > 0
    ? said.map((text) => text.replace(/\.$/, '')).join('; ')
    : thread.state.ending?.type === 'answered'
      ? 'not its last word'
      : endingText(thread);
}
