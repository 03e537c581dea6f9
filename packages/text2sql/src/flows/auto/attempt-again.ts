import { defineStep, type GenerateSqlOutput, resultsAgree, type StepContext } from '@askema/core';
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
import { type DoubtsFound, type RunStatement, runDoubted } from './find-doubts.ts';
import { replaceAnswer, standingAnswer } from './standing-answer.ts';

export interface AttemptStart {
  readonly asked: QuestionData;
  readonly attempt: number;
  /** The statement that stands. */
  readonly sql: string | null;
  readonly doubtFrom: AutoSlice['doubtFrom'];
}

/** Another answer to the same prompt, and what its statement gives where that is another one. */
export interface Attempt {
  readonly said: TaskAnswer<GenerateSqlOutput>;
  readonly isSame?: boolean | undefined;
  readonly other?: (RunStatement & DoubtsFound) | undefined;
}

/**
 * AttemptAgain: asks for a statement as if nothing were known, and holds its result against the answer that stands. Two
 * that agree are taken for right; of two that do not, the one with fewer doubts stands.
 */
export const attemptAgain = defineStep<AutoState, AutoDeps>()({
  name: 'attempt-again',
  prep: (state): AttemptStart => ({
    asked: readQuestion(state),
    attempt: state.flow.attempts,
    sql: state.generatedSql,
    doubtFrom: state.flow.doubtFrom,
  }),
  exec: (start, context): Promise<Attempt> => attempt(start, context),
  post: (state, _start, { said, isSame, other }) => {
    const { flow } = state;
    flow.attempts += 1;
    recordCost(state, said.spent);
    if (isSame === true) flow.agreed = true;
    const standing = standingAnswer(state);
    if (other === undefined || standing === null || said.type === 'unusable') return;
    state.executions += 1;
    flow.agreed = resultsAgree(standing.result, other.result);
    if (flow.agreed || other.doubts.length >= (flow.doubts ?? []).length) {
      state.candidates.push({
        sql: other.sql,
        status: 'rejected',
        reason: flow.agreed ? 'It gives the same.' : 'It gives something else.',
      });
      return;
    }
    recordSpent(state, { ...said.spent, usage: {}, calls: 0, warnings: other.warnings });
    replaceAnswer(state, other, said.value.explanation, 'Another attempt has fewer doubts.');
    flow.doubts = other.doubts;
    flow.signals = other.signals;
  },
});

async function attempt(
  { asked, attempt: sample, sql, doubtFrom }: AttemptStart,
  context: StepContext<AutoDeps>,
): Promise<Attempt> {
  const { deps } = context;
  const input = await sqlInput(asked, deps, context);
  const { solver } = deps.answerer(undefined, { sample });
  const said = await askOrUnusable(() => solver.solve(deps.own.tasks.generateSql, input, context));
  if (said.type === 'unusable' || said.value.outcome !== 'sql') return { said };
  // Running it again would show the same.
  if (cleanSql(said.value.sql) === sql) return { said, isSame: true };
  return { said, other: await runDoubted(said.value, asked, doubtFrom, context) };
}
