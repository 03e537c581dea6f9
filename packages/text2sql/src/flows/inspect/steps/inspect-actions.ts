import { defineStep, type StepContext } from '@askema/core';
import { engineFinding } from '../../../inspection/inspect-statement.ts';
import { catalogOf } from '../../../question/question-input.ts';
import type { ActionSequence, InspectFlowState, InspectPlan, InspectTry } from '../state/inspect-state.ts';
import type { InspectDeps } from '../tasks/inspect-tasks.ts';
import { sequenceOf } from './answer-sub-questions.ts';
import { chooseTry } from './choose-try.ts';
import { inspectSequence, type SequenceInspected } from './inspect-sequence.ts';
import { bestTry, blockingFindings, findingKey } from './open-findings.ts';

export interface InspectStart {
  readonly sequence: ActionSequence;
  readonly question: string;
  readonly evidence: string | null;
  readonly plan: InspectPlan;
  readonly catalogFingerprint: string | null;
}

/**
 * Assembles the sequence and has all tools look at it (Tool-SQL, section 2.2), without running it. `revise`: something
 * has to be decided, and a revision is left. Otherwise a try stands: the one with which all tools agree, or, at the
 * maximum or where a revision changed nothing, the one with the fewest and least severe findings, the first among
 * equals. `failed`: no sequence made a statement.
 */
export const inspectActions = defineStep<InspectFlowState, InspectDeps>()({
  name: 'inspect-actions',
  actions: ['default', 'revise', 'failed'],
  prep: (state): InspectStart => ({
    sequence: sequenceOf(state.flow),
    question: state.naturalQuery,
    evidence: state.evidence,
    plan: state.flow.plan,
    catalogFingerprint: state.catalogFingerprint,
  }),
  exec: (start, context): Promise<SequenceInspected> => inspect(start, context),
  post: (state, { sequence, plan }, inspected) => {
    const { flow } = state;
    state.executions += inspected.executions;
    state.warnings.push(...inspected.warnings);
    const keeps = new Set(flow.keeps);
    const { sql, findings } = inspected;
    const kept = [...findings.keys()].filter((at) => {
      const finding = findings[at];
      return finding !== undefined && keeps.has(findingKey(finding, sql));
    });
    const isRepeated = sql !== '' && flow.tries.some((tried) => tried.sql === sql);
    const { decisions } = flow;
    const tried: InspectTry = { ...sequence, sql, findings, kept, decisions, explanation: state.explanation };
    flow.tries = [...flow.tries, tried];
    flow.base = flow.tries.length - 1;
    flow.decisions = [];
    // What a run that breaks off has until then.
    state.generatedSql = flow.tries[bestTry(flow.tries, plan) ?? 0]?.sql || state.generatedSql;
    if (blockingFindings(tried, plan).length === 0) return chooseTry(state, flow.base);
    if (isRepeated || flow.iterations >= plan.limits.maxInspections) return chooseTry(state);
    return 'revise';
  },
});

async function inspect(
  { sequence, question, evidence, plan, catalogFingerprint }: InspectStart,
  context: StepContext<InspectDeps>,
): Promise<SequenceInspected> {
  const catalog = await catalogOf(catalogFingerprint, context.deps, context);
  return inspectSequence({ sequence, question, evidence, catalog, plan }, context);
}

/**
 * After a statement that the database refused: its error becomes a finding about the try that stood, which is revised
 * then. `again`: it was a reading that somebody chose, and the question is asked for the first time.
 */
export const reportEngineError = defineStep<InspectFlowState, InspectDeps>()({
  name: 'report-engine-error',
  actions: ['default', 'again'],
  exec: async () => null,
  post: (state) => {
    const { flow, executionError } = state;
    if (flow.tries.length === 0) return 'again';
    const chosen = flow.chosen ?? flow.base;
    flow.tries = flow.tries.map((tried, position) => {
      if (position !== chosen) return tried;
      const findings = executionError === null ? [] : [engineFinding(executionError, tried.sql)];
      return { ...tried, failed: true, findings: [...tried.findings, ...findings] };
    });
    flow.base = chosen;
    flow.chosen = null;
    return 'default';
  },
});
