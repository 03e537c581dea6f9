import { defineStep, type StepContext } from '@askema/core';
import { viewResultOf } from '../../steps/view-result-of.ts';
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
  const viewed = await viewResultOf(sql, context);
  return viewed.type === 'view' ? { sql, view: viewed.view } : { sql, error: viewed.error.toJSON() };
}
