import { defineStep } from '@askema/core';
import { chosenReading } from '../../../steps/chosen-reading.ts';
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
    const chosen = chosenReading(state);
    if (chosen === undefined) return 'default';
    state.generatedSql = chosen.sql;
    state.explanation = chosen.meaning;
    state.solvedBy = chosen.solvedBy ?? state.solvedBy;
    return 'chosen';
  },
});
