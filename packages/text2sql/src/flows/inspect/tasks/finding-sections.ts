import { fence, type InspectionFinding } from '@askema/core';
import { cutText, onOneLine } from '../../../prompts/cut-text.ts';
import { writeAction } from '../clauses/write-action.ts';
import type { ActionSequence } from '../state/inspect-state.ts';
import { type ActionForm, actionLine } from './action-rules.ts';

/** A sequence that was inspected, with what was found, for a prompt. */
export interface InspectedSequence extends Pick<ActionSequence, 'actions' | 'answers'> {
  readonly sql: string;
  /** In the order of their numbers, which begin with 1. */
  readonly findings: readonly ShownFinding[];
}

interface ShownFinding {
  readonly finding: InspectionFinding;
  /** What the model said to it in an earlier round. */
  readonly isKept: boolean;
  /** True when it has to be decided. */
  readonly isOpen: boolean;
}

const MAX_STATEMENT_CHARACTERS = 8_000;
const MAX_LINE_CHARACTERS = 600;
const MAX_CELL_CHARACTERS = 120;
const MAX_CELLS = 12;

/** Earlier sequences, oldest first: their actions and what speaks against them, in short. */
export function earlierSections(earlier: readonly InspectedSequence[], form: ActionForm): readonly string[] {
  return earlier.map(({ findings, ...sequence }) => {
    const problems = findings.filter(({ isOpen }) => isOpen).map(({ finding }) => line(finding.message));
    const against =
      problems.length === 0 ? [] : [`What spoke against them:\n${fence('findings', problems.join('\n'))}`];
    return [`Actions that were tried before:\n${actionBlock(sequence, form)}`, ...against].join('\n');
  });
}

/** The last sequence, the statement made from it, and its findings by their numbers. */
export function inspectedSections(last: InspectedSequence, form: ActionForm): readonly string[] {
  const sections = [`The actions:\n${actionBlock(last, form)}`];
  if (last.sql !== '')
    sections.push(
      `The statement assembled from them:\n${fence('statement', cutText(last.sql, MAX_STATEMENT_CHARACTERS))}`,
    );
  const lines = last.findings.flatMap((shown, position) => findingLines(shown, position + 1));
  sections.push(`What was found by inspecting it:\n${fence('findings', lines.join('\n'))}`);
  return sections;
}

/** Findings quote cells and names, which anybody may have written: each of their lines stands alone, inside a fence. */
function findingLines({ finding, isKept, isOpen }: ShownFinding, number: number): readonly string[] {
  const { action, severity, code, message, advice, nearestNames = [], cells = [], column, value } = finding;
  const where = action === undefined ? '' : `action ${action + 1}, `;
  const note = isKept ? ', kept before' : isOpen || severity === 'note' ? '' : ', no decision needed';
  const lines = [`${number}. (${where}${severity} ${code}${note}) ${line(message)}`];
  if (isOpen && advice.trim() !== '') lines.push(`   advice: ${line(advice)}`);
  if (nearestNames.length > 0) lines.push(`   near names: ${line(nearestNames.join(', '))}`);
  const own = cells.filter((cell) => cell.column === column).slice(0, MAX_CELLS);
  const others = cells.filter((cell) => cell.column !== column).slice(0, MAX_CELLS);
  if (own.length > 0)
    lines.push(`   nearest cells of ${onOneLine(column ?? '')}: ${own.map((cell) => quoted(cell.value)).join(', ')}`);
  else if (value !== undefined && column !== undefined) lines.push(`   no cell of ${onOneLine(column)} is near`);
  for (const cell of others) lines.push(`   elsewhere: ${onOneLine(cell.column)} holds ${quoted(cell.value)}`);
  return lines;
}

type Actions = Pick<ActionSequence, 'actions' | 'answers'>;

/** Numbered as findings name them, those of sub-questions below their own, each as the model writes it. */
function actionLines({ actions, answers }: Actions, form: ActionForm, prefix = ''): readonly string[] {
  return actions.flatMap((action, position) => {
    const number = `${prefix}${position + 1}`;
    const answer = action.action === 'qa' && Object.hasOwn(answers, action.id) ? answers[action.id] : undefined;
    const below = answer === undefined ? [] : actionLines(answer, form, `${number}.`);
    return [`${number}. ${onOneLine(actionLine(writeAction(action), form))}`, ...below];
  });
}

function actionBlock(sequence: Actions, form: ActionForm): string {
  return fence('actions', actionLines(sequence, form).join('\n'));
}

function line(text: string): string {
  return cutText(onOneLine(text), MAX_LINE_CHARACTERS);
}

function quoted(cell: string): string {
  return JSON.stringify(cutText(cell, MAX_CELL_CHARACTERS));
}
