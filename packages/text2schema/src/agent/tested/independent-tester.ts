import { defineSpeaker, type JsonValue, type Said } from '@askema/core';
import { type DesignDeps, withMeter } from '../../design-deps.ts';
import type { DesignState } from '../../design-state.ts';
import type { SchemaRole } from '../../model/index.ts';
import { addSpent } from '../../spending.ts';
import { type RequirementTestsInput, type RequirementTestsOutput, requirementTestsTask } from '../../tasks/index.ts';
import { groundOf, samplesOf, testedProfile, testTitles, withTests } from './tested-turn.ts';

/**
 * Writes the tests from the requirement alone, decides disputes of tests by it, and writes tests for mistakes that
 * nobody would notice. It never sees a design.
 */
export const independentTester = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: testedProfile('qa-engineer', absent),
    prep: (state): RequirementTestsInput => {
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
      };
    },
    exec: (input, context) =>
      withMeter(
        context,
        context.deps.solvers.roles['qa-engineer'],
        async (solver): Promise<RequirementTestsOutput> =>
          (await solver.solve(requirementTestsTask, input, context)).value,
      ),
    post: (state, { disputed, unnoticed }, { value, spent }): Said => {
      addSpent(state.spent, spent);
      const { samples, tests, verdicts, thinking } = value;
      const { requirementTests = [] } = state.artefacts;
      const shown = new Set(disputed.map(({ test }) => test.number));
      const withdrawn = new Set(
        verdicts.filter(({ test, verdict }) => verdict === 'withdrawn' && shown.has(test)).map(({ test }) => test),
      );
      const kept = requirementTests.filter(({ number }) => !withdrawn.has(number));
      // Numbers of withdrawn tests are not given again: the chat has spoken of them.
      const all = withTests(requirementTests, tests, requirementTests.length === 0 ? samples : []).slice(
        requirementTests.length,
      );
      state.artefacts = { ...state.artefacts, requirementTests: [...kept, ...all] };
      const { tested } = state;
      tested.settled = [...tested.settled, ...[...shown].filter((test) => !withdrawn.has(test))];
      tested.disputed = [];
      if (unnoticed.length > 0) tested.completed = true;
      const text = [
        ...(withdrawn.size === 0 ? [] : [`Withdrawn: ${[...withdrawn].join(', ')}.`]),
        testTitles(all),
      ].join('\n');
      return {
        text: text.trim() === '' ? 'No further tests.' : text,
        data: { thinking, tests: all, verdicts } as unknown as JsonValue,
        next: 'test-executor',
        kind: 'forward',
      };
    },
  });
