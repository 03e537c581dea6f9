import { defineStep, type StepContext } from '@askema/core';
import { cleanSql } from '../../prompts/clean-sql.ts';
import {
  askOrUnusable,
  type QuestionData,
  readQuestion,
  recordCost,
  recordSpent,
  sqlInput,
  type TaskAnswer,
} from '../../question/question-input.ts';
import type { AutoDeps, AutoSlice, AutoState } from './auto-state.ts';
import type { Doubt } from './doubt.ts';
import { type DoubtsFound, type RunStatement, runDoubted } from './find-doubts.ts';
import { replaceAnswer, standingAnswer } from './standing-answer.ts';
import type { ReviseSqlOutput } from './tasks/revise-sql.ts';

export interface RevisionStart {
  readonly asked: QuestionData;
  readonly answer: RunStatement | null;
  readonly doubts: readonly Doubt[];
  readonly doubtFrom: AutoSlice['doubtFrom'];
}

/** What a revision gave: the answer of the model, and what its statement gives where that is another one. */
export interface Revision {
  readonly said: TaskAnswer<ReviseSqlOutput>;
  readonly other?: (RunStatement & DoubtsFound) | undefined;
}

/**
 * ReviseAnswer: shows the model the statement, its result and the doubts, and runs the correction. A correction that
 * fails, or has more errors, is dropped.
 */
export const reviseAnswer = defineStep<AutoState, AutoDeps>()({
  name: 'revise-answer',
  prep: (state): RevisionStart => ({
    asked: readQuestion(state),
    answer: standingAnswer(state),
    doubts: state.flow.doubts ?? [],
    doubtFrom: state.flow.doubtFrom,
  }),
  exec: (start, context): Promise<Revision> => revise(start, context),
  post: (state, { doubts }, { said, other }) => {
    const { flow } = state;
    flow.revisions += 1;
    if (said.type === 'unusable') {
      recordCost(state, said.spent);
      return;
    }
    state.executions += other === undefined ? 0 : 1;
    const isBetter = other !== undefined && errorsOf(other.doubts) <= errorsOf(doubts);
    if (isBetter) {
      recordSpent(state, said.spent);
      replaceAnswer(state, other, said.value.explanation, 'A revision corrected it.');
      flow.doubts = other.doubts;
      flow.signals = other.signals;
      state.warnings.push(...other.warnings);
    } else recordCost(state, said.spent);
    flow.isKept = said.value.is_right === 'yes';
  },
});

function errorsOf(doubts: readonly Doubt[]): number {
  return doubts.filter(({ isError }) => isError).length;
}

async function revise(
  { asked, answer, doubts, doubtFrom }: RevisionStart,
  context: StepContext<AutoDeps>,
): Promise<Revision> {
  const { deps } = context;
  const { sql = '', result = { columns: [], rows: [] } } = answer ?? {};
  const input = { ...(await sqlInput(asked, deps, context)), sql, result, doubts };
  const said = await askOrUnusable(() => deps.solver.solve(deps.own.tasks.reviseSql, input, context));
  if (said.type === 'unusable' || said.value.is_right === 'yes') return { said };
  if (cleanSql(said.value.sql) === sql) return { said };
  return { said, other: await runDoubted(said.value, asked, doubtFrom, context, answer?.computed) };
}
