import { createFlow, end } from '@askema/core';
import { debugSql } from '../steps/debug-sql.ts';
import { executeSql } from '../steps/execute-sql.ts';
import { generateSql } from '../steps/generate-sql.ts';
import { getSchema } from '../steps/get-schema.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';

/** `maxDebugAttempts` bounds the loop; this only has to be above it. */
const MAX_STEPS = 10_000;

/** GetSchema, GenerateSQL, ExecuteSQL, and DebugSQL back to ExecuteSQL until an execution succeeds or no attempt is left. */
export const plainFlow = createFlow<Text2SqlState, Text2SqlDeps>({ name: 'plain', maxSteps: MAX_STEPS })
  .step(getSchema, { default: 'generate-sql' })
  .step(generateSql, { default: 'execute-sql', declined: end })
  .step(executeSql, { default: end, error_retry: 'debug-sql', failed: end })
  .step(debugSql, { default: 'execute-sql' })
  .build();
