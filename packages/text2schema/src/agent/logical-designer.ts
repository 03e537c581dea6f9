import { defineSpeaker, type JsonValue, type Said } from '@askema/core';
import { type DesignDeps, withMeter } from '../design-deps.ts';
import { addWarnings, type DesignState } from '../design-state.ts';
import type { ConceptualModel, DesignFinding, SchemaRole } from '../model/index.ts';
import { addSpent } from '../spending.ts';
import type { LogicalComplaint } from '../tasks/index.ts';
import { designText, findingsText } from '../texts/index.ts';
import { designRelations, type LogicalWork, type LogicalWorkDone } from './design-relations.ts';
import { hasCurrentPlan, profileOf, roleTurnOf, roundsLeft, roundsToVerdict } from './role-turn-of.ts';

/**
 * Proposes types and dependencies, of which the tools make relations. What only the conceptual model can mend goes back
 * to its designer, whether the model names it or not (SchemaAgent, Figure 5).
 */
export const logicalDesigner = (absent: readonly SchemaRole[]) => {
  const profile = profileOf('logical-designer', absent);
  const testing = { role: 'test-executor', when: 'there are tests already, made from the same report' };
  const nextSpeakers = absent.includes('test-executor') ? profile.nextSpeakers : [...profile.nextSpeakers, testing];
  return defineSpeaker<DesignState, DesignDeps>()({
    profile: { ...profile, nextSpeakers },
    prep: (state, visible): LogicalWork => {
      const model = workingModel(state);
      return {
        turn: roleTurnOf(state, visible, 'logical-designer'),
        model,
        isNewModel: JSON.stringify(model) !== state.shownModel,
        before: state.observed?.proposal,
        mayComplain: mayComplain(state),
        complaints: state.complaints,
        explicitConstraints: state.settings.explicitConstraints,
        artefacts: state.artefacts,
      };
    },
    exec: (input, context) =>
      withMeter(context, context.deps.solvers.roles['logical-designer'], (solver) =>
        designRelations(input, solver, context),
      ),
    post: (state, _input, { value, spent }) => {
      addSpent(state.spent, spent);
      acceptDesign(state, value);
      return saidOf(state, value);
    },
  });
};

/** The model that goes on: of a review that found no end, the best one. */
function workingModel(state: Readonly<DesignState>): ConceptualModel {
  const model = openReview(state)?.model ?? state.artefacts.conceptual;
  return model ?? { entitySets: [], relationshipSets: [] };
}

/** The review of a nested chat whose rounds were used up. */
function openReview({ review, chat }: Readonly<DesignState>): DesignState['review'] {
  const exit = chat.messages.findLast(({ leaves }) => leaves !== undefined)?.leaves;
  return review !== null && !review.approved && exit?.how === 'exhausted' ? review : null;
}

function mayComplain(state: Readonly<DesignState>): boolean {
  return state.settings.errorRoutes && roundsLeft(state, false) >= roundsToVerdict(state, 'conceptual-designer');
}

function acceptDesign(state: DesignState, { model, proposal, design }: LogicalWorkDone): void {
  const open = openReview(state)?.open ?? [];
  addWarnings(
    state,
    open.map((finding) => `The review of the conceptual model ended with an open finding. ${lineOf(finding)}`),
  );
  state.review = null;
  state.shownModel = JSON.stringify(model);
  state.observed = { proposal, design };
  state.artefacts = { ...state.artefacts, conceptual: model, design, testReport: undefined };
  state.candidates = [...state.candidates, { conceptual: model, design, testReport: undefined }];
}

function saidOf(state: DesignState, done: LogicalWorkDone): Said {
  const { proposal, design, toolCalls, sentBack } = done;
  const data = { proposal, findings: design.findings, complaints: done.complaints } as unknown as JsonValue;
  if (sentBack !== undefined) {
    for (const key of sentBack.keys)
      state.complaints = { ...state.complaints, [key]: (state.complaints[key] ?? 0) + 1 };
    const text = complaintText(sentBack.complaints, sentBack.findings);
    return { text, data, toolCalls, next: 'conceptual-designer', kind: 'feedback' };
  }
  const open = design.findings.filter(({ severity }) => severity === 'error');
  addWarnings(
    state,
    open.map((finding) => `The design went on with an open finding. ${lineOf(finding)}`),
  );
  const text = [designText(design), ...(open.length === 0 ? [] : ['Open findings:', findingsText(open)])].join('\n');
  return { text, data, toolCalls, next: nextOf(state, done) };
}

/**
 * A name that is no role is handed to the chat, which notes it. Tests that were made from the same report are run at
 * once.
 */
function nextOf(state: DesignState, { next }: LogicalWorkDone): string | null {
  if (next !== null && next !== 'conceptual-designer') return next;
  return hasCurrentPlan(state) ? 'test-executor' : null;
}

function complaintText(complaints: readonly LogicalComplaint[], findings: readonly DesignFinding[]): string {
  const said = complaints.map(({ subject, problem, remedy }) => `- ${subject}: ${problem} Remedy: ${remedy}`);
  return [
    'The conceptual model cannot be mapped to relations as it is.',
    ...said,
    ...(findings.length === 0 ? [] : ['Found by the tools:', findingsText(findings)]),
  ].join('\n');
}

/** A finding as a warning of the outcome. */
export function lineOf({ code, subject, message }: DesignFinding): string {
  return `${code}${subject === '' ? '' : ` (${subject})`}: ${message}`;
}
