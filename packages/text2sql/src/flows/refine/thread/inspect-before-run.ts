import { type ComputedPart, defineStep, type InspectionFinding, type StepContext } from '@askema/core';
import { findingText } from '../../../inspection/finding-text.ts';
import { inspectStatement, type StatementInspected } from '../../../inspection/inspect-statement.ts';
import { catalogOf } from '../../../question/question-input.ts';
import type { RefineThreadState, ResultDoubt } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { mayGoOn } from './execute-attempt.ts';

export interface InspectBeforeStart {
  readonly sql: string;
  readonly computed: readonly ComputedPart[] | undefined;
  readonly question: string;
  readonly evidence: string | null;
  readonly catalogFingerprint: string | null;
}

/**
 * Inspects the statement that is to run, by the tools of the `inspect` flow: what they find speaks against it in the
 * prompt of its review. An error sends it back to be written anew (`rewrite`) without running it, once for each
 * statement and only while the thread may go on.
 */
export const inspectBeforeRun = defineStep<RefineThreadState, RefineDeps>()({
  name: 'inspect-statement',
  actions: ['default', 'rewrite'],
  prep: (state): InspectBeforeStart => ({
    sql: state.sql ?? '',
    computed: state.computed,
    question: state.asked.question,
    evidence: state.asked.evidence,
    catalogFingerprint: state.asked.catalogFingerprint,
  }),
  exec: (start, context): Promise<StatementInspected> => inspect(start, context),
  post: (state, { sql }, { findings, warnings, executions }) => {
    state.executions += executions;
    state.warnings.push(...warnings);
    const doubts = findings.filter(({ severity }) => severity !== 'note').map(doubtOf);
    const wasSentBack = state.attempts.some((attempt) => attempt.sql === sql);
    const isWrong = findings.some(({ severity }) => severity === 'error');
    if (isWrong && !wasSentBack && mayGoOn(state, 2)) {
      state.attempts.push({ sql, stage: 'refine', doubts, isSentBack: true });
      state.inspected = null;
      return 'rewrite';
    }
    state.inspected = doubts;
    return 'default';
  },
});

async function inspect(
  { sql, computed, question, evidence, catalogFingerprint }: InspectBeforeStart,
  context: StepContext<RefineDeps>,
): Promise<StatementInspected> {
  if (sql.trim() === '') return { findings: [], warnings: [], executions: 0 };
  const catalog = await catalogOf(catalogFingerprint, context.deps, context);
  return inspectStatement({ sql, computed, question, evidence, catalog, ...context.deps.own.inspection }, context);
}

/** It quotes cells: marked for a fence. */
function doubtOf(finding: InspectionFinding): ResultDoubt {
  return { code: `inspection/${finding.code}`, message: findingText(finding), quotesData: true };
}
