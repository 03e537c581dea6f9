import {
  AskemaError,
  type Catalog,
  type ComputedPart,
  type ErrorClass,
  type InspectionFinding,
  type SerializedError,
  type StepContext,
  throwIfAborted,
} from '@askema/core';
import { BUILT_IN_RULES, inspectSql, inspectValues, type ResolvedQuery, withSeverities } from '@askema/lint';
import { ERROR_ADVICE } from '../prompts/prompt-sections.ts';
import type { QuestionDeps } from '../question/question-deps.ts';
import { expandStatement } from '../steps/expand-statement.ts';
import { lookUp, lookUpWarning } from '../steps/look-up.ts';
import { statementError } from '../steps/view-result.ts';
import { type InspectionPlan, severitiesOfRules } from './inspection-options.ts';
import type { InspectionTools } from './inspection-tools.ts';

export interface StatementToInspect {
  readonly sql: string;
  readonly question: string;
  readonly evidence?: string | null | undefined;
  /** How it reads the question, by who wrote it. */
  readonly explanation?: string | undefined;
  /** What computes metrics as they are defined, where it stands in the statement: nothing is found in it. */
  readonly computed?: readonly ComputedPart[] | undefined;
  readonly catalog: Catalog;
  readonly plan: InspectionPlan;
  readonly tools: InspectionTools;
}

/** What both tools say of a statement that was not executed. */
export interface StatementInspected {
  readonly findings: readonly InspectionFinding[];
  /** What could not be inspected, for the person who asked. */
  readonly warnings: readonly string[];
  /** Statements that were sent in the detector's place. */
  readonly executions: number;
}

/** With the statement as it was read: no plain data, so nothing for the state of a run. */
export interface StatementRead extends StatementInspected {
  /** Undefined where it could not be parsed. */
  readonly query: ResolvedQuery | undefined;
}

/**
 * Both tools on one statement (Tool-SQL, section 2.2): the detector with the rules of the user and the planner behind
 * it, then the retriever. With `engineErrors` the database's own errors stand in the place of the detector. A tool that
 * fails says so in a warning: it is an aid.
 */
export async function inspectStatement(
  statement: StatementToInspect,
  context: StepContext<QuestionDeps>,
): Promise<StatementInspected> {
  const { query: _, ...inspected } = await readStatement(statement, context);
  return inspected;
}

/** {@link inspectStatement}, with what the detector read. */
export async function readStatement(
  statement: StatementToInspect,
  context: StepContext<QuestionDeps>,
): Promise<StatementRead> {
  const expanded = await lookUp(() => expandStatement(statement.sql, context));
  if (expanded instanceof AskemaError) {
    const { message, span } = engineFinding(expanded.toJSON(), statement.sql);
    const finding: InspectionFinding = { ...METRIC_FINDING, message, span };
    return { findings: [finding], warnings: [], executions: 0, query: undefined };
  }
  const { sql, parts } = expanded ?? { sql: statement.sql, parts: [] };
  const computed = [...(statement.computed ?? []), ...parts];
  const read = await readWhole({ ...statement, sql }, context);
  return { ...read, findings: read.findings.filter((finding) => !isWithin(finding, sql, computed)) };
}

/** What the database says holds everywhere. */
function isWithin({ span, code }: InspectionFinding, sql: string, computed: readonly ComputedPart[]): boolean {
  if (code === 'engine-error' || (span.start === 0 && span.end === sql.length)) return false;
  return computed.some((part) => {
    for (let at = sql.indexOf(part.sql); at >= 0; at = sql.indexOf(part.sql, at + 1))
      if (span.start >= at && span.end <= at + part.sql.length) return true;
    return false;
  });
}

const METRIC_FINDING = {
  code: 'custom/knowledge-metric',
  severity: 'error',
  advice: 'Ask for the metric so that it can be computed as it is defined.',
} as const;

/** Without `metric(…)`. */
async function readWhole(
  { sql, question, evidence, explanation, catalog, plan, tools }: StatementToInspect,
  context: StepContext<QuestionDeps>,
): Promise<StatementRead> {
  const { stages } = plan;
  const { adapter, knowledge, limits } = context.deps;
  const known = await lookUp(async () => knowledge?.source.on(catalog, adapter.dialect));
  const { findings: found, query } = await inspectSql(sql, {
    catalog: known === undefined || known instanceof AskemaError ? catalog : known.catalog,
    dialect: adapter.dialect,
    parser: tools.parser,
    question,
    evidence: evidence ?? undefined,
    rules: stages.detector ? [...BUILT_IN_RULES, ...tools.rules] : [],
    severities: stages.detector ? severitiesOfRules(plan.severities) : {},
    planner: stages.planner && !stages.engineErrors ? adapter.planner : undefined,
    timeoutMs: limits.timeoutMs,
    signal: context.signal,
    context,
  });
  const warnings: string[] = [];
  const findings = stages.detector ? [...found] : found.filter(({ code }) => code === 'engine-error');
  if (stages.detector && known !== undefined && !(known instanceof AskemaError))
    findings.push(...withSeverities(known.check({ sql, question, explanation, query }), plan.severities));
  const refused = stages.engineErrors ? await engineError(sql, context) : undefined;
  if (refused !== undefined && refused.finding !== undefined) findings.push(refused.finding);
  if (stages.retriever && query !== undefined) {
    const values = await lookUp(() =>
      inspectValues(query, {
        adapter,
        valueIndex: tools.cellsOf(catalog),
        nearest: plan.limits.nearestCells,
        elsewhere: plan.limits.elsewhere,
        maxConditions: plan.limits.maxConditions,
        totalTimeoutMs: plan.limits.retrieverTimeoutMs,
        context,
      }),
    );
    if (values instanceof AskemaError) warnings.push(lookUpWarning(values));
    else findings.push(...withSeverities(values, plan.severities));
  }
  throwIfAborted(context.signal, 'The inspection');
  return { findings, warnings, executions: refused?.executions ?? 0, query };
}

/** The plan of the statement, or, where there is no planner, its first row. */
async function engineError(
  sql: string,
  context: StepContext<QuestionDeps>,
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

const ADVICE = 'Write the statement so that the database accepts it.';

/** An error of the database as a finding about the whole statement. */
export function engineFinding(error: SerializedError, sql: string): InspectionFinding {
  const { nearestNames } = error.details;
  const errorClass: ErrorClass | undefined =
    error.details.errorClass ?? (error.code === 'QUERY_TIMEOUT' ? 'timeout' : undefined);
  return {
    code: 'engine-error',
    severity: 'error',
    message: error.message,
    advice: (errorClass === undefined ? undefined : ERROR_ADVICE[errorClass]) ?? ADVICE,
    span: { start: 0, end: sql.length },
    ...(nearestNames === undefined ? {} : { nearestNames }),
  };
}
