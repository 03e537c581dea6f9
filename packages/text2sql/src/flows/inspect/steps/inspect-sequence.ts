import type { Catalog, InspectionFinding, StepContext } from '@askema/core';
import { inspectStatement, type StatementInspected } from '../../../inspection/inspect-statement.ts';
import { type AssembledSql, type AssembleOptions, actionAt, assembleSql } from '../clauses/assemble-sql.ts';
import type { ActionProblem } from '../clauses/clause-action.ts';
import type { ActionSequence, InspectPlan, SequenceProblem, SubAnswer } from '../state/inspect-state.ts';
import type { InspectDeps } from '../tasks/inspect-tasks.ts';

export interface SequenceToInspect {
  readonly sequence: ActionSequence;
  readonly question: string;
  readonly evidence?: string | null | undefined;
  readonly catalog: Catalog;
  readonly plan: InspectPlan;
}

export interface SequenceInspected extends StatementInspected {
  /** Empty where no statement could be made. */
  readonly sql: string;
}

/**
 * A sequence as a statement. Conditions without a stated structure are connected by AND, unless `trees` say otherwise.
 */
export function assembleSequence(
  { actions, answers }: Pick<ActionSequence, 'actions' | 'answers'>,
  options: Omit<AssembleOptions, 'answers'>,
): AssembledSql {
  const texts = Object.entries(answers).flatMap(([id, { sql }]) => (sql === '' ? [] : [[id, sql] as const]));
  return assembleSql(actions, { ...options, answers: Object.fromEntries(texts) });
}

/**
 * Assembles a sequence and has both tools look at the statement; each finding belongs to the action that wrote its
 * place.
 */
export async function inspectSequence(
  { sequence, question, evidence, catalog, plan }: SequenceToInspect,
  context: StepContext<InspectDeps>,
): Promise<SequenceInspected> {
  const { dialect } = context.deps.adapter;
  const { sql, spans, problems } = assembleSequence(sequence, { dialect, catalog });
  const ofActions = problemFindings(sequence, problems, spans);
  if (sql.trim() === '') return { sql: '', findings: ofActions, warnings: [], executions: 0 };
  const inspected = await inspectStatement(
    { sql, question, evidence, catalog, plan, tools: context.deps.own.tools },
    context,
  );
  const found = inspected.findings.map((finding) => {
    const action = actionAt(spans, finding.span);
    return action === undefined ? finding : { ...finding, action };
  });
  return { ...inspected, sql, findings: [...withoutRepeats(ofActions, found), ...found] };
}

/**
 * Nothing can be said of a statement that was not whole: what the assembler or the reader of the actions says counts as
 * an error.
 */
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
function withoutRepeats(
  ofActions: readonly InspectionFinding[],
  found: readonly InspectionFinding[],
): readonly InspectionFinding[] {
  const known = new Set(found.filter(({ code }) => code.startsWith('unknown-')).map(({ action }) => action));
  return ofActions.filter(({ action, nearestNames }) => nearestNames === undefined || !known.has(action));
}
