import { createFlow, end } from '@askema/core';
import { debugSql } from '../steps/debug-sql.ts';
import { executeSql } from '../steps/execute-sql.ts';
import { generateSql } from '../steps/generate-sql.ts';
import { getSchema } from '../steps/get-schema.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';

/** GetSchema, GenerateSQL, ExecuteSQL, and DebugSQL back to ExecuteSQL until an execution succeeds or no attempt is left. */
export const plainFlow = createFlow<Text2SqlState, Text2SqlDeps>({ name: 'plain' })
  .step(getSchema, { default: 'generate-sql' })
  .step(generateSql, { default: 'execute-sql', declined: end })
  .step(executeSql, { default: end, error_retry: 'debug-sql', failed: end })
  .step(debugSql, { default: 'execute-sql' })
  .build();
