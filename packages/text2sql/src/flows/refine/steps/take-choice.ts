import { defineStep } from '@askema/core';
import type { RefineState } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';

/**
 * Where the question was asked back and a reading was chosen, its statement is run (`chosen`), and nobody writes
 * another.
 */
export const takeChoice = defineStep<RefineState, RefineDeps>()({
  name: 'take-choice',
  actions: ['default', 'chosen'],
  exec: () => null,
  post: (state) => {
    const decided = state.clarified.at(-1);
    if (decided?.sql === undefined) return 'default';
    state.generatedSql = decided.sql;
    state.explanation = decided.answer;
    return 'chosen';
  },
});
