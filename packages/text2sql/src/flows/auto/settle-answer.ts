import { defineStep } from '@askema/core';
import type { AutoDeps, AutoState } from './auto-state.ts';

/** Before the flow `refine` takes over: keeps the answer that stands. */
export const keepAnswer = defineStep<AutoState, AutoDeps>()({
  name: 'keep-answer',
  exec: () => null,
  post: (state) => {
    const { flow, generatedSql, explanation } = state;
    flow.refinements += 1;
    flow.before = generatedSql === null ? null : { sql: generatedSql, explanation };
  },
});

/**
 * SettleAnswer: the end. Where `refine` found no answer, the one before it is run once more (`again`); doubts that
 * remain are said.
 */
export const settleAnswer = defineStep<AutoState, AutoDeps>()({
  name: 'settle-answer',
  actions: ['default', 'again'],
  exec: () => null,
  post: (state) => {
    const { flow } = state;
    // Where its answer can be read in two ways, it did: that is asked.
    if (flow.before !== null && flow.chosen === null && state.verdict?.type !== 'answered') {
      state.generatedSql = flow.before.sql;
      state.explanation = flow.before.explanation;
      state.executionError = null;
      state.finalError = null;
      flow.before = null;
      state.otherReadings = [];
      return 'again';
    }
    if (state.verdict?.type !== 'answered' || flow.agreed === true || flow.isKept) return 'default';
    const open = flow.refinements > 0 ? [] : (flow.doubts ?? []);
    state.warnings.push(...open.map(({ text }) => `The answer is doubted: ${text}`));
    return 'default';
  },
});
