import { createFlow, end } from '@askema/core';
import { answerQuestions } from '../inspect/steps/answer-sub-questions.ts';
import { connectConditions } from '../inspect/steps/connect-conditions.ts';
import { generateActions } from '../inspect/steps/generate-actions.ts';
import { inspectActions } from '../inspect/steps/inspect-actions.ts';
import { reportEngineError } from '../inspect/steps/report-engine-error.ts';
import { reviseActions } from '../inspect/steps/revise-actions.ts';
import { executeSql } from '../steps/execute-sql.ts';
import { getSchema } from '../steps/get-schema.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';

/** `maxInspections` and `maxDebugAttempts` bound the loops; this only has to be above them. */
const MAX_STEPS = 10_000;

/**
 * Tool-SQL (arXiv 2408.16991): a sequence of clause actions, inspected by a retriever and an error detector before anything runs, and revised by what they
 * found, clause by clause, until all tools agree or the maximum is reached. Which tools look, and all limits, stand in `state.inspect.plan`.
 */
export const inspectFlow = createFlow<Text2SqlState, Text2SqlDeps>({ name: 'inspect', maxSteps: MAX_STEPS })
  .step(getSchema, { default: 'generate-actions' })
  .step(generateActions, { default: 'answer-sub-questions', declined: end })
  .step(answerQuestions, { default: 'inspect-actions' })
  .step(inspectActions, { default: 'connect-conditions', revise: 'revise-actions', failed: end('failed') })
  .step(reviseActions, {
    default: 'answer-sub-questions',
    stands: 'connect-conditions',
    declined: end,
    failed: end('failed'),
  })
  .step(connectConditions, { default: 'execute-sql' })
  .step(executeSql, { default: end, error_retry: 'report-engine-error', failed: end })
  .step(reportEngineError, { default: 'revise-actions' })
  .build();
