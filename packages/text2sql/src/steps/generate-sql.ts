import { defineStep, type GenerateSqlOutput, type Solved, type StepContext } from '@askema/core';
import { cleanSql } from '../clean-sql.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';
import { type AskedInput, readAsked, recordSpent, sqlInput } from './sql-input.ts';

/**
 * GenerateSQL: asks the solver for a statement and resets the attempts to 0. `declined` ends the flow: the solver says that the
 * question is unclear or that the database cannot answer it.
 */
export const generateSql = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'generate-sql',
  actions: ['default', 'declined'],
  prep: readAsked,
  exec: (asked, context): Promise<Solved<GenerateSqlOutput>> => solve(asked, context),
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    state.debugAttempts = 0;
    return acceptOutput(state, solved.value);
  },
});

async function solve(asked: AskedInput, context: StepContext<Text2SqlDeps>): Promise<Solved<GenerateSqlOutput>> {
  const { deps } = context;
  return deps.solver.solve(deps.tasks.generateSql, await sqlInput(asked, deps, context), context);
}

/** Writes an answer of the generate task to the state. */
export function acceptOutput(state: Text2SqlState, output: GenerateSqlOutput): 'default' | 'declined' {
  const explanation = output.explanation.trim();
  state.explanation = explanation === '' ? null : explanation;
  state.executionError = null;
  switch (output.outcome) {
    case 'sql':
      state.generatedSql = cleanSql(output.sql);
      return 'default';
    case 'needs_clarification':
      state.verdict = {
        type: 'needsClarification',
        ask: explanation || 'The question can be read in more than one way.',
      };
      return 'declined';
    case 'unanswerable':
      state.verdict = {
        type: 'unanswerable',
        reason: explanation || 'The database does not hold what the question asks for.',
        notUnderstood: output.not_understood,
      };
      return 'declined';
  }
}
