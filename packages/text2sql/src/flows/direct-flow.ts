import { createFlow, end } from '@askema/core';
import { executeSql } from '../steps/execute-sql.ts';
import { generateDirect } from '../steps/generate-direct.ts';
import { getSchema } from '../steps/get-schema.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';

/**
 * A baseline to measure other flows against, not one to use: schema and question in one prompt, the answer run once. Give it
 * `maxDebugAttempts: 1`, as `createText2Sql` does.
 */
export const directFlow = createFlow<Text2SqlState, Text2SqlDeps>({ name: 'direct' })
  .step(getSchema, { default: 'generate-direct' })
  .step(generateDirect, { default: 'execute-sql' })
  .step(executeSql, { default: end, error_retry: end('failed'), failed: end })
  .build();
