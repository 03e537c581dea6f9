import { defineSpeaker, type JsonValue } from '@askema/core';
import { type DesignDeps, withMeter } from '../design-deps.ts';
import type { DesignState } from '../design-state.ts';
import type { ConceptualModel, SchemaRole } from '../model/index.ts';
import { addSpent } from '../spending.ts';
import { type ConceptualModelInput, conceptualModelTask } from '../tasks/index.ts';
import { conceptualModelText } from '../texts/index.ts';
import { NESTED_CHAT, profileOf, roleTurnOf, roundsLeft, roundsToVerdict } from './role-turn-of.ts';

/** Makes the entity-relationship model, and asks the product manager where the requirement leaves it open. */
export const conceptualDesigner = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: profileOf('conceptual-designer', absent),
    prep: (state, visible): ConceptualModelInput => ({
      ...roleTurnOf(state, visible, 'conceptual-designer'),
      previous: state.artefacts.conceptual,
      mayAsk: mayAsk(state),
    }),
    exec: (input, context) =>
      withMeter(context, context.deps.solvers.roles['conceptual-designer'], async (solver) => {
        const { value } = await solver.solve(conceptualModelTask, input, context);
        return value;
      }),
    post: (state, input, { value, spent }) => {
      addSpent(state.spent, spent);
      const { model, doubts, thinking, next } = value;
      state.artefacts = { ...state.artefacts, conceptual: model };
      // A new entry to the nested chat is a new review.
      if ((state.chat.rounds[NESTED_CHAT] ?? 0) === 0) state.review = null;
      const asks = doubts.length > 0 && input.mayAsk;
      const named = next === 'product-manager' && !asks ? null : next;
      const text = asks && named !== null ? doubtsText(doubts, model) : conceptualModelText(model);
      return { text, data: { model, doubts, thinking } as unknown as JsonValue, next: named };
    },
  });

function mayAsk(state: Readonly<DesignState>): boolean {
  const { errorRoutes, productManager, reviewer } = state.settings;
  return errorRoutes && productManager && roundsLeft(state, reviewer) >= roundsToVerdict(state, 'product-manager');
}

function doubtsText(doubts: readonly string[], model: ConceptualModel): string {
  return [
    'Doubts about the requirement:',
    ...doubts.map((doubt) => `- ${doubt}`),
    '',
    'The model so far:',
    conceptualModelText(model),
  ].join('\n');
}
