import { defineStep, type ExplorationLimits, type StepContext } from '@askema/core';
import { type AskedInput, readAsked, recordCost, sqlInput } from '../steps/sql-input.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';
import type { Exploration } from './exploration.ts';
import { exploreForQuestion } from './explore-for-question.ts';

/** Where {@link exploreColumns} leaves its {@link Exploration} in `state.extras`. */
export const EXPLORATION_KEY = 'exploration';

/** Options of {@link exploreColumnsStep}. */
export interface ExploreColumnsOptions {
  readonly limits?: ExplorationLimits | undefined;
  readonly thread?: number | undefined;
}

/** A step that explores the columns a question may need, for flows of one's own; stands behind GetSchema. */
export function exploreColumnsStep({ limits, thread = 0 }: ExploreColumnsOptions = {}) {
  return defineStep<Text2SqlState, Text2SqlDeps>()({
    name: 'explore-columns',
    prep: readAsked,
    exec: async (asked: AskedInput, context: StepContext<Text2SqlDeps>): Promise<Exploration> => {
      const input = await sqlInput(asked, context.deps, context);
      return exploreForQuestion({ ...input, thread, limits }, context);
    },
    post: (state, _asked, exploration) => {
      state.extras[EXPLORATION_KEY] = exploration;
      recordCost(state, exploration);
      state.executions += exploration.executions;
    },
  });
}

/** {@link exploreColumnsStep} with its defaults. */
export const exploreColumns = exploreColumnsStep();
