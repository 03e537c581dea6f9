import { createFlow, end, GENERATE_SQL_TASK_ID } from '@askema/core';
import { text2SqlFlow } from '../../question/flow-spec.ts';
import { executeSql } from '../../steps/execute-sql.ts';
import { getSchema } from '../../steps/get-schema.ts';
import { weighReadings } from '../../steps/weigh-readings.ts';
import { debugSql } from '../plain/debug-sql.ts';
import { generateSql } from '../plain/generate-sql.ts';
import { debugSqlTask } from '../plain/tasks/debug-sql.ts';
import { generateSqlTask } from '../plain/tasks/generate-sql.ts';
import { refine } from '../refine/refine.ts';
import { RUN_THREADS } from '../refine/run-threads.ts';
import { chooseAnswer } from '../refine/steps/choose-answer.ts';
import { expectFormat } from '../refine/steps/expect-format.ts';
import { profileColumns } from '../refine/steps/profile-columns.ts';
import { vote } from '../refine/steps/vote.ts';
import { REFINE_TASKS } from '../refine/tasks/refine-tasks.ts';
import { refineThreadFlow } from '../refine/thread-flow.ts';
import { askFirst } from './ask-first.ts';
import { attemptAgain } from './attempt-again.ts';
import { type AutoOptions, autoPlan, tableOf } from './auto-options.ts';
import type { AutoDeps, AutoOwn, AutoSlice, AutoState } from './auto-state.ts';
import { doubtAnswer } from './doubt-answer.ts';
import { reviseAnswer } from './revise-answer.ts';
import { keepAnswer, settleAnswer } from './settle-answer.ts';
import { reviseSqlTask } from './tasks/revise-sql.ts';

/** Each loop is bounded by itself; this only has to be above. */
const MAX_STEPS = 10_000;

const steps = createFlow<AutoState, AutoDeps>({ name: 'auto', version: 3, maxSteps: MAX_STEPS })
  .step(getSchema, { default: 'ask-first' })
  .step(askFirst, { default: 'execute-sql', ask: 'generate-sql' })
  .step(generateSql, { default: 'execute-sql', declined: 'weigh-readings' })
  .step(executeSql, { default: 'weigh-readings', error_retry: 'debug-sql', failed: 'doubt-answer' })
  .step(debugSql, { default: 'execute-sql' })
  .step(weighReadings, { default: 'doubt-answer' })
  .step(doubtAnswer, {
    default: 'settle-answer',
    ask: 'generate-sql',
    revise: 'revise-answer',
    attempt: 'attempt-again',
    refine: 'keep-answer',
  })
  .step(reviseAnswer, { default: 'doubt-answer' })
  .step(attemptAgain, { default: 'doubt-answer' })
  .step(keepAnswer, { default: 'expect-format' })
  .step(expectFormat, { default: 'profile-columns' })
  .step(profileColumns, { default: 'threads' })
  .parallel('threads', refineThreadFlow, { default: 'vote', more: 'threads' }, RUN_THREADS)
  .step(vote, { default: 'weigh-readings', tie: 'choose-answer' })
  .step(chooseAnswer, { default: 'weigh-readings' })
  .step(settleAnswer, { default: end, again: 'execute-sql' })
  .build();

/**
 * A cascade that spends by doubt: one call as in `plain`; then what costs no tokens (the tools of `inspect`, whether the
 * result is plausible); and only what speaks against the answer buys a revision, a second attempt, at last `refine`.
 *
 * @throws AskemaError `CONFIG_INVALID` for an option that does not exist or is out of range.
 */
export function auto(options: AutoOptions = {}) {
  const plan = autoPlan(options);
  const confidence = options.confidence && tableOf(options.confidence);
  const last = refine({ ...options.refine, inspection: options.inspection, tasks: options.tasks });
  const tasks = {
    ...REFINE_TASKS,
    generateSql: generateSqlTask,
    debugSql: debugSqlTask,
    reviseSql: reviseSqlTask,
    ...options.tasks,
  };
  return text2SqlFlow({
    flow: steps,
    access: 'read',
    needs: [GENERATE_SQL_TASK_ID, tasks.reviseSql.id],
    models: last.models,
    knowledgeFirst: true,
    begin: (): AutoSlice => ({
      ...last.begin(),
      ...plan,
      isFirst: false,
      doubts: null,
      signals: null,
      isKept: false,
      revisions: 0,
      attempts: 1,
      agreed: null,
      refinements: 0,
      before: null,
    }),
    open: (base, slice): AutoOwn => ({ ...last.open(base, slice), tasks, sure: options.sure, confidence }),
    report: ({ flow }) => ({ isSpentRecorded: flow.brokenOff !== null }),
  });
}
