import { describeAction, type InspectionFinding } from '@askema/core';
import { actionLines, type InspectedSequence } from '../tasks/finding-sections.ts';
import type { InspectPlan } from './inspect-options.ts';
import type { ActionSequence, InspectTry } from './inspect-state.ts';
import { blockingFindings, findingsInOrder } from './open-findings.ts';

/** A sequence for a prompt, and which of its findings each number there stands for. */
export interface ShownSequence {
  readonly shown: InspectedSequence;
  /** Indexes into the findings of the try, in the order of their numbers. */
  readonly order: readonly number[];
}

/** A try as the prompt of a revision shows it: the most severe findings first, as many as the plan allows. */
export function showTry(
  tried: Pick<InspectTry, 'actions' | 'answers' | 'sql' | 'findings' | 'kept'>,
  plan: Pick<InspectPlan, 'reviseFrom' | 'limits'>,
): ShownSequence {
  const open = new Set(blockingFindings(tried, plan));
  const kept = new Set(tried.kept);
  const order = findingsInOrder(tried, plan).slice(0, plan.limits.maxFindingsShown);
  const findings = order.flatMap((position) => {
    const finding = tried.findings[position];
    return finding === undefined ? [] : [{ finding, isKept: kept.has(position), isOpen: open.has(position) }];
  });
  return { shown: { lines: linesOf(tried), sql: tried.sql, findings }, order };
}

/** The answer of a sub-question with the findings that concern it, as if they had been made on it alone. */
export function showAnswer(
  sequence: ActionSequence & { readonly sql: string },
  findings: readonly InspectionFinding[],
): InspectedSequence {
  return {
    lines: linesOf(sequence),
    sql: sequence.sql,
    findings: findings.map((finding) => ({ finding, isKept: false, isOpen: true })),
  };
}

function linesOf({ actions, answers }: Pick<ActionSequence, 'actions' | 'answers'>): readonly string[] {
  return actionLines(actions, answers, describeAction);
}
