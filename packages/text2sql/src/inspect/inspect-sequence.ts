import {
  type ActionProblem,
  type AssembledSql,
  type AssembleOptions,
  actionAt,
  assembleSql,
  type Catalog,
  type InspectionFinding,
  type StepContext,
} from '@askema/core';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { InspectPlan } from './inspect-options.ts';
import type { ActionSequence, SequenceProblem, SubAnswer } from './inspect-state.ts';
import { inspectStatement, type StatementInspected } from './inspect-statement.ts';

export interface SequenceToInspect {
  readonly sequence: ActionSequence;
  readonly question: string;
  readonly catalog: Catalog;
  readonly plan: InspectPlan;
}

export interface SequenceInspected extends StatementInspected {
  /** Empty where no statement could be made. */
  readonly sql: string;
}

/** A sequence as a statement. Conditions without a stated structure are connected by AND, unless `trees` say otherwise. */
export function assembleSequence(
  { actions, answers }: Pick<ActionSequence, 'actions' | 'answers'>,
  options: Omit<AssembleOptions, 'answers'>,
): AssembledSql {
  const texts = Object.entries(answers).flatMap(([id, { sql }]) => (sql === '' ? [] : [[id, sql] as const]));
  return assembleSql(actions, { ...options, answers: Object.fromEntries(texts) });
}

/** Assembles a sequence and has both tools look at the statement; each finding belongs to the action that wrote its place. */
export async function inspectSequence(
  { sequence, question, catalog, plan }: SequenceToInspect,
  context: StepContext<Text2SqlDeps>,
): Promise<SequenceInspected> {
  const { dialect } = context.deps.adapter;
  const { sql, spans, problems } = assembleSequence(sequence, { dialect, catalog });
  const told = problemFindings(sequence, problems, spans);
  if (sql.trim() === '') return { sql: '', findings: told, warnings: [], executions: 0 };
  const inspected = await inspectStatement({ sql, question, catalog, plan }, context);
  const found = inspected.findings.map((finding) => {
    const action = actionAt(spans, finding.span);
    return action === undefined ? finding : { ...finding, action };
  });
  return { ...inspected, sql, findings: [...withoutTold(told, found), ...found] };
}

/** Nothing can be said of a statement that was not whole: what the assembler or the reader of the actions says counts as an error. */
function problemFindings(
  sequence: ActionSequence,
  problems: readonly ActionProblem[],
  spans: AssembledSql['spans'],
): readonly InspectionFinding[] {
  const own: SequenceProblem[] = [
    ...sequence.unread,
    ...problems.map(({ action, message, nearestNames }) => ({ action, message, nearest: nearestNames })),
  ];
  const ofAnswers = sequence.actions.flatMap((action, position): SequenceProblem[] => {
    const answer =
      action.action === 'qa' && Object.hasOwn(sequence.answers, action.id) ? sequence.answers[action.id] : undefined;
    return answer === undefined ? [] : answerProblems(answer).map((problem) => ({ ...problem, action: position }));
  });
  return [...own, ...ofAnswers].map(({ action, message, nearest = [] }) => ({
    code: 'syntax',
    severity: 'error',
    message,
    advice: 'Give this action so that it can be read and assembled.',
    span: spans.find((one) => one.action === action)?.span ?? { start: 0, end: 0 },
    ...(action === undefined ? {} : { action }),
    ...(nearest.length === 0 ? {} : { nearestNames: nearest }),
  }));
}

function answerProblems(answer: SubAnswer): readonly SequenceProblem[] {
  const below = Object.values(answer.answers).flatMap(answerProblems);
  const own = answer.problem === undefined ? [] : [{ message: answer.problem }];
  return [...own, ...answer.unread, ...below];
}

/** The same thing said by the assembler and by the detector is said once, by the detector. */
function withoutTold(
  told: readonly InspectionFinding[],
  found: readonly InspectionFinding[],
): readonly InspectionFinding[] {
  const known = new Set(found.filter(({ code }) => code.startsWith('unknown-')).map(({ action }) => action));
  return told.filter(({ action, nearestNames }) => nearestNames === undefined || !known.has(action));
}
