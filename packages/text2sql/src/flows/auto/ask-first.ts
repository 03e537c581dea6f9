import { defineStep, type GenerateSqlOutput, type Solved, type StepContext } from '@askema/core';
import { type QuestionData, readQuestion, recordSpent, sqlInput } from '../../question/question-input.ts';
import { acceptOutput } from '../../steps/accept-output.ts';
import { chosenReading } from '../../steps/chosen-reading.ts';
import { readsNoPrompt } from '../../steps/use-knowledge.ts';
import type { AutoDeps, AutoState } from './auto-state.ts';

/**
 * AskFirst: the solver that is asked before the model, where there is one. `ask`: it has no statement without an
 * assumption, and the model is asked.
 */
export const askFirst = defineStep<AutoState, AutoDeps>()({
  name: 'ask-first',
  actions: ['default', 'ask'],
  prep: (state) => ({
    asked: readQuestion(state),
    isDecided: chosenReading(state) !== undefined || state.clarified.length > 0,
    isDefined: state.known?.declined !== undefined,
  }),
  exec: async ({ asked, isDecided, isDefined }, context): Promise<Solved<GenerateSqlOutput> | null> => {
    const { sure } = context.deps.own;
    return isDecided || (isDefined && sure !== undefined && readsNoPrompt(sure)) ? null : ask(asked, context);
  },
  post: (state, _input, solved) => {
    if (solved === null) return 'ask';
    const { value, assumptions = [] } = solved;
    if (value.outcome !== 'sql' || assumptions.length > 0) return 'ask';
    recordSpent(state, solved);
    state.flow.isFirst = true;
    acceptOutput(state, value, solved);
    return 'default';
  },
});

async function ask(asked: QuestionData, context: StepContext<AutoDeps>): Promise<Solved<GenerateSqlOutput> | null> {
  const { own } = context.deps;
  if (own.sure === undefined) return null;
  return own.sure.solve(own.tasks.generateSql, await sqlInput(asked, context.deps, context), context);
}
