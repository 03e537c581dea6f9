import { type AskemaError, type ErrorCode, type StepContext, toAskemaError } from '@askema/core';
import { resultView, VIEW_LIMITS } from '../prompts/result-view.ts';
import type { QuestionDeps } from '../question/question-deps.ts';
import { expandStatement } from './expand-statement.ts';

const STATEMENT_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'QUERY_FAILED',
  'QUERY_TIMEOUT',
  'QUERY_NOT_READ_ONLY',
  'QUERY_REFUSED',
]);

const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED']);

/**
 * What was thrown, as an error that tells something about the statement: another one may do. All others end the run:
 * they are thrown on.
 */
export function statementError(thrown: unknown): AskemaError {
  const error = toAskemaError(thrown);
  if (!STATEMENT_ERRORS.has(error.code)) throw error;
  return error;
}

/** True where the database did not let the statement run. */
export function isRefusal(code: ErrorCode): boolean {
  return REFUSALS.has(code);
}

/** What a statement showed, as prompts show it, or why it did not. */
export type ViewedResult =
  /** `sql` is the statement that ran. */
  | { readonly type: 'view'; readonly view: string; readonly sql: string }
  | { readonly type: 'error'; readonly error: AskemaError };

/**
 * Runs a statement that a model only wants to look at: always as one that reads, with no more rows than a view holds.
 * Errors that are no fault of the statement are thrown.
 */
export async function viewResultOf(sql: string, context: StepContext<QuestionDeps>): Promise<ViewedResult> {
  const { adapter, limits } = context.deps;
  const maxRows = Math.min(VIEW_LIMITS.maxRows, limits.maxRows);
  try {
    const ran = (await expandStatement(sql, context))?.sql ?? sql;
    const result = await adapter.query(ran, { ...limits, maxRows, access: 'read', context });
    return { type: 'view', view: resultView(result), sql: ran };
  } catch (thrown) {
    return { type: 'error', error: statementError(thrown) };
  }
}
