import type { GenerateSqlOutput } from '@askema/core';
import { cleanSql } from '../prompts/clean-sql.ts';
import type { QuestionState } from '../question/question-state.ts';

/** Writes an answer of the generate task to the state. */
export function acceptOutput(state: QuestionState, output: GenerateSqlOutput): 'default' | 'declined' {
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
