import { createFlow, end } from '@askema/core';
import { executeSql } from '../steps/execute-sql.ts';
import { explore, reportFailure } from '../steps/explore.ts';
import { getSchema } from '../steps/get-schema.ts';
import { think } from '../steps/think.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';

/** Turns and executions are bounded by themselves; this only has to be above both. */
const MAX_STEPS = 1_000;

/**
 * An agent with one tool: it looks at the database with `execute_sql` until it calls `terminate` with the final statement, which is
 * then run in full. When that fails, the agent is told and goes on.
 */
export const reactFlow = createFlow<Text2SqlState, Text2SqlDeps>({ name: 'react', maxSteps: MAX_STEPS })
  .step(getSchema, { default: 'think' })
  .step(think, { explore: 'explore', answer: 'execute-sql', declined: end, exhausted: end })
  .step(explore, { default: 'think' })
  .step(executeSql, { default: end, error_retry: 'report-failure', failed: end })
  .step(reportFailure, { default: 'think' })
  .build();
