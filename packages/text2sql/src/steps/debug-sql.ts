import { defineStep, type Solved, type StepContext } from '@askema/core';
import { cleanSql } from '../clean-sql.ts';
import type { DebugSqlInput, DebugSqlOutput } from '../tasks/debug-sql.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';
import { type AskedInput, readAsked, recordSpent, sqlInput } from './sql-input.ts';

type Failed = AskedInput & Pick<DebugSqlInput, 'sql' | 'failure' | 'earlier'>;

/** DebugSQL: shows the solver question, schema, failed statement and error, overwrites the statement and clears the error. */
export const debugSql = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'debug-sql',
  prep: (state): Failed => ({ ...readAsked(state), ...readFailure(state) }),
  exec: (failed, context): Promise<Solved<DebugSqlOutput>> => repair(failed, context),
  post: (state, _failed, solved) => {
    recordSpent(state, solved);
    state.generatedSql = cleanSql(solved.value.sql);
    state.explanation = solved.value.explanation.trim() || state.explanation;
    state.executionError = null;
  },
});

function readFailure(state: Readonly<Text2SqlState>): Pick<DebugSqlInput, 'sql' | 'failure' | 'earlier'> {
  const error = state.executionError;
  return {
    sql: state.generatedSql ?? '',
    failure: {
      message: error?.message ?? 'The statement failed.',
      errorClass: error?.details.errorClass ?? (error?.code === 'QUERY_TIMEOUT' ? 'timeout' : undefined),
      nearestNames: error?.details.nearestNames,
    },
    // The last candidate is the one that failed now.
    earlier: state.candidates
      .slice(0, -1)
      .flatMap(({ sql, error: before }) => (before === undefined ? [] : [{ sql, message: before.message }])),
  };
}

async function repair(failed: Failed, context: StepContext<Text2SqlDeps>): Promise<Solved<DebugSqlOutput>> {
  const { deps } = context;
  const { sql, failure, earlier, ...asked } = failed;
  const input = { ...(await sqlInput(asked, deps, context)), sql, failure, earlier };
  return deps.solver.solve(deps.tasks.debugSql, input, context);
}
