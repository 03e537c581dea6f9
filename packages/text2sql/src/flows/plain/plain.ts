import { createFlow, end } from '@askema/core';
import { type FlowDeps, type FlowState, text2SqlFlow } from '../../question/flow-spec.ts';
import { executeSql } from '../../steps/execute-sql.ts';
import { getSchema } from '../../steps/get-schema.ts';
import { debugSql } from './debug-sql.ts';
import { generateSql } from './generate-sql.ts';
import { debugSqlTask } from './tasks/debug-sql.ts';
import { generateSqlTask } from './tasks/generate-sql.ts';

/** The prompts of the flow. */
export interface PlainTasks {
  readonly generateSql: typeof generateSqlTask;
  readonly debugSql: typeof debugSqlTask;
}

/** What its steps work with beside what all flows share. */
export interface PlainOwn {
  readonly tasks: PlainTasks;
}

export interface PlainOptions {
  /** Prompts of one's own, one by one: `{ ...generateSqlTask, render: mine }`. */
  readonly tasks?: Partial<PlainTasks> | undefined;
}

/** `maxDebugAttempts` bounds the loop; this only has to be above it. */
const MAX_STEPS = 10_000;

const steps = createFlow<FlowState<object>, FlowDeps<PlainOwn>>({ name: 'plain', version: 2, maxSteps: MAX_STEPS })
  .step(getSchema, { default: 'generate-sql' })
  .step(generateSql, { default: 'execute-sql', declined: end })
  .step(executeSql, { default: end, error_retry: 'debug-sql', failed: end })
  .step(debugSql, { default: 'execute-sql' })
  .build();

/**
 * GetSchema, GenerateSQL, ExecuteSQL, and DebugSQL back to ExecuteSQL until an execution succeeds or no attempt is
 * left.
 */
export function plain({ tasks }: PlainOptions = {}) {
  const own: PlainOwn = { tasks: { generateSql: generateSqlTask, debugSql: debugSqlTask, ...tasks } };
  return text2SqlFlow({
    flow: steps,
    access: 'write',
    needs: [own.tasks.generateSql.id],
    begin: (): object => ({}),
    open: () => own,
  });
}
