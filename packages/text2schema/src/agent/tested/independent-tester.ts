import { defineSpeaker, type JsonValue, type Said } from '@askema/core';
import { type DesignDeps, showPhase, withMeter } from '../../design-deps.ts';
import { addWarnings, type DesignState } from '../../design-state.ts';
import type { DesignArtefacts, RequirementTest, SchemaRole } from '../../model/index.ts';
import { addSpent } from '../../spending.ts';
import { type RequirementTestsInput, type RequirementTestsOutput, requirementTestsTask } from '../../tasks/index.ts';
import { groundOf, samplesOf, testedProfile, testTitles, withoutTests, withTests } from './tested-turn.ts';

interface TestWork extends RequirementTestsInput {
  readonly artefacts: DesignArtefacts;
}

interface TestsWritten {
  readonly output: RequirementTestsOutput;
  readonly withdrawn: readonly number[];
  /** All that are to run. */
  readonly tests: readonly RequirementTest[];
}

/**
 * Writes the tests from the requirement alone, decides disputes of tests by it, and writes tests for mistakes that
 * nobody would notice. It never sees a design.
 */
export const independentTester = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: testedProfile('qa-engineer', absent),
    prep: (state): TestWork => {
      const { requirementTests = [] } = state.artefacts;
      const { disputed, unnoticed } = state.tested;
      const byNumber = new Map(requirementTests.map((test) => [test.number, test]));
      return {
        ...groundOf(state),
        samples: samplesOf(requirementTests),
        disputed: disputed.flatMap(({ test, reason }) => {
          const found = byNumber.get(test);
          return found === undefined ? [] : [{ test: found, reason }];
        }),
        unnoticed: disputed.length === 0 && requirementTests.length > 0 ? unnoticed : [],
        artefacts: state.artefacts,
      };
    },
    exec: ({ artefacts, ...input }, context) =>
      withMeter(context, context.deps.solvers.roles['qa-engineer'], async (solver): Promise<TestsWritten> => {
        const { value: output } = await solver.solve(requirementTestsTask, input, context);
        const { requirementTests = [] } = artefacts;
        const shown = new Set(input.disputed.map(({ test }) => test.number));
        const withdrawn = output.verdicts
          .filter(({ test, verdict }) => verdict === 'withdrawn' && shown.has(test))
          .map(({ test }) => test);
        // Numbers of withdrawn tests are not given again: the chat has spoken of them.
        const written = withTests(requirementTests, output.tests, requirementTests.length === 0 ? output : undefined);
        const made = withoutTests(written, withdrawn);
        const edited = await showPhase(context, 'requirement-tests', { ...artefacts, requirementTests: made });
        return { output, withdrawn, tests: edited.requirementTests ?? made };
      }),
    post: (state, { disputed, artefacts }, { value, spent }): Said => {
      addSpent(state.spent, spent);
      const { output, withdrawn, tests } = value;
      state.artefacts = { ...state.artefacts, requirementTests: tests };
      if (tests.length === 0) addWarnings(state, ['The QA engineer wrote no tests: the design was not tested.']);
      const { tested } = state;
      const stands = disputed.flatMap(({ test: { number } }) => (withdrawn.includes(number) ? [] : [number]));
      tested.settled = [...tested.settled, ...stands];
      tested.disputed = [];
      if (disputed.length === 0 && artefacts.requirementTests !== undefined) tested.completed = true;
      const before = new Set((artefacts.requirementTests ?? []).map(({ number }) => number));
      const added = tests.filter(({ number }) => !before.has(number));
      const text = [...(withdrawn.length === 0 ? [] : [`Withdrawn: ${withdrawn.join(', ')}.`]), testTitles(added)].join(
        '\n',
      );
      return {
        text: text.trim() === '' ? 'No further tests.' : text,
        data: { thinking: output.thinking, tests: added, verdicts: output.verdicts } as unknown as JsonValue,
        next: 'test-executor',
        kind: 'forward',
      };
    },
  });
