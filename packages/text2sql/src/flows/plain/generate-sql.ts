import { defineStep, type GenerateSqlOutput, type Solved, type StepContext } from '@askema/core';
import type { FlowDeps } from '../../question/flow-spec.ts';
import {
  NOTHING_SPENT,
  type QuestionData,
  readQuestion,
  recordSpent,
  sqlInput,
} from '../../question/question-input.ts';
import type { Clarified, QuestionState } from '../../question/question-state.ts';
import { acceptOutput } from '../../steps/accept-output.ts';
import type { generateSqlTask } from './tasks/generate-sql.ts';

type Deps = FlowDeps<{ readonly tasks: { readonly generateSql: typeof generateSqlTask } }>;

/**
 * GenerateSQL: asks the solver for a statement and resets the attempts to 0. `declined` ends the flow: the solver says
 * that the question is unclear or that the database cannot answer it.
 */
export const generateSql = defineStep<QuestionState, Deps>()({
  name: 'generate-sql',
  actions: ['default', 'declined'],
  prep: (state): GenerateSqlStart => ({ ...readQuestion(state), decided: state.clarified.at(-1) }),
  exec: (start, context): Promise<Solved<GenerateSqlOutput>> => solve(start, context),
  post: (state, _start, solved) => {
    recordSpent(state, solved);
    state.debugAttempts = 0;
    return acceptOutput(state, solved.value, solved);
  },
});

export interface GenerateSqlStart extends QuestionData {
  /** What was decided last, when the question was asked back. */
  readonly decided: Clarified | undefined;
}

async function solve(
  { decided, ...asked }: GenerateSqlStart,
  context: StepContext<Deps>,
): Promise<Solved<GenerateSqlOutput>> {
  const { deps } = context;
  if (decided?.sql !== undefined) {
    const { sql, answer: explanation } = decided;
    const value: GenerateSqlOutput = { outcome: 'sql', sql, explanation, not_understood: [] };
    return { ...NOTHING_SPENT, value, solvedBy: deps.solver.name };
  }
  return deps.solver.solve(deps.own.tasks.generateSql, await sqlInput(asked, deps, context), context);
}
