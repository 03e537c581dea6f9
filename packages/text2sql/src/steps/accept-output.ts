import type { GenerateSqlOutput, Solved } from '@askema/core';
import { cleanSql } from '../prompts/clean-sql.ts';
import type { QuestionState } from '../question/question-state.ts';

/**
 * Writes an answer of the generate task to the state, with what else is known of it: the readings of a question become
 * choices.
 */
export function acceptOutput(
  state: QuestionState,
  output: GenerateSqlOutput,
  { readings = [], assumptions = [] }: Pick<Solved<unknown>, 'readings' | 'assumptions'> = {},
): 'default' | 'declined' {
  const explanation = output.explanation.trim();
  state.explanation = explanation === '' ? null : explanation;
  state.executionError = null;
  switch (output.outcome) {
    case 'sql':
      state.generatedSql = cleanSql(output.sql);
      state.assumptions = [...assumptions];
      return 'default';
    case 'needs_clarification':
      state.verdict = {
        type: 'needsClarification',
        ask: explanation || 'The question can be read in more than one way.',
        choices: readings.map(({ meaning, sql }, at) => ({
          id: String(at + 1),
          meaning,
          resolution: { kind: 'sql', sql },
        })),
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
