import {
  type CallContext,
  defineSpeaker,
  isAskemaError,
  type JsonValue,
  type Said,
  type StepContext,
} from '@askema/core';
import { type DesignDeps, showPhase } from '../../design-deps.ts';
import type { DesignState } from '../../design-state.ts';
import type {
  DesignArtefacts,
  LogicalDesign,
  MutationCheck,
  RequirementTest,
  RequirementTestResult,
  SchemaRole,
  TestPlace,
  TestReport,
} from '../../model/index.ts';
import { checkByMutants } from '../../requirement-tests/check-by-mutants.ts';
import { memoryStore } from '../../requirement-tests/memory-store.ts';
import { placeWholeTests } from '../../requirement-tests/place-whole-tests.ts';
import type { PlacedTest, PlacedTests } from '../../requirement-tests/placed-test.ts';
import { runRequirementTests } from '../../requirement-tests/run-tests.ts';
import { openScratchStore, type ScratchStore } from '../../requirement-tests/scratch-store.ts';
import { testReportOf } from '../../requirement-tests/test-report-of.ts';
import { roundsLeft } from '../role-turn-of.ts';
import { MAX_REVIEWS } from './attacker.ts';
import { NO_DESIGN, openTestsOf, testedProfile } from './tested-turn.ts';

/** Repairs of a run: a designer that does not mend it twice will not at the third time. */
const MAX_REPAIRS = 2;

/** A plan that notices so many of the planted mistakes is asked for no more tests. */
const ENOUGH_NOTICED = 0.8;

interface RunWork {
  readonly design: LogicalDesign;
  readonly tests: readonly RequirementTest[];
  readonly places: readonly TestPlace[];
  readonly hasMutationCheck: boolean;
  readonly artefacts: DesignArtefacts;
}

interface RunDone {
  readonly results: readonly RequirementTestResult[];
  readonly mutation: MutationCheck | undefined;
  readonly report: TestReport;
}

/** Code in the place of the paper's test executor: it runs the tests, weighs them, and says who can mend what failed. */
export const testRunner = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: testedProfile('test-executor', absent),
    prep: (state): RunWork => ({
      design: state.artefacts.design ?? NO_DESIGN,
      tests: state.artefacts.requirementTests ?? [],
      places: state.artefacts.testPlaces ?? [],
      hasMutationCheck: state.settings.mutationCheck,
      artefacts: state.artefacts,
    }),
    exec: (work: RunWork, context) => run(work, context),
    post: (state, _work, { results, mutation, report }): Said => {
      const { tested } = state;
      tested.results = [...results];
      tested.unnoticed = [...(mutation?.unnoticed ?? [])];
      state.artefacts = { ...state.artefacts, testReport: report, ...(mutation && { mutationCheck: mutation }) };
      state.candidates = state.candidates.map((candidate, at, all) =>
        at === all.length - 1
          ? { ...candidate, testReport: report, more: { ...candidate.more, mutationCheck: mutation } }
          : candidate,
      );
      const next = nextOf(state, mutation);
      const data = { results, mutation } as unknown as JsonValue;
      if (next === null) return { text: report.text, data, end: true };
      return { text: report.text, data, next, kind: next === 'logical-designer' ? 'feedback' : 'forward' };
    },
  });

/** The tests on the scratch database, or in memory where there is none. */
async function run(work: RunWork, context: StepContext<DesignDeps>): Promise<RunDone> {
  const { design, tests, places, hasMutationCheck, artefacts } = work;
  const { scratch } = context.deps;
  const done = await context.memo('tests', async (inner): Promise<RunDone> => {
    const started = performance.now();
    const placed = placeWholeTests(tests, design.schema, places);
    const { results, dialect } = await runOn(design, placed, inner, scratch);
    const mutation = hasMutationCheck ? await checkByMutants(placed, results, design.schema, places) : undefined;
    const elapsedMs = performance.now() - started;
    return { results, mutation, report: testReportOf(tests, results, { elapsedMs, dialect, mutation }) };
  });
  const { report, mutation } = done;
  const made = { ...artefacts, testReport: report, ...(mutation && { mutationCheck: mutation }) };
  const shown = await showPhase(context, 'tests', made);
  return { ...done, report: shown.testReport ?? done.report };
}

/** What says that a schema is wrong, and not the database. */
const SCHEMA_ERRORS: ReadonlySet<string> = new Set([
  'QUERY_FAILED',
  'QUERY_REFUSED',
  'SCHEMA_INVALID',
  'INPUT_INVALID',
]);

async function runOn(
  { schema }: LogicalDesign,
  placed: PlacedTests,
  context: CallContext,
  scratch: DesignDeps['scratch'],
): Promise<{ readonly results: readonly RequirementTestResult[]; readonly dialect: string }> {
  if (scratch === undefined)
    return { results: await runRequirementTests(placed, memoryStore(schema)), dialect: 'memory' };
  let store: ScratchStore;
  try {
    store = await openScratchStore({ schema, scratch, context });
  } catch (thrown) {
    if (!isAskemaError(thrown) || !SCHEMA_ERRORS.has(thrown.code)) throw thrown;
    const actual = `The schema could not be created: ${thrown.message}`;
    const failed = ({ test }: PlacedTest) => ({ number: test.number, status: 'failed', gaps: [], actual }) as const;
    return { results: placed.tests.map(failed), dialect: 'none' };
  }
  try {
    return { results: await runRequirementTests(placed, store), dialect: store.dialect };
  } finally {
    await store.close();
  }
}

/** Attack first, so that a repair mends everything at once; then repair; then an end. */
function nextOf(state: Readonly<DesignState>, mutation: MutationCheck | undefined): SchemaRole | null {
  const { settings, tested, artefacts } = state;
  // Whoever speaks next, code runs the tests once more behind it.
  if (roundsLeft(state, false) < 2) return null;
  if (settings.reviewer && tested.reviews < MAX_REVIEWS) return 'conceptual-reviewer';
  if (!settings.reviewer && settings.tests && !tested.completed && !isEnough(mutation)) return 'qa-engineer';
  const hasProblems =
    openTestsOf(state).length > 0 || (artefacts.design?.findings ?? []).some(({ severity }) => severity === 'error');
  return hasProblems && settings.errorRoutes && tested.repairs < MAX_REPAIRS ? 'logical-designer' : null;
}

function isEnough(mutation: MutationCheck | undefined): boolean {
  return mutation === undefined || mutation.planted === 0 || mutation.noticed >= ENOUGH_NOTICED * mutation.planted;
}
