import type { AskemaError, StepContext } from '@askema/core';
import { resultView, VIEW_LIMITS } from '../result-view.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import { statementError } from './statement-errors.ts';

/** What a statement showed, as prompts show it, or why it did not. */
export type ViewedResult =
  | { readonly type: 'view'; readonly view: string }
  | { readonly type: 'error'; readonly error: AskemaError };

/**
 * Runs a statement that a model only wants to look at: always as one that reads, with no more rows than a view holds. Errors that are no
 * fault of the statement are thrown.
 */
export async function viewResultOf(sql: string, context: StepContext<Text2SqlDeps>): Promise<ViewedResult> {
  const { adapter, limits } = context.deps;
  const maxRows = Math.min(VIEW_LIMITS.maxRows, limits.maxRows);
  try {
    const result = await adapter.query(sql, { ...limits, maxRows, access: 'read', context });
    return { type: 'view', view: resultView(result) };
  } catch (thrown) {
    return { type: 'error', error: statementError(thrown) };
  }
}
