import { defineStep, type StepContext } from '@askema/core';
import { catalogOf } from '../../steps/sql-input.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { Text2SqlState } from '../../text2sql-state.ts';
import { settle } from '../choose-try.ts';
import type { InspectPlan } from '../inspect-options.ts';
import { inspectSequence, type SequenceInspected } from '../inspect-sequence.ts';
import type { ActionSequence, InspectTry } from '../inspect-state.ts';
import { bestTry, blockingFindings, findingKey } from '../open-findings.ts';
import { sequenceOf } from './answer-sub-questions.ts';

export interface InspectStart {
  readonly sequence: ActionSequence;
  readonly question: string;
  readonly plan: InspectPlan;
  readonly catalogFingerprint: string | null;
}

/**
 * Assembles the sequence and has all tools look at it (Tool-SQL, section 2.2), without running it. `revise`: something has to be decided, and a
 * revision is left. Otherwise a try stands: the one with which all tools agree, or, at the maximum or where a revision changed nothing, the one with the
 * fewest and least severe findings, the first among equals. `failed`: no sequence made a statement.
 */
export const inspectActions = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'inspect-actions',
  actions: ['default', 'revise', 'failed'],
  prep: (state): InspectStart => ({
    sequence: sequenceOf(state.inspect),
    question: state.naturalQuery,
    plan: state.inspect.plan,
    catalogFingerprint: state.catalogFingerprint,
  }),
  exec: (start, context): Promise<SequenceInspected> => inspect(start, context),
  post: (state, { sequence, plan }, inspected) => {
    const { inspect } = state;
    state.executions += inspected.executions;
    state.warnings.push(...inspected.warnings);
    const keeps = new Set(inspect.keeps);
    const { sql, findings } = inspected;
    const kept = [...findings.keys()].filter((at) => {
      const finding = findings[at];
      return finding !== undefined && keeps.has(findingKey(finding, sql));
    });
    const isRepeated = sql !== '' && inspect.tries.some((tried) => tried.sql === sql);
    const { decisions } = inspect;
    const tried: InspectTry = { ...sequence, sql, findings, kept, decisions, explanation: state.explanation };
    inspect.tries = [...inspect.tries, tried];
    inspect.base = inspect.tries.length - 1;
    inspect.decisions = [];
    // What a run that breaks off has until then.
    state.generatedSql = inspect.tries[bestTry(inspect.tries, plan) ?? 0]?.sql || state.generatedSql;
    if (blockingFindings(tried, plan).length === 0) return settle(state, inspect.base);
    if (isRepeated || inspect.iterations >= plan.limits.maxInspections) return settle(state);
    return 'revise';
  },
});

async function inspect(
  { sequence, question, plan, catalogFingerprint }: InspectStart,
  context: StepContext<Text2SqlDeps>,
): Promise<SequenceInspected> {
  const catalog = await catalogOf(catalogFingerprint, context.deps, context);
  return inspectSequence({ sequence, question, catalog, plan }, context);
}
