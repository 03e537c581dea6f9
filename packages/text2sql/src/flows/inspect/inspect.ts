import { createFlow, end } from '@askema/core';
import { inspectionTools } from '../../inspection/inspection-tools.ts';
import { type FlowReport, text2SqlFlow } from '../../question/flow-spec.ts';
import { executeSql } from '../../steps/execute-sql.ts';
import { getSchema } from '../../steps/get-schema.ts';
import { weighReadings } from '../../steps/weigh-readings.ts';
import { type InspectOptions, inspectPlan } from './inspect-options.ts';
import { createInspectSlice, type InspectFlowState, type InspectSlice } from './state/inspect-state.ts';
import { answerQuestions } from './steps/answer-sub-questions.ts';
import { connectConditions } from './steps/connect-conditions.ts';
import { generateActions } from './steps/generate-actions.ts';
import { inspectActions, reportEngineError } from './steps/inspect-actions.ts';
import { bestTry } from './steps/open-findings.ts';
import { reviseActions } from './steps/revise-actions.ts';
import { GENERATE_ACTIONS_TASK_ID } from './tasks/generate-actions.ts';
import { INSPECT_TASKS, type InspectDeps, type InspectOwn } from './tasks/inspect-tasks.ts';

/** `maxInspections` and `maxDebugAttempts` bound the loops; this only has to be above them. */
const MAX_STEPS = 10_000;

const steps = createFlow<InspectFlowState, InspectDeps>({ name: 'inspect', version: 3, maxSteps: MAX_STEPS })
  .step(getSchema, { default: 'generate-actions' })
  .step(generateActions, { default: 'answer-sub-questions', chosen: 'execute-sql', declined: 'weigh-readings' })
  .step(answerQuestions, { default: 'inspect-actions' })
  .step(inspectActions, { default: 'connect-conditions', revise: 'revise-actions', failed: end('failed') })
  .step(reviseActions, {
    default: 'answer-sub-questions',
    stands: 'connect-conditions',
    declined: end,
    failed: end('failed'),
  })
  .step(connectConditions, { default: 'execute-sql' })
  .step(executeSql, { default: 'weigh-readings', error_retry: 'report-engine-error', failed: end })
  .step(reportEngineError, { default: 'revise-actions', again: 'generate-actions' })
  .step(weighReadings, { default: end })
  .build();

/**
 * Tool-SQL (arXiv 2408.16991): a sequence of clause actions, inspected by a retriever and an error detector before
 * anything runs, and revised by what they found, clause by clause, until all tools agree or the maximum is reached. At
 * the end WeighReadings, where the question can be read in more than one way.
 *
 * @throws AskemaError `CONFIG_INVALID` for a name or a choice that does not exist, and a limit out of range.
 */
export function inspect(options: InspectOptions = {}) {
  const plan = inspectPlan(options);
  const { rules, models = {} } = options;
  const tasks = { ...INSPECT_TASKS, ...options.tasks };
  return text2SqlFlow({
    flow: steps,
    access: 'read',
    needs: [GENERATE_ACTIONS_TASK_ID],
    metricCalls: false,
    models: Object.values(models).filter((model) => model !== undefined),
    begin: (): InspectSlice => createInspectSlice(plan),
    open: (base): InspectOwn => ({
      tasks,
      tools: inspectionTools(base, rules),
      answererOf: (stage) => base.answerer(models[stage]),
    }),
    report: inspectReport,
  });
}

/** What an outcome tells of its inspection; nothing where nothing was inspected. */
function inspectReport({ flow }: Pick<InspectFlowState, 'flow'>): FlowReport {
  const { tries, iterations, chosen, plan } = flow;
  if (tries.length === 0) return {};
  const best = bestTry(tries, plan);
  const standing = tries[chosen ?? best ?? 0];
  return {
    bestSql: tries[best ?? -1]?.sql || undefined,
    inspection: {
      iterations,
      findings: standing?.findings ?? [],
      tries: tries.map(({ sql, findings }) => ({
        sql,
        findings: findings.map(({ code, severity }) => ({ code, severity })),
      })),
    },
  };
}
