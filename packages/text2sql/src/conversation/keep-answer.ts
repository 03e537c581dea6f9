import type { Outcome } from '@askema/core';
import type { ExplainedPart } from './conversation-options.ts';

/** What is kept of an outcome: no rows. */
export function keepAnswer(outcome: Outcome): ExplainedPart['answer'] {
  const { runId } = outcome;
  switch (outcome.type) {
    case 'answered': {
      const { sql, result, explanation, assumptions } = outcome;
      return {
        type: 'answered',
        runId,
        sql,
        columns: result.columns.map(({ name }) => name),
        rows: result.rows.length,
        ...(result.truncated !== undefined && { truncated: true }),
        explanation,
        assumptions: assumptions.map(({ text }) => text),
      };
    }
    case 'needsClarification': {
      // What a choice gives says what stands in its result.
      const choices = outcome.choices.map(({ id, meaning, resolution }) => ({ id, meaning, resolution }));
      return { type: 'needsClarification', runId, ask: outcome.ask, choices };
    }
    case 'unanswerable':
    case 'refused':
      return { type: outcome.type, runId, reason: outcome.reason };
    default:
      return { type: outcome.type, runId, reason: outcome.error.message, error: outcome.error };
  }
}
