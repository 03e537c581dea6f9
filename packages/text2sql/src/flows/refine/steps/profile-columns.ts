import { defineStep, type StepContext } from '@askema/core';
import type { ProfileTaken } from '../../../explore/exploration.ts';
import { profileForQuestion } from '../../../explore/explore-for-question.ts';
import { type QuestionData, readQuestion, sqlInput } from '../../../question/question-input.ts';
import type { RefineState } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';

export interface ProfileInput {
  readonly asked: QuestionData;
  readonly isWanted: boolean;
}

/**
 * Takes profiles of the columns and keys that the question seems to be about, without a model, once for all threads.
 */
export const profileColumns = defineStep<RefineState, RefineDeps>()({
  name: 'profile-columns',
  prep: (state): ProfileInput => ({ asked: readQuestion(state), isWanted: state.flow.plan.stages.profile }),
  exec: (input, context): Promise<ProfileTaken | null> => profile(input, context),
  post: (state, _input, taken) => {
    if (taken === null) return;
    state.flow.profile = taken;
    state.executions += taken.executions;
    state.warnings.push(...taken.warnings);
  },
});

async function profile(input: ProfileInput, context: StepContext<RefineDeps>): Promise<ProfileTaken | null> {
  if (!input.isWanted) return null;
  const { question, evidence, catalog, values } = await sqlInput(input.asked, context.deps, context);
  return profileForQuestion({ question, evidence, catalog, values }, context);
}
