import type { GenerateSqlInput, GenerateSqlOutput, Task } from '@askema/core';
import { EXPLORATION_TASKS, type ExplorationTasks } from './explore/exploration.ts';
import { type ChooseAnswerInput, type ChooseAnswerOutput, chooseAnswerTask } from './tasks/choose-answer.ts';
import {
  type ConnectConditionsInput,
  type ConnectConditionsOutput,
  connectConditionsTask,
} from './tasks/connect-conditions.ts';
import { type DebugSqlInput, type DebugSqlOutput, debugSqlTask } from './tasks/debug-sql.ts';
import { type ExpectFormatInput, type ExpectFormatOutput, expectFormatTask } from './tasks/expect-format.ts';
import {
  type GenerateActionsInput,
  type GenerateActionsOutput,
  generateActionsTask,
} from './tasks/generate-actions.ts';
import { generateSqlTask } from './tasks/generate-sql.ts';
import { type JudgeCteInput, type JudgeCteOutput, judgeCteTask } from './tasks/judge-cte.ts';
import { type MendCteInput, type MendCteOutput, mendCteTask } from './tasks/mend-cte.ts';
import { type ReactTurnInput, type ReactTurnOutput, reactTurnTask } from './tasks/react-turn.ts';
import { type RefineSqlInput, type RefineSqlOutput, refineSqlTask } from './tasks/refine-sql.ts';
import { type ReviewResultInput, type ReviewResultOutput, reviewResultTask } from './tasks/review-result.ts';
import { type ReviseActionsInput, type ReviseActionsOutput, reviseActionsTask } from './tasks/revise-actions.ts';
import { type WriteCtesInput, type WriteCtesOutput, writeCtesTask } from './tasks/write-ctes.ts';

/** The prompts of the flows, to be replaced one by one: `{ ...generateSqlTask, render: mine }`. */
export interface Text2SqlTasks extends ExplorationTasks {
  readonly generateSql: Task<GenerateSqlInput, GenerateSqlOutput>;
  readonly debugSql: Task<DebugSqlInput, DebugSqlOutput>;
  /** The `react` flow with a model that has no tools. */
  readonly reactTurn: Task<ReactTurnInput, ReactTurnOutput>;
  /** The `refine` flow: the expected answer format. */
  readonly expectFormat: Task<ExpectFormatInput, ExpectFormatOutput>;
  /** The `refine` flow: writes a statement, first and anew. */
  readonly refineSql: Task<RefineSqlInput, RefineSqlOutput>;
  /** The `refine` flow: judges a result. */
  readonly reviewResult: Task<ReviewResultInput, ReviewResultOutput>;
  /** The `refine` flow: settles a tied vote. */
  readonly chooseAnswer: Task<ChooseAnswerInput, ChooseAnswerOutput>;
  /** The `refine` flow, CTE stage: writes a statement as a chain of CTEs, judges what one gives, writes one anew. */
  readonly writeCtes: Task<WriteCtesInput, WriteCtesOutput>;
  readonly judgeCte: Task<JudgeCteInput, JudgeCteOutput>;
  readonly mendCte: Task<MendCteInput, MendCteOutput>;
  /** The `inspect` flow: the whole sequence of clause actions, of a question or of a sub-question. */
  readonly generateActions: Task<GenerateActionsInput, GenerateActionsOutput>;
  /** The `inspect` flow: the sequence anew, after what was found. */
  readonly reviseActions: Task<ReviseActionsInput, ReviseActionsOutput>;
  /** The `inspect` flow: AND and OR, where the actions do not say. */
  readonly connectConditions: Task<ConnectConditionsInput, ConnectConditionsOutput>;
}

/** The tasks that come with the package. */
export const TEXT2SQL_TASKS: Text2SqlTasks = {
  generateSql: generateSqlTask,
  debugSql: debugSqlTask,
  reactTurn: reactTurnTask,
  expectFormat: expectFormatTask,
  refineSql: refineSqlTask,
  reviewResult: reviewResultTask,
  chooseAnswer: chooseAnswerTask,
  ...EXPLORATION_TASKS,
  writeCtes: writeCtesTask,
  judgeCte: judgeCteTask,
  mendCte: mendCteTask,
  generateActions: generateActionsTask,
  reviseActions: reviseActionsTask,
  connectConditions: connectConditionsTask,
};
