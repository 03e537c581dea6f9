import { parseActions } from '@askema/core';
import type { GivenActions } from './ask-actions.ts';
import type { ActionSequence, FindingDecision } from './inspect-state.ts';

/** What a model wrote, as a sequence whose sub-questions are not answered yet. */
export function readActions(given: Pick<GivenActions, 'actions'>): ActionSequence {
  const { actions, problems } = parseActions(given.actions);
  // Their numbers are those of the list that the model wrote, not of the actions that could be read.
  const unread = problems.map(({ action, message, nearestNames }) => ({
    message: action === undefined ? message : `Action ${action + 1} of the list could not be read. ${message}`,
    nearest: nearestNames,
  }));
  return { actions, answers: {}, unread };
}

/** True for who keeps everything: the sequence may be left out then. */
export function keepsAll({ actions, decisions }: Pick<GivenActions, 'actions' | 'decisions'>): boolean {
  return actions.length === 0 && decisions.length > 0 && decisions.every(({ decision }) => decision === 'keep');
}

/** Decisions on findings that were shown, each by its index there; the last word on one counts. */
export function readDecisions(given: Pick<GivenActions, 'decisions'>, shown: number): readonly FindingDecision[] {
  const byFinding = new Map<number, FindingDecision>();
  for (const { finding, decision, reason } of given.decisions) {
    const position = finding - 1;
    if (Number.isInteger(position) && position >= 0 && position < shown)
      byFinding.set(position, { finding: position, decision, reason: reason.trim() });
  }
  return [...byFinding.values()];
}
