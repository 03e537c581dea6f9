import { AskemaError, defineStep, type StepContext } from '@askema/core';
import { readAsked, recordCost } from '../../steps/sql-input.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { Text2SqlState } from '../../text2sql-state.ts';
import {
  answerSubQuestions,
  type KnownAnswer,
  type SubQuestionsAnswered,
  type SubQuestionsInput,
} from '../answer-sub-questions.ts';
import type { ActionSequence, InspectRunState } from '../inspect-state.ts';
import { blockingFindings, findingKey } from '../open-findings.ts';

export interface AnswerStart extends SubQuestionsInput {
  /** The statement that the findings of known answers were made on. */
  readonly inspectedSql: string;
}

/** Answers the sub-questions of the sequence (`qa`), each by a sequence of its own; asks nothing where there are none, or where all are known. */
export const answerQuestions = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'answer-sub-questions',
  prep: (state): AnswerStart => ({
    asked: readAsked(state),
    plan: state.inspect.plan,
    sequence: sequenceOf(state.inspect),
    known: knownAnswers(state.inspect),
    inspectedSql: state.inspect.tries.at(-1)?.sql ?? '',
  }),
  exec: (start, context: StepContext<Text2SqlDeps>): Promise<SubQuestionsAnswered> =>
    answerSubQuestions(start, context),
  post: (state, { sequence, inspectedSql }, { answers, kept, spent }) => {
    recordCost(state, spent);
    state.inspect.sequence = { ...sequence, answers };
    state.inspect.keeps = [...state.inspect.keeps, ...kept.map((finding) => findingKey(finding, inspectedSql))];
  },
});

/** The sequence that a step works on. */
export function sequenceOf({ sequence }: Pick<InspectRunState, 'sequence'>): ActionSequence {
  if (sequence !== null) return sequence;
  throw new AskemaError('INTERNAL', 'There are no actions to go on with; `generate-actions` has to come first.');
}

/** Answers of the last try, with what was found in each and was not answered with `keep`. */
function knownAnswers({ tries, plan, keeps }: InspectRunState): readonly KnownAnswer[] {
  const last = tries.at(-1);
  if (last === undefined) return [];
  const open = blockingFindings(last, plan).flatMap((position) => last.findings[position] ?? []);
  const kept = new Set(keeps);
  return last.actions.flatMap((action, position): KnownAnswer[] => {
    const answer =
      action.action === 'qa' && Object.hasOwn(last.answers, action.id) ? last.answers[action.id] : undefined;
    if (action.action !== 'qa' || answer === undefined) return [];
    const findings = open.filter((finding) => finding.action === position && !kept.has(findingKey(finding, last.sql)));
    // Its action is that of the sub-question here, and none of its own sequence.
    return [{ use: action.use, answer, findings: findings.map(({ action: _, ...finding }) => finding) }];
  });
}
