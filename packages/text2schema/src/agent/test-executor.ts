import { defineSpeaker, EMPTY_SCHEMA, type JsonValue, type StepContext } from '@askema/core';
import { type DesignDeps, showPhase, withMeter } from '../design-deps.ts';
import { addWarnings, type DesignState } from '../design-state.ts';
import type {
  ConceptualModel,
  DesignArtefacts,
  LogicalDesign,
  SchemaRole,
  TestPlan,
  TestReport,
  TestRun,
} from '../model/index.ts';
import { addSpent } from '../spending.ts';
import { MENDING_ROLES, type RoleTurnInput, type TestReportOutput, testReportTask } from '../tasks/index.ts';
import { runTestPlan } from '../test-plan/run-test-plan.ts';
import { profileOf, roleTurnOf, roundsLeft, roundsToVerdict } from './role-turn-of.ts';
import { type Judgement, judge } from './test-verdict.ts';

interface TestWork {
  readonly turn: RoleTurnInput;
  readonly model: ConceptualModel;
  readonly design: LogicalDesign;
  readonly plan: TestPlan;
  readonly mayReject: boolean;
  readonly explicitConstraints: boolean;
  /** Whom it may send errors to. */
  readonly present: readonly SchemaRole[];
  readonly artefacts: DesignArtefacts;
}

interface TestWorkDone {
  readonly report: TestReport;
  readonly judgement: Judgement;
  readonly warnings: readonly string[];
}

const NO_DESIGN: LogicalDesign = { schema: EMPTY_SCHEMA, relations: [], decompositions: [], findings: [] };

/** Runs the tests, judges by what they really did, and ends the design or sends it to whoever can mend it. */
export const testExecutor = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: profileOf('test-executor', absent),
    prep: (state, visible): TestWork => ({
      turn: roleTurnOf(state, visible, 'test-executor'),
      model: state.artefacts.conceptual ?? { entitySets: [], relationshipSets: [] },
      design: state.artefacts.design ?? NO_DESIGN,
      plan: state.artefacts.testPlan ?? { sets: [] },
      mayReject: state.settings.errorRoutes && roundsLeft(state, false) >= roundsToVerdict(state, 'logical-designer'),
      explicitConstraints: state.settings.explicitConstraints,
      present: MENDING_ROLES.filter((role) => !absent.includes(role)),
      artefacts: state.artefacts,
    }),
    exec: (work, context) =>
      withMeter(context, context.deps.solvers.roles['test-executor'], async (solver): Promise<TestWorkDone> => {
        const { turn, model, design, plan, mayReject, explicitConstraints } = work;
        const { run, warnings } = await runTests(work, context);
        const input = { ...turn, model, design, plan, run, mayReject, explicitConstraints };
        const { value } = await solver.solve(testReportTask, input, context);
        return finish(work, value, run, warnings, context);
      }),
    post: (state, { mayReject }, { value, spent }) => {
      addSpent(state.spent, spent);
      const { report, judgement, warnings } = value;
      addWarnings(state, [...warnings, ...judgement.warnings]);
      state.artefacts = { ...state.artefacts, testReport: report };
      state.candidates = state.candidates.map((candidate, at, all) =>
        at === all.length - 1 ? { ...candidate, testReport: report } : candidate,
      );
      const data = report as unknown as JsonValue;
      if (report.accepted || !mayReject || judgement.next === null) return { text: report.text, data, end: true };
      return { text: judgement.text, data, next: judgement.next, kind: 'feedback' };
    },
  });

async function finish(
  { artefacts, present }: TestWork,
  output: TestReportOutput,
  run: TestRun | undefined,
  warnings: readonly string[],
  context: StepContext<DesignDeps>,
): Promise<TestWorkDone> {
  const judgement = judge(output, run, present);
  const { accepted, errors } = judgement;
  const report: TestReport = { accepted, errors, text: output.text, run };
  const shown = await showPhase(context, 'tests', { ...artefacts, testReport: report });
  return { report: shown.testReport ?? report, judgement, warnings };
}

interface RanTests {
  readonly run: TestRun | undefined;
  readonly warnings: readonly string[];
}

/** The tests on a scratch database, once in a run. */
async function runTests(
  { plan, design, model, artefacts }: TestWork,
  context: StepContext<DesignDeps>,
): Promise<RanTests> {
  const { scratch } = context.deps;
  if (scratch === undefined)
    return { run: undefined, warnings: ['No scratch database was passed: the tests were judged by reading alone.'] };
  return context.memo('tests', async (inner): Promise<RanTests> => {
    const { report } = artefacts;
    const run = await runTestPlan({ plan, design, report, conceptual: model, scratch, context: inner });
    return { run, warnings: [] };
  });
}
