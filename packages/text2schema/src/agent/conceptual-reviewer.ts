import { type ChatMessage, defineSpeaker, type JsonValue } from '@askema/core';
import { checkConceptualModel } from '../conceptual/index.ts';
import { type DesignDeps, withMeter } from '../design-deps.ts';
import type { DesignState, ReviewState } from '../design-state.ts';
import type { DesignFinding, SchemaRole } from '../model/index.ts';
import { addSpent } from '../spending.ts';
import { type ReviewInput, reviewOutcome, reviewTask } from '../tasks/index.ts';
import { findingsText } from '../texts/index.ts';
import { profileOf, roleTurnOf } from './role-turn-of.ts';

/** Judges the conceptual model with what code found in it. An approval with an open error of code is none. */
export const conceptualReviewer = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: profileOf('conceptual-reviewer', absent),
    prep: (state, visible): ReviewInput => {
      const model = state.artefacts.conceptual ?? { entitySets: [], relationshipSets: [] };
      const findings = checkConceptualModel(model, state.artefacts.report);
      return { ...roleTurnOf(state, visible, 'conceptual-reviewer'), model, note: noteOf(visible), findings };
    },
    exec: (input, context) =>
      withMeter(context, context.deps.solvers.roles['conceptual-reviewer'], async (solver) => {
        const { value } = await solver.solve(reviewTask, input, context);
        return value;
      }),
    post: (state, input, { value, spent }) => {
      addSpent(state.spent, spent);
      const { approved, findings } = reviewOutcome(input, value);
      state.review = reviewed(state.review, input, approved, findings);
      const data = { approved, findings } as unknown as JsonValue;
      if (approved) return { text: approvalText(findings), data, approved: true };
      return { text: findingsText(findings), data, kind: 'feedback' };
    },
  });

/** Why the designer made the model as it is. */
function noteOf(visible: readonly ChatMessage[]): string | undefined {
  const said = visible.findLast(({ from }) => from === 'conceptual-designer')?.data;
  const { thinking } = (said ?? {}) as { readonly thinking?: unknown };
  return typeof thinking === 'string' && thinking.trim() !== '' ? thinking : undefined;
}

/**
 * Of several models that were rejected, the one with the fewest errors is kept: it goes on when the rounds are used up.
 */
function reviewed(
  before: ReviewState | null,
  { model }: ReviewInput,
  approved: boolean,
  findings: readonly DesignFinding[],
): ReviewState {
  const open = findings.filter(({ severity }) => severity === 'error');
  if (approved || before === null || open.length <= before.open.length) return { approved, model, open };
  return before;
}

function approvalText(findings: readonly DesignFinding[]): string {
  return findings.length === 0 ? 'Approved.' : `Approved. To be kept in mind:\n${findingsText(findings)}`;
}
