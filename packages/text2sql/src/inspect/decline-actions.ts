import type { InspectionFinding } from '@askema/core';
import { cutText, onOneLine } from '../cut-text.ts';
import type { Text2SqlState } from '../text2sql-state.ts';
import type { GivenActions } from './ask-actions.ts';

/** Cells that a reason names for one value. */
const MAX_CELLS = 5;
const MAX_CELL_CHARACTERS = 80;

/**
 * Ends a question that the model declines. Where it does so because of values that are not stored, the nearest cells stand in the reason: they come from the
 * findings, not from what the model says of them.
 */
export function declineActions(
  state: Pick<Text2SqlState, 'verdict'>,
  given: Pick<GivenActions, 'outcome' | 'explanation' | 'not_understood'>,
  findings: readonly InspectionFinding[] = [],
): 'declined' {
  const said = given.explanation.trim();
  if (given.outcome === 'needs_clarification') {
    state.verdict = { type: 'needsClarification', ask: said || 'The question can be read in more than one way.' };
    return 'declined';
  }
  const missing = findings.filter(({ code }) => code === 'value-not-found');
  const reason = [said || 'The database does not hold what the question asks for.', ...missing.map(cellsText)].join(
    ' ',
  );
  const words = given.not_understood.length > 0 ? given.not_understood : missing.flatMap(({ value }) => value ?? []);
  state.verdict = { type: 'unanswerable', reason, notUnderstood: words };
  return 'declined';
}

function cellsText({ value = '', column = '', cells = [] }: InspectionFinding): string {
  const where = column === '' ? '' : ` in ${onOneLine(column)}`;
  // Cells that are not like it at all are samples of the column.
  const near = cells.filter(({ score }) => score > 0);
  const shown = (near.length > 0 ? near : cells)
    .slice(0, MAX_CELLS)
    .map((cell) => `“${cutText(onOneLine(cell.value), MAX_CELL_CHARACTERS)}” (${onOneLine(cell.column)})`)
    .join(', ');
  const samples = shown === '' ? '' : `; there are cells such as ${shown}`;
  const nearest = near.length > 0 ? `the nearest cells are ${shown}` : `nothing near it is stored${samples}`;
  return `“${cutText(onOneLine(value), MAX_CELL_CHARACTERS)}” is not stored${where}; ${nearest}.`;
}
