import type { Text2SqlState } from '../../text2sql-state.ts';
import type { VoteDecision } from '../../vote/decide-vote.ts';
import { answerOf, bestAttemptOf, candidatesOf } from '../thread-answer.ts';

/**
 * Writes the answer of a thread to the state of the question, with all candidates and what became of them. Without a thread there is no
 * answer, and the last statement that was tried stands there as every flow leaves it.
 */
export function recordAnswer(state: Text2SqlState, decision: VoteDecision | null, chosen: number | null): void {
  const { threads } = state.refine;
  const thread = threads.find(({ state: { thread: number } }) => number === chosen)?.state;
  const attempt = thread === undefined ? undefined : (answerOf(thread) ?? bestAttemptOf(thread));
  const cluster = decision?.clusters.find(({ members }) => members.includes(String(chosen)));
  state.refine.decision = decision;
  state.refine.chosen = attempt === undefined ? null : chosen;
  state.candidates = candidatesOf(
    threads,
    state.refine.chosen,
    (other) => cluster?.members.includes(String(other)) ?? false,
  );
  if (thread === undefined || attempt?.result === undefined) {
    state.generatedSql = threads.flatMap(({ state: { attempts } }) => attempts.at(-1)?.sql ?? []).at(0) ?? null;
    return;
  }
  const { rows, columns, ...figures } = attempt.result;
  state.generatedSql = attempt.sql;
  state.finalResult = rows;
  state.resultColumns = columns;
  state.resultFigures = figures;
  state.explanation = thread.explanation;
  state.solvedBy = thread.solvedBy ?? state.solvedBy;
}
