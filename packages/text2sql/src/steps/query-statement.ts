import type { QueryOptions, QueryResult, StepContext } from '@askema/core';
import type { QuestionDeps } from '../question/question-deps.ts';
import { expandStatement } from './expand-statement.ts';

/**
 * Runs a statement that somebody wrote, with metrics computed as they are defined.
 *
 * @throws AskemaError as `adapter.query`; `QUERY_FAILED` for a metric that cannot be computed so.
 */
export async function queryStatement(
  sql: string,
  options: Omit<QueryOptions, 'context'>,
  context: StepContext<QuestionDeps>,
): Promise<QueryResult> {
  const expanded = await expandStatement(sql, context);
  return context.deps.adapter.query(expanded?.sql ?? sql, { ...options, context });
}
