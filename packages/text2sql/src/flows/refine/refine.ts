import { createFlow, end } from '@askema/core';
import { explorationLimits } from '@askema/grounding';
import { inspectionPlan } from '../../inspection/inspection-options.ts';
import { inspectionTools } from '../../inspection/inspection-tools.ts';
import { type Text2SqlFlow, text2SqlFlow } from '../../question/flow-spec.ts';
import { executeSql } from '../../steps/execute-sql.ts';
import { getSchema } from '../../steps/get-schema.ts';
import { weighReadings } from '../../steps/weigh-readings.ts';
import { type RefineOptions, refinePlan } from './refine-options.ts';
import { RUN_THREADS } from './run-threads.ts';
import type { RefinePreset } from './state/refine-plan.ts';
import { createRefineSlice, type RefineSlice, type RefineState } from './state/refine-state.ts';
import { chooseAnswer } from './steps/choose-answer.ts';
import { expectFormat } from './steps/expect-format.ts';
import { profileColumns } from './steps/profile-columns.ts';
import { takeChoice } from './steps/take-choice.ts';
import { vote } from './steps/vote.ts';
import { REFINE_SQL_TASK_ID } from './tasks/refine-sql.ts';
import { REFINE_TASKS, type RefineDeps, type RefineOwn } from './tasks/refine-tasks.ts';
import { refineThreadFlow } from './thread-flow.ts';

const steps = createFlow<RefineState, RefineDeps>({ name: 'refine', version: 4 })
  .step(getSchema, { default: 'take-choice' })
  .step(takeChoice, { default: 'expect-format', chosen: 'execute-sql' })
  .step(executeSql, { default: end, error_retry: 'expect-format', failed: end })
  .step(expectFormat, { default: 'profile-columns' })
  .step(profileColumns, { default: 'threads' })
  .parallel('threads', refineThreadFlow, { default: 'vote', more: 'threads' }, RUN_THREADS)
  .step(vote, { default: 'weigh-readings', tie: 'choose-answer' })
  .step(chooseAnswer, { default: 'weigh-readings' })
  .step(weighReadings, { default: end })
  .build();

/**
 * What the schema in the prompts looks like, unless `createText2Sql` is told: the compression of the paper (section
 * 3.2.1) and of its authors' code. The paper shows no values but those that its exploration finds (section 3.2.3).
 */
const SCHEMA_OF: Readonly<Record<RefinePreset, Pick<Text2SqlFlow, 'compression' | 'sampleValues'>>> = {
  askema: {},
  paper: { compression: 'paper', sampleValues: 0 },
  v5: { compression: 'v5' },
};

/**
 * ReFoRCE (arXiv 2502.00675): schema and documents, the expected answer format, threads that explore and refine
 * independently, a vote over their whole results, and a model that settles what the vote cannot. At the end the other
 * readings of the winning thread are weighed.
 *
 * @throws AskemaError `CONFIG_INVALID` for a preset, a name or a choice that does not exist, `INPUT_INVALID` for a
 * limit out of range.
 */
export function refine(options: RefineOptions = {}) {
  const { models = {} } = options;
  const plan = refinePlan(options);
  const exploration = explorationLimits({ preset: plan.preset, ...options.exploration });
  const inspection = inspectionPlan('refine.inspection', options.inspection);
  const tasks = { ...REFINE_TASKS, ...options.tasks };
  return text2SqlFlow({
    flow: steps,
    access: 'read',
    needs: [REFINE_SQL_TASK_ID],
    ...SCHEMA_OF[plan.preset],
    models: Object.values(models).filter((model) => model !== undefined),
    begin: (): RefineSlice => createRefineSlice({ plan, exploration, inspection }),
    open: (base, slice): RefineOwn => ({
      tasks,
      concurrency: slice.plan.limits.concurrency,
      exploration: slice.exploration,
      inspection: { plan: slice.inspection, tools: inspectionTools(base, options.inspection?.rules) },
      solverOf: (stage, thread) => base.answerer(models[stage], { sample: thread }).solver,
    }),
    report: ({ flow }) => ({ isSpentRecorded: flow.brokenOff !== null }),
  });
}
