import type { InspectionFinding, Severity } from '@askema/core';
import type { ActionSequence, InspectPlan, InspectTry } from '../state/inspect-state.ts';
import type { InspectedSequence } from '../tasks/finding-sections.ts';

const SEVERITY_RANK: Readonly<Record<Severity, number>> = { error: 2, warning: 1, note: 0 };

type Inspected = Pick<InspectTry, 'findings' | 'kept'>;

/** What a finding is about, whatever its place in a statement: the same text found fault with for the same reason. */
export function findingKey(finding: InspectionFinding, sql: string): string {
  const about =
    finding.value === undefined
      ? sql.slice(finding.span.start, finding.span.end).replaceAll(/\s+/g, ' ').toLowerCase()
      : `${finding.column ?? ''} ${finding.value}`;
  return `${finding.code} ${about}`;
}

/** Indexes of the findings that send a sequence back to the model: severe enough, and not answered with `keep`. */
export function blockingFindings(
  { findings, kept }: Inspected,
  { reviseFrom }: Pick<InspectPlan, 'reviseFrom'>,
): number[] {
  const answered = new Set(kept);
  return [...findings.keys()].filter((position) => {
    const severity = findings[position]?.severity ?? 'note';
    return !answered.has(position) && SEVERITY_RANK[severity] >= SEVERITY_RANK[reviseFrom];
  });
}

/**
 * Indexes of all findings in the order in which a prompt shows them: those that block, the most severe first, then the
 * others.
 */
function findingsInOrder(tried: Inspected, plan: Pick<InspectPlan, 'reviseFrom'>): number[] {
  const blocking = blockingFindings(tried, plan);
  const rank = (position: number): number => SEVERITY_RANK[tried.findings[position]?.severity ?? 'note'];
  const bySeverity = (positions: readonly number[]): number[] => positions.toSorted((a, b) => rank(b) - rank(a));
  const first = new Set(blocking);
  return [
    ...bySeverity(blocking),
    ...bySeverity([...tried.findings.keys()].filter((position) => !first.has(position))),
  ];
}

/**
 * The try that stands when no try satisfies all tools: the one with the least severe and the fewest open findings, the
 * first among equals (section 2.2.1: "the initial condition is used, because it may be the most accurate"). One that
 * the database refused stands only where there is no other. Undefined where there is none.
 */
export function bestTry(tries: readonly InspectTry[], plan: Pick<InspectPlan, 'reviseFrom'>): number | undefined {
  let best: number | undefined;
  for (const [position, tried] of tries.entries()) {
    const before = best === undefined ? undefined : tries[best];
    if (before === undefined || isLess(burdenOf(tried, plan), burdenOf(before, plan))) best = position;
  }
  return best;
}

/** Most important first. */
function burdenOf(tried: InspectTry, plan: Pick<InspectPlan, 'reviseFrom'>): readonly number[] {
  const open = blockingFindings(tried, plan).map((position) => tried.findings[position]?.severity ?? 'note');
  const count = (severity: Severity): number => open.filter((one) => one === severity).length;
  return [Number(tried.failed === true), Number(tried.sql === ''), count('error'), count('warning'), count('note')];
}

function isLess(some: readonly number[], others: readonly number[]): boolean {
  for (const [position, one] of some.entries()) {
    const other = others[position] ?? 0;
    if (one !== other) return one < other;
  }
  return false;
}

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
  const { actions, answers, sql } = tried;
  return { shown: { actions, answers, sql, findings }, order };
}

/** The answer of a sub-question with the findings that concern it, as if they had been made on it alone. */
export function showAnswer(
  { actions, answers, sql }: ActionSequence & { readonly sql: string },
  findings: readonly InspectionFinding[],
): InspectedSequence {
  return {
    actions,
    answers,
    sql,
    findings: findings.map((finding) => ({ finding, isKept: false, isOpen: true })),
  };
}
