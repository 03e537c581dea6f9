import type { AskemaError } from '@askema/core';
import type { VoteDecision } from '../../../vote/decide-vote.ts';
import { questionConformity } from '../../../vote/question-conformity.ts';
import type { VoteCandidate } from '../../../vote/vote-candidate.ts';
import { VOTE_PRESETS, type VoteOptions } from '../../../vote/vote-options.ts';
import type { RefinePlan } from '../state/refine-plan.ts';
import type { EndedThread, RefineAttempt, RefineState } from '../state/refine-state.ts';
import { answerOf, bestAttemptOf, candidatesOf } from '../thread/thread-answer.ts';

/**
 * The rules of the vote under a plan. Where empty results may be confirmed, those that were have their vote, at half
 * its worth.
 */
export function voteOptions({ preset, limits, rules }: RefinePlan): VoteOptions {
  const common = { key: rules.agreement, sureFrom: limits.sureFrom };
  if (rules.implausible === 'never') return { preset, rules: common };
  const { factors } = VOTE_PRESETS[preset];
  const implausible = { ...factors.implausible, 'no-rows': 0.5, 'all-blank': 0.5 };
  return { preset, rules: { ...common, excluded: ['no-columns'], factors: { ...factors, implausible } } };
}

/** What a thread brings to the vote: its answer, or nothing. */
export function voteCandidate(thread: EndedThread, attempt = answerOf(thread.state)): VoteCandidate {
  const { ending, attempts, plan, thread: number } = thread.state;
  return {
    id: String(number),
    sql: attempt?.sql ?? '',
    result: attempt?.result,
    conformity: conformityOf(thread, attempt),
    ending: {
      selfConsistent: ending?.type === 'answered' ? isConsistent(ending.by, plan) : undefined,
      iterations: attempts.length,
      repairs: attempts.filter(({ error }) => error !== undefined).length,
      judgedPlausible: attempt?.reviews?.at(-1)?.isRight,
    },
  };
}

/** It came often enough, or had no need to, because nothing spoke against it. */
function isConsistent(by: 'agreed' | 'accepted' | 'confirmed' | 'cte', { rules }: RefinePlan): boolean {
  return by === 'agreed' || (by === 'accepted' && rules.review === 'doubted');
}

function conformityOf({ state }: EndedThread, attempt: RefineAttempt | undefined): VoteCandidate['conformity'] {
  const { format, asked } = state;
  if (attempt?.result === undefined) return undefined;
  // A format that a model wrote says more than the words of the question do.
  if (format === null) return questionConformity(asked.question, attempt.sql, attempt.result);
  const has = (code: string): boolean => attempt.doubts.some((doubt) => doubt.code === code);
  return { columns: !has('column-count'), rows: format.rows === null ? undefined : !has('row-count') };
}

/**
 * Writes the answer of a thread to the state of the question, with all candidates and what became of them. Without a
 * thread there is no answer, and no other reading of it, and the last statement that was tried stands there as every
 * flow leaves it.
 */
export function recordAnswer(state: RefineState, decision: VoteDecision | null, chosen: number | null): void {
  const { threads } = state.flow;
  const thread = threads.find(({ state: { thread: number } }) => number === chosen)?.state;
  const attempt = thread === undefined ? undefined : (answerOf(thread) ?? bestAttemptOf(thread));
  const cluster = decision?.clusters.find(({ members }) => members.includes(String(chosen)));
  state.flow.decision = decision;
  state.flow.chosen = attempt === undefined ? null : chosen;
  state.candidates = candidatesOf(
    threads,
    state.flow.chosen,
    (other) => cluster?.members.includes(String(other)) ?? false,
  );
  if (thread === undefined || attempt?.result === undefined) {
    state.otherReadings = [];
    state.generatedSql = threads.flatMap(({ state: { attempts } }) => attempts.at(-1)?.sql ?? []).at(0) ?? null;
    return;
  }
  const { rows, columns, ...figures } = attempt.result;
  state.readAs = [...(state.readAs ?? []), ...(thread.readAs ?? [])];
  if (thread.computed !== undefined) state.computed = [...(state.computed ?? []), ...thread.computed];
  state.generatedSql = attempt.sql;
  state.finalResult = rows;
  state.resultColumns = columns;
  state.resultFigures = figures;
  state.explanation = thread.explanation;
  state.otherReadings = thread.otherReadings;
  const { format, formatDeparts } = thread;
  const departs =
    formatDeparts === '' ? [] : [`The answer departs from the format that was expected: ${formatDeparts}`];
  state.assumptions = [...(format?.notes ?? []), ...departs].map((text) => ({ text }));
  state.solvedBy = thread.solvedBy ?? state.solvedBy;
}

/**
 * True for what the database or the model will not do, however often it is asked: an answer of a kind, which a run ends
 * well with.
 */
export function isRefusalOfAll(errors: readonly { readonly code: AskemaError['code'] }[]): boolean {
  return errors.length > 0 && errors.every(({ code }) => REFUSED.has(code));
}

const REFUSED: ReadonlySet<string> = new Set(['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED', 'MODEL_CONTENT_FILTERED']);
