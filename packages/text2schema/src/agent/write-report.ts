import type { ChatMessage, Solver, StepContext } from '@askema/core';
import { splitWords } from '@askema/grounding';
import type { DesignDeps } from '../design-deps.ts';
import { isSilent, mergeReports } from '../intake/merge-reports.ts';
import type { Clarification, RequirementReport } from '../model/index.ts';
import { type ReportInput, type ReportOutput, reportTask } from '../tasks/index.ts';

/** What the product manager's turn works on. */
export interface ReportWork {
  readonly requirement: string;
  readonly parts: readonly string[];
  /** BCP 47; `und` where it is not known. */
  readonly language: string;
  readonly absentRoles: readonly string[];
  /** The report that there is already, for a turn that answers doubts. */
  readonly before: RequirementReport | undefined;
  /** What the product manager has to answer. */
  readonly messages: readonly ChatMessage[];
}

/** What it made: a report, or why there is none. */
export interface WrittenReport {
  readonly report: RequirementReport | undefined;
  readonly refusal: string | undefined;
  /** Named as the next speaker. */
  readonly next: string | null;
  readonly warnings: readonly string[];
}

/** Reads a requirement, part by part where it is long, and reports on it. */
export async function readParts(
  { requirement, parts, messages, language, absentRoles }: ReportWork,
  solver: Solver,
  context: StepContext<DesignDeps>,
): Promise<WrittenReport> {
  const reports: RequirementReport[] = [];
  const refusals: string[] = [];
  const silent: number[] = [];
  for (const [at, text] of parts.entries()) {
    const soFar = reports.length === 0 ? undefined : mergeReports(reports);
    const part = { number: at + 1, of: parts.length, text };
    const output = await ask({ messages, part, soFar, language, absentRoles }, solver, context);
    if (output.kind === 'refusal') {
      refusals.push(output.reason);
      continue;
    }
    reports.push(output.report);
    if (isSilent(output.report)) silent.push(at + 1);
    if (parts.length === 1) return written(output.report, requirement, output.next, []);
  }
  if (reports.length === 0) {
    const reason = refusals.find((each) => each.trim() !== '') ?? 'The text is not about data to be stored.';
    return { report: undefined, refusal: reason, next: null, warnings: [] };
  }
  const warnings = silent.map(
    (part) => `Part ${part} of ${parts.length} of the requirement gave nothing to the report.`,
  );
  return written(mergeReports(reports), requirement, null, warnings);
}

/**
 * Writes the report anew for doubts of other roles, or for answers of a person. A long requirement is read where they
 * point to.
 */
export async function reviseReport(
  work: ReportWork,
  before: RequirementReport,
  answered: readonly Clarification[],
  solver: Solver,
  context: StepContext<DesignDeps>,
): Promise<WrittenReport> {
  const { parts, messages, language, absentRoles } = work;
  const doubts = [...messages.map(pointOf), ...answered.map(({ question }) => question)].join('\n');
  const at = parts.length === 1 ? 0 : nearestPart(parts, doubts);
  const part = { number: at + 1, of: parts.length, text: parts[at] ?? '' };
  const output = await ask(
    { messages, part, soFar: before, answered, mayRefuse: false, language, absentRoles },
    solver,
    context,
  );
  if (output.kind === 'refusal') {
    const warning = `The product manager did not answer, and the report stayed as it was: ${output.reason}`;
    return { report: before, refusal: undefined, next: null, warnings: [warning] };
  }
  return written(output.report, work.requirement, output.next, []);
}

async function ask(input: ReportInput, solver: Solver, context: StepContext<DesignDeps>): Promise<ReportOutput> {
  return (await solver.solve(reportTask, input, context)).value;
}

function written(
  report: RequirementReport,
  requirement: string,
  next: string | null,
  warnings: readonly string[],
): WrittenReport {
  const clarifications = checkQuotes(report.clarifications, requirement);
  return { report: { ...report, clarifications }, refusal: undefined, next, warnings };
}

/** What a complaint is about: doubts without the model that goes with them. */
function pointOf({ text, data }: ChatMessage): string {
  const { doubts } = (data ?? {}) as { readonly doubts?: unknown };
  return Array.isArray(doubts) ? doubts.join('\n') : text;
}

/** The part that shares most words with a text, rare ones above all. From 0. */
function nearestPart(parts: readonly string[], text: string): number {
  const words = new Set(splitWords(text));
  const shared = parts.map((part) => new Set(splitWords(part).filter((word) => words.has(word))));
  const scores = shared.map((own) =>
    [...own].reduce((sum, word) => sum + 1 / shared.filter((other) => other.has(word)).length, 0),
  );
  return scores.indexOf(Math.max(...scores));
}

/**
 * Clarifications whose quotes stand in the requirement. A quote that does not is dropped; a contradiction that is left
 * with fewer than two is an ambiguity, because it cannot be shown. Blanks and quotation marks are not compared: models
 * tidy them.
 */
export function checkQuotes(clarifications: readonly Clarification[], requirement: string): readonly Clarification[] {
  const text = fold(requirement);
  return clarifications.map((clarification) => {
    const quotes = distinct(clarification.quotes.filter((quote) => stands(fold(quote), text)));
    const isShown = clarification.kind !== 'contradiction' || quotes.length >= 2;
    return { ...clarification, kind: isShown ? clarification.kind : 'ambiguity', quotes };
  });
}

/** Shorter ones stand in every text, and show nothing. */
const MIN_CHARACTERS = 4;

function stands(quote: string, text: string): boolean {
  return quote.length >= MIN_CHARACTERS && text.includes(quote);
}

/** Without those that are a part of another one: two sides of a contradiction are two places. */
function distinct(quotes: readonly string[]): string[] {
  const folded = quotes.map(fold);
  return quotes.filter((_quote, at) =>
    folded.every(
      (other, index) => index === at || !other.includes(folded[at] ?? '') || (other === folded[at] && at < index),
    ),
  );
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s"'`“”‘’「」『』«»]+/gu, '')
    .toLowerCase();
}
