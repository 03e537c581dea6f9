import { defineStep, type GenerateSqlOutput, type Solved, type StepContext } from '@askema/core';
import type { FlowDeps } from '../../question/flow-spec.ts';
import { type QuestionData, readQuestion, recordSpent, sqlInput } from '../../question/question-input.ts';
import type { QuestionState } from '../../question/question-state.ts';
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
  prep: readQuestion,
  exec: (asked, context): Promise<Solved<GenerateSqlOutput>> => solve(asked, context),
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    state.debugAttempts = 0;
    return acceptOutput(state, solved.value);
  },
});

async function solve(asked: QuestionData, context: StepContext<Deps>): Promise<Solved<GenerateSqlOutput>> {
  const { deps } = context;
  return deps.solver.solve(deps.own.tasks.generateSql, await sqlInput(asked, deps, context), context);
}
