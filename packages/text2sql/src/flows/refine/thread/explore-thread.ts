import { defineStep, type StepContext } from '@askema/core';
import {
  type Exploration,
  explorationSection,
  type ProfileTaken,
  profileSection,
} from '../../../explore/exploration.ts';
import { exploreForQuestion } from '../../../explore/explore-for-question.ts';
import { type QuestionData, recordCost, sqlInput } from '../../../question/question-input.ts';
import type { RefineThreadState } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';

export interface ExploreInput {
  readonly thread: number;
  readonly threads: number;
  readonly asked: QuestionData;
  readonly profile: ProfileTaken | null;
  readonly isWanted: boolean;
  readonly extraColumns: boolean;
}

/**
 * Explores the columns that the question may need, in a model session of the thread's own (section 3.2.3). `ctes`: the
 * plan has the CTE stage as the only refinement.
 */
export const exploreThread = defineStep<RefineThreadState, RefineDeps>()({
  name: 'explore-columns',
  actions: ['default', 'ctes'],
  prep: ({ thread, plan, asked, profile }): ExploreInput => ({
    thread,
    threads: plan.limits.threads,
    asked,
    profile,
    isWanted: plan.stages.exploration,
    extraColumns: plan.rules.extraColumns,
  }),
  exec: (input, context): Promise<Exploration | null> => explore(input, context),
  post: (state, { profile }, exploration) => {
    state.knowledge = {
      profile: profile === null ? '' : profileSection({ profile: profile.text }),
      exploration: exploration === null ? '' : explorationSection(exploration),
    };
    if (exploration !== null) {
      recordCost(state, exploration);
      state.executions += exploration.executions;
    }
    return state.plan.stages.cte === 'only' ? 'ctes' : 'default';
  },
});

async function explore(input: ExploreInput, context: StepContext<RefineDeps>): Promise<Exploration | null> {
  const { thread, threads, asked, profile, isWanted, extraColumns } = input;
  const { deps } = context;
  context.emit({ type: 'refine-thread', data: { thread: thread + 1, threads } });
  if (!isWanted) return null;
  const { question, schemaText, evidence, documents, values, today, catalog } = await sqlInput(asked, deps, context);
  return exploreForQuestion(
    {
      question,
      schemaText,
      evidence,
      documents,
      values,
      today,
      catalog,
      extraColumns,
      thread,
      limits: deps.own.exploration,
      solver: deps.own.solverOf('explore', thread),
      profile: profile ?? false,
      tasks: deps.own.tasks,
    },
    context,
  );
}
