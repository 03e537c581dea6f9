import { defineStep, type StepContext } from '@askema/core';
import type { ProfileTaken } from '../../explore/exploration.ts';
import { profileForQuestion } from '../../explore/explore-for-question.ts';
import { type AskedInput, readAsked, sqlInput } from '../../steps/sql-input.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { Text2SqlState } from '../../text2sql-state.ts';

export interface ProfileInput {
  readonly asked: AskedInput;
  readonly isWanted: boolean;
}

/** Takes profiles of the columns and keys that the question seems to be about, without a model, once for all threads. */
export const profileColumns = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'profile-columns',
  prep: (state): ProfileInput => ({ asked: readAsked(state), isWanted: state.refine.plan.stages.profile }),
  exec: (input, context): Promise<ProfileTaken | null> => profile(input, context),
  post: (state, _input, taken) => {
    if (taken === null) return;
    state.refine.profile = taken;
    state.executions += taken.executions;
    state.warnings.push(...taken.warnings);
  },
});

async function profile(input: ProfileInput, context: StepContext<Text2SqlDeps>): Promise<ProfileTaken | null> {
  if (!input.isWanted) return null;
  const { question, evidence, catalog, values } = await sqlInput(input.asked, context.deps, context);
  return profileForQuestion({ question, evidence, catalog, values }, context);
}
