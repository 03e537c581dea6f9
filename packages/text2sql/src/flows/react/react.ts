import { checkWhole, createFlow, end } from '@askema/core';
import { text2SqlFlow } from '../../question/flow-spec.ts';
import { executeSql } from '../../steps/execute-sql.ts';
import { getSchema } from '../../steps/get-schema.ts';
import { weighReadings } from '../../steps/weigh-readings.ts';
import { explore, reportFailure } from './explore.ts';
import type { ReactDeps, ReactSlice, ReactState, ReactTasks } from './react-state.ts';
import { reactTurnTask } from './tasks/react-turn.ts';
import { think } from './think.ts';

export interface ReactOptions {
  /** Model calls. Default: 12. */
  readonly maxTurns?: number | undefined;
  /** Prompts of one's own, one by one. */
  readonly tasks?: Partial<ReactTasks> | undefined;
}

const DEFAULT_MAX_TURNS = 12;

/** Turns and executions are bounded by themselves; this only has to be above both. */
const MAX_STEPS = 1_000;

const steps = createFlow<ReactState, ReactDeps>({ name: 'react', version: 3, maxSteps: MAX_STEPS })
  .step(getSchema, { default: 'think' })
  .step(think, { explore: 'explore', answer: 'execute-sql', declined: 'weigh-readings', exhausted: end })
  .step(explore, { default: 'think' })
  .step(executeSql, { default: 'weigh-readings', error_retry: 'report-failure', failed: end })
  .step(reportFailure, { default: 'think' })
  .step(weighReadings, { default: end })
  .build();

/**
 * An agent with one tool: it looks at the database with `execute_sql` until it calls `terminate` with the final
 * statement, which is then run in full. When that fails, the agent is told and goes on.
 * At the end WeighReadings, where the question can be read in more than one way.
 *
 * @throws AskemaError `CONFIG_INVALID` for a number that is out of range.
 */
export function react({ maxTurns = DEFAULT_MAX_TURNS, tasks }: ReactOptions = {}) {
  checkWhole('react.maxTurns', maxTurns);
  const own = { tasks: { reactTurn: reactTurnTask, ...tasks } };
  return text2SqlFlow({
    flow: steps,
    access: 'write',
    needs: 'model',
    begin: (): ReactSlice => ({ maxTurns, messages: [], turns: 0, pending: [], lastGoodSql: null }),
    open: () => own,
    report: ({ flow }) => ({ bestSql: flow.lastGoodSql ?? undefined }),
  });
}
