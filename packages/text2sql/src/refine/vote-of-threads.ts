import { questionConformity } from '../vote/question-conformity.ts';
import type { VoteCandidate } from '../vote/vote-candidate.ts';
import { VOTE_PRESETS, type VoteOptions } from '../vote/vote-options.ts';
import type { RefinePlan } from './refine-options.ts';
import type { EndedThread, RefineAttempt } from './refine-state.ts';
import { answerOf } from './thread-answer.ts';

/** The rules of the vote under a plan. Where empty results may be confirmed, those that were have their vote, at half its worth. */
export function voteOptions({ preset, limits, rules }: RefinePlan): VoteOptions {
  const common = { key: rules.agreement, sureFrom: limits.sureFrom };
  if (rules.implausible === 'never') return { preset, rules: common };
  const { factors } = VOTE_PRESETS[preset];
  const implausible = { ...factors.implausible, 'no-rows': 0.5, 'all-blank': 0.5 };
  return { preset, rules: { ...common, excluded: ['no-columns'], factors: { ...factors, implausible } } };
}

/** What a thread brings to the vote: its answer, or nothing. */
export function voteCandidate(thread: EndedThread, attempt = answerOf(thread.state)): VoteCandidate {
  const { ending, attempts, thread: number } = thread.state;
  return {
    id: String(number),
    sql: attempt?.sql ?? '',
    result: attempt?.result,
    conformity: conformityOf(thread, attempt),
    ending: {
      selfConsistent: ending?.type === 'answered' ? ending.by === 'agreed' : undefined,
      iterations: attempts.length,
      repairs: attempts.filter(({ error }) => error !== undefined).length,
      judgedPlausible: attempt?.reviews?.at(-1)?.isRight,
    },
  };
}

function conformityOf({ state }: EndedThread, attempt: RefineAttempt | undefined): VoteCandidate['conformity'] {
  const { format, asked } = state;
  if (attempt?.result === undefined) return undefined;
  // A format that a model wrote says more than the words of the question do.
  if (format === null) return questionConformity(asked.question, attempt.sql, attempt.result);
  const has = (code: string): boolean => attempt.doubts.some((doubt) => doubt.code === code);
  return { columns: !has('column-count'), rows: format.rows === null ? undefined : !has('row-count') };
}
