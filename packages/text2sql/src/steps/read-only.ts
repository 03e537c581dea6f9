import { type QueryResult, type StepContext, throwIfAborted, toAskemaError } from '@askema/core';
import type { QuestionDeps } from '../question/question-deps.ts';
import { queryStatement } from './query-statement.ts';

/** What a statement gives that only reads; undefined where it fails. The caller's abort and a closed database reject. */
export async function readOnly(sql: string, context: StepContext<QuestionDeps>): Promise<QueryResult | undefined> {
  try {
    return await queryStatement(sql, { ...context.deps.limits, access: 'read' }, context);
  } catch (thrown) {
    throwIfAborted(context.signal, 'The statement');
    const error = toAskemaError(thrown);
    if (error.code === 'DATABASE_CLOSED') throw error;
    return undefined;
  }
}
