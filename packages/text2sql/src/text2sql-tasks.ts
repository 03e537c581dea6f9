import type { GenerateSqlInput, GenerateSqlOutput, Task } from '@askema/core';
import { type DebugSqlInput, type DebugSqlOutput, debugSqlTask } from './tasks/debug-sql.ts';
import { generateSqlTask } from './tasks/generate-sql.ts';
import { type ReactTurnInput, type ReactTurnOutput, reactTurnTask } from './tasks/react-turn.ts';

/** The prompts of the flows, to be replaced one by one: `{ ...generateSqlTask, render: mine }`. */
export interface Text2SqlTasks {
  readonly generateSql: Task<GenerateSqlInput, GenerateSqlOutput>;
  readonly debugSql: Task<DebugSqlInput, DebugSqlOutput>;
  /** The `react` flow with a model that has no tools. */
  readonly reactTurn: Task<ReactTurnInput, ReactTurnOutput>;
}

/** The tasks that come with the package. */
export const TEXT2SQL_TASKS: Text2SqlTasks = {
  generateSql: generateSqlTask,
  debugSql: debugSqlTask,
  reactTurn: reactTurnTask,
};
