import { defineSpeaker, type JsonValue, type Said } from '@askema/core';
import { type DesignDeps, withMeter } from '../../design-deps.ts';
import type { DesignState } from '../../design-state.ts';
import type { SchemaRole } from '../../model/index.ts';
import { addSpent } from '../../spending.ts';
import { type CounterExamplesInput, type CounterExamplesOutput, counterExamplesTask } from '../../tasks/index.ts';
import {
  addPlaces,
  groundOf,
  NO_DESIGN,
  openGapsOf,
  samplesOf,
  testedProfile,
  testTitles,
  withTests,
} from './tested-turn.ts';

/** Reviews of a run. */
export const MAX_REVIEWS = 1;

/** Mistakes that a review is shown. */
const MAX_UNNOTICED = 8;

/** So many of a list, from all over it. */
function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)] as Item);
}

/** Argues against the design by tests, and says where facts stand that code could not place. */
export const attacker = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: testedProfile('conceptual-reviewer', absent),
    prep: (state): CounterExamplesInput => {
      return {
        ...groundOf(state),
        design: state.artefacts.design ?? NO_DESIGN,
        assumptions: state.artefacts.assumptions ?? [],
        samples: samplesOf(state.artefacts.requirementTests ?? []),
        tests: state.artefacts.requirementTests ?? [],
        gaps: openGapsOf(state),
        unnoticed: spread(state.tested.unnoticed, MAX_UNNOTICED),
        round: { number: state.tested.reviews + 1, of: MAX_REVIEWS },
      };
    },
    exec: (input, context) =>
      withMeter(
        context,
        context.deps.solvers.roles['conceptual-reviewer'],
        async (solver): Promise<CounterExamplesOutput> =>
          (await solver.solve(counterExamplesTask, input, context)).value,
      ),
    post: (state, _input, { value, spent }): Said => {
      addSpent(state.spent, spent);
      const { tests, places, thinking } = value;
      const before = state.artefacts.requirementTests ?? [];
      const all = withTests(before, tests);
      state.artefacts = { ...state.artefacts, requirementTests: all };
      addPlaces(state, places);
      state.tested.reviews += 1;
      const added = all.slice(before.length);
      return {
        text: added.length === 0 ? 'No counter-example.' : testTitles(added),
        data: { thinking, places, tests: added } as unknown as JsonValue,
        next: 'test-executor',
        kind: 'forward',
      };
    },
  });
