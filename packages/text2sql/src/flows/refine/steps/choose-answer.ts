import { AskemaError, defineStep, type StepContext } from '@askema/core';
import {
  askOrUnusable,
  type QuestionData,
  readQuestion,
  recordCost,
  sqlInput,
  type TaskAnswer,
} from '../../../question/question-input.ts';
import { voteConfidence } from '../../../vote/decide-vote.ts';
import type { RefineRules } from '../state/refine-plan.ts';
import type { AnswerFormat, RefineState } from '../state/refine-state.ts';
import { type AnswerCandidate, type ChooseAnswerOutput, chosenCandidate } from '../tasks/choose-answer.ts';
import { formatSection } from '../tasks/refine-sections.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { answerOf } from '../thread/thread-answer.ts';
import { formatRules } from '../thread/thread-input.ts';
import { recordAnswer } from './answers-of-threads.ts';

export interface ChooseInput {
  readonly asked: QuestionData;
  readonly format: AnswerFormat | null;
  readonly rules: RefineRules;
  readonly candidates: readonly AnswerCandidate[];
}

/**
 * Lets a model that sees the tied answers settle what the vote could not (section 3.2.5). When it says that all are
 * wrong, none is given; when it says nothing that can be used, the first one stays, unsure.
 */
export const chooseAnswer = defineStep<RefineState, RefineDeps>()({
  name: 'choose-answer',
  prep: (state): ChooseInput => ({
    asked: readQuestion(state),
    format: state.flow.format,
    rules: state.flow.plan.rules,
    candidates: tiedAnswers(state),
  }),
  exec: (input, context): Promise<TaskAnswer<ChooseAnswerOutput>> => choose(input, context),
  post: (state, { candidates }, asked) => {
    recordCost(state, asked.spent);
    if (asked.type === 'unusable') {
      state.warnings.push(`The vote was tied, and no model settled it: ${asked.error.message}`);
      return;
    }
    const chosen = chosenCandidate(asked.value, candidates);
    if (chosen === undefined) rejectAll(state, asked.value.reason);
    else accept(state, chosen);
  },
});

function tiedAnswers({ flow }: Readonly<RefineState>): readonly AnswerCandidate[] {
  const { decision, threads } = flow;
  return (decision?.tied ?? []).flatMap((id) => {
    const thread = threads.find(({ state }) => String(state.thread) === id);
    const answer = thread === undefined ? undefined : answerOf(thread.state);
    if (answer?.result === undefined) return [];
    const votes = decision?.clusters.find(({ members }) => members.includes(id))?.members.length;
    return [{ id, sql: answer.sql, result: answer.result, votes }];
  });
}

async function choose(input: ChooseInput, context: StepContext<RefineDeps>): Promise<TaskAnswer<ChooseAnswerOutput>> {
  const { solverOf, tasks } = context.deps.own;
  const { asked, format, rules, candidates } = input;
  const task = {
    ...(await sqlInput(asked, context.deps, context)),
    allowWrite: false,
    sections: format === null ? [] : [formatSection(format, formatRules(rules))],
    extraColumns: rules.extraColumns,
    candidates,
  };
  return askOrUnusable(() => solverOf('choose', 0).solve(tasks.chooseAnswer, task, context));
}

function accept(state: RefineState, { id }: AnswerCandidate): void {
  const { decision, plan, threads } = state.flow;
  if (decision === null) return;
  recordAnswer(state, decision, Number(id));
  const ended = threads.filter(({ status }) => status !== 'stopped').length;
  const own = decision.clusters.find(({ members }) => members.includes(id));
  const rival = Math.max(0, ...decision.clusters.filter((cluster) => cluster !== own).map(({ support }) => support));
  const confidence = voteConfidence({ votes: own?.votes ?? 0, support: own?.support ?? 0, rival, threads: ended });
  state.verdict = {
    type: 'answered',
    sure: confidence >= plan.limits.sureFrom,
    confidence: { value: confidence, from: 'votes' },
  };
}

function rejectAll(state: RefineState, reason: string): void {
  const { decision } = state.flow;
  recordAnswer(state, decision, null);
  state.finalResult = null;
  state.resultColumns = null;
  state.resultFigures = null;
  const message = `The threads found different answers, and none of them is confirmed, so none is given: ${reason.trim()} The candidates show them.`;
  state.finalError = new AskemaError('ANSWER_UNCONFIRMED', message).toJSON();
  state.verdict = { type: 'failed', error: state.finalError };
}
