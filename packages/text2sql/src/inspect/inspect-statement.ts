import {
  AskemaError,
  BUILT_IN_RULES,
  type Catalog,
  type InspectionFinding,
  inspectSql,
  inspectValues,
  type StepContext,
  throwIfAborted,
  toAskemaError,
  withSeverities,
} from '@askema/core';
import { statementError } from '../steps/statement-errors.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import { engineFinding } from './engine-finding.ts';
import type { InspectPlan } from './inspect-options.ts';

export interface StatementToInspect {
  readonly sql: string;
  readonly question: string;
  readonly catalog: Catalog;
  readonly plan: Pick<InspectPlan, 'stages' | 'limits' | 'severities'>;
}

/** What both tools say of a statement that was not executed. */
export interface StatementInspected {
  readonly findings: readonly InspectionFinding[];
  /** What could not be inspected, for the person who asked. */
  readonly warnings: readonly string[];
  /** Statements that were sent in the detector's place. */
  readonly executions: number;
}

/**
 * Both tools on one statement (Tool-SQL, section 2.2): the detector with the rules of the user and the planner behind it, then the retriever. With
 * `engineErrors` the database's own errors stand in the place of the detector. A tool that fails says so in a warning: it is an aid.
 */
export async function inspectStatement(
  { sql, question, catalog, plan }: StatementToInspect,
  context: StepContext<Text2SqlDeps>,
): Promise<StatementInspected> {
  const { stages } = plan;
  const { adapter, inspect, limits } = context.deps;
  const { findings: found, query } = await inspectSql(sql, {
    catalog,
    dialect: adapter.dialect,
    parser: inspect.parser,
    question,
    rules: stages.detector ? [...BUILT_IN_RULES, ...inspect.rules] : [],
    severities: stages.detector ? plan.severities : {},
    planner: stages.planner && !stages.engineErrors ? adapter.planner : undefined,
    timeoutMs: limits.timeoutMs,
    signal: context.signal,
    context,
  });
  const warnings: string[] = [];
  const findings = stages.detector ? [...found] : found.filter(({ code }) => code === 'engine-error');
  const refused = stages.engineErrors ? await engineError(sql, context) : undefined;
  if (refused !== undefined && refused.finding !== undefined) findings.push(refused.finding);
  if (stages.retriever && query !== undefined) {
    const values = await lookUp(() =>
      inspectValues(query, {
        adapter,
        valueIndex: inspect.cellsOf(catalog),
        nearest: plan.limits.nearestCells,
        elsewhere: plan.limits.elsewhere,
        maxConditions: plan.limits.maxConditions,
        totalTimeoutMs: plan.limits.retrieverTimeoutMs,
        context,
      }),
    );
    if (values instanceof AskemaError) warnings.push(`Values of conditions could not be looked up: ${values.message}`);
    else findings.push(...withSeverities(values, plan.severities));
  }
  throwIfAborted(context.signal, 'The inspection');
  return { findings, warnings, executions: refused?.executions ?? 0 };
}

async function lookUp<T>(work: () => Promise<T>): Promise<T | AskemaError> {
  try {
    return await work();
  } catch (thrown) {
    const error = toAskemaError(thrown);
    if (error.code === 'ABORTED') throw error;
    return error;
  }
}

/** The plan of the statement, or, where there is no planner, its first row. */
async function engineError(
  sql: string,
  context: StepContext<Text2SqlDeps>,
): Promise<{ readonly finding: InspectionFinding | undefined; readonly executions: number }> {
  const { adapter, limits } = context.deps;
  const { verdict, error } = await adapter.planner.check(sql, { timeoutMs: limits.timeoutMs, context });
  if (verdict === 'invalid') {
    const complaint = new AskemaError('QUERY_FAILED', error?.message ?? 'The database refused the statement.', {
      details: { ...error?.details },
    });
    return { finding: engineFinding(complaint.toJSON(), sql), executions: 0 };
  }
  if (verdict === 'ok') return { finding: undefined, executions: 0 };
  try {
    await adapter.query(sql, { ...limits, maxRows: 1, access: 'read', context });
    return { finding: undefined, executions: 1 };
  } catch (thrown) {
    return { finding: engineFinding(statementError(thrown).toJSON(), sql), executions: 1 };
  }
}
