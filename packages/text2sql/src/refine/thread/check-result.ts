import { defineStep, type StepContext, toAskemaError } from '@askema/core';
import { resultView, VIEW_LIMITS } from '../../result-view.ts';
import { isStatementError } from '../../steps/statement-errors.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { RefineAttempt, RefineThreadState, ResultCheck } from '../refine-state.ts';

/** Runs the statement that is to confirm an implausible result, and keeps what it showed for the next review. */
export const checkResult = defineStep<RefineThreadState, Text2SqlDeps>()({
  name: 'check-result',
  prep: (state) => ({ sql: state.check ?? '' }),
  exec: ({ sql }, context): Promise<ResultCheck> => check(sql, context),
  post: (state, _input, checked) => {
    const position = state.attempts.length - 1;
    const last = state.attempts[position] as RefineAttempt;
    state.attempts[position] = { ...last, checks: [...(last.checks ?? []), checked] };
    state.executions += 1;
    state.check = null;
  },
});

async function check(sql: string, context: StepContext<Text2SqlDeps>): Promise<ResultCheck> {
  const { adapter, limits } = context.deps;
  const maxRows = Math.min(VIEW_LIMITS.maxRows, limits.maxRows);
  try {
    const result = await adapter.query(sql, { ...limits, maxRows, access: 'read', context });
    return { sql, view: resultView(result) };
  } catch (thrown) {
    const error = toAskemaError(thrown);
    if (!isStatementError(error.code)) throw error;
    return { sql, error: error.toJSON() };
  }
}
