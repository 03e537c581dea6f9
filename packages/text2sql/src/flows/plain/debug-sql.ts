import { defineStep, type Solved, type StepContext } from '@askema/core';
import { cleanSql } from '../../prompts/clean-sql.ts';
import type { FlowDeps } from '../../question/flow-spec.ts';
import { type QuestionData, readQuestion, recordSpent, sqlInput } from '../../question/question-input.ts';
import type { QuestionState } from '../../question/question-state.ts';
import type { DebugSqlInput, DebugSqlOutput, debugSqlTask } from './tasks/debug-sql.ts';

type Deps = FlowDeps<{ readonly tasks: { readonly debugSql: typeof debugSqlTask } }>;

type Failed = QuestionData & Pick<DebugSqlInput, 'sql' | 'failure' | 'earlier'>;

/**
 * DebugSQL: shows the solver question, schema, failed statement and error, overwrites the statement and clears the
 * error.
 */
export const debugSql = defineStep<QuestionState, Deps>()({
  name: 'debug-sql',
  prep: (state): Failed => ({ ...readQuestion(state), ...readFailure(state) }),
  exec: (failed, context): Promise<Solved<DebugSqlOutput>> => repair(failed, context),
  post: (state, _failed, solved) => {
    recordSpent(state, solved);
    state.generatedSql = cleanSql(solved.value.sql);
    state.explanation = solved.value.explanation.trim() || state.explanation;
    state.executionError = null;
  },
});

function readFailure(state: Readonly<QuestionState>): Pick<DebugSqlInput, 'sql' | 'failure' | 'earlier'> {
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

async function repair(failed: Failed, context: StepContext<Deps>): Promise<Solved<DebugSqlOutput>> {
  const { deps } = context;
  const { sql, failure, earlier, ...asked } = failed;
  const input = { ...(await sqlInput(asked, deps, context)), sql, failure, earlier };
  return deps.solver.solve(deps.own.tasks.debugSql, input, context);
}
