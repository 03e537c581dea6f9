import {
  checkChoice,
  didYouMean,
  type Edit,
  FINDING_CODES,
  type InspectionFinding,
  invalidOption,
  type Severity,
  type Span,
} from '@askema/core';
import type { InspectionRule } from '../rules/rule.ts';

/** The most serious first. */
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** Findings with the severities that somebody set for their codes; those of a code that is off are left out. */
export function withSeverities(
  findings: readonly InspectionFinding[],
  severities: Readonly<Record<string, Severity | 'off'>>,
): InspectionFinding[] {
  return findings.flatMap((finding) => {
    const severity = Object.hasOwn(severities, finding.code) ? severities[finding.code] : undefined;
    if (severity === 'off') return [];
    return [severity === undefined ? finding : { ...finding, severity }];
  });
}

/** In the order of the source, at one place the most serious first. */
export function findingsInOrder(findings: readonly InspectionFinding[]): InspectionFinding[] {
  return [...findings].sort(
    (a, b) =>
      a.span.start - b.span.start ||
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      a.span.end - b.span.end,
  );
}

/**
 * The statement with the fixes applied, those that overlap an earlier one left out; and the findings whose fix was
 * applied.
 */
export interface FixedSql {
  readonly sql: string;
  readonly applied: readonly InspectionFinding[];
}

/**
 * Applies the fixes of findings to the statement that they are about, in the order of the source. A fix that overlaps
 * one that stands is left out as a whole, and so is one whose edits overlap each other or lie outside of the statement.
 * Two findings with the same edits both count as applied.
 */
export function applyFixes(sql: string, findings: readonly InspectionFinding[]): FixedSql {
  const candidates = findings
    .flatMap((finding) => (finding.fix === undefined || !isSound(sql, finding.fix.edits) ? [] : [finding]))
    .sort((a, b) => startOf(a) - startOf(b) || SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  let edits: readonly Edit[] = [];
  const standing = new Map<string, string>();
  const applied: InspectionFinding[] = [];
  for (const finding of candidates) {
    const wanted = (finding.fix?.edits ?? []).filter(({ span, text }) => standing.get(placeOf(span)) !== text);
    const together = inOrder([...edits, ...wanted]);
    if (haveOverlap(together)) continue;
    edits = together;
    for (const { span, text } of wanted) standing.set(placeOf(span), text);
    applied.push(finding);
  }
  return { sql: spliceEdits(sql, edits), applied };
}

/**
 * The text with each edit made; they must not overlap. An insertion comes before a replacement that begins at the same
 * place.
 */
export function spliceEdits(sql: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { span, text } of inOrder(edits)) {
    parts.push(sql.slice(at, span.start), text);
    at = span.end;
  }
  parts.push(sql.slice(at));
  return parts.join('');
}

function startOf({ fix }: InspectionFinding): number {
  return (fix?.edits ?? []).reduce((least, { span }) => Math.min(least, span.start), Number.POSITIVE_INFINITY);
}

function isSound(sql: string, edits: readonly Edit[]): boolean {
  return (
    edits.length > 0 &&
    edits.every(({ span }) => span.start >= 0 && span.start <= span.end && span.end <= sql.length) &&
    !haveOverlap(inOrder(edits))
  );
}

function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** Of edits in their order: whether any two overlap. */
function haveOverlap(ordered: readonly Edit[]): boolean {
  return ordered.some((edit, at) => {
    const next = ordered[at + 1];
    return next !== undefined && overlap(edit, next);
  });
}

/** Equal for equal spans alone. */
export function placeOf({ start, end }: Span): string {
  return `${start} ${end}`;
}

/** Two insertions at one place overlap: nothing says which comes first. */
function overlap(a: Edit, b: Edit): boolean {
  if (a.span.start === b.span.start && a.span.end === b.span.end) return true;
  return a.span.start < b.span.end && b.span.start < a.span.end;
}

/**
 * Checks the severities of a user by code; `where` names the option in messages. `rules` are those of the user.
 *
 * @throws AskemaError `CONFIG_INVALID` for a code that no rule has, with the nearest one, and for what is no severity.
 */
export function checkSeverities(
  where: string,
  severities: Readonly<Record<string, Severity | 'off'>>,
  rules: readonly Pick<InspectionRule, 'code'>[],
): void {
  const codes: readonly string[] = [...FINDING_CODES, ...rules.map(({ code }) => code)];
  for (const [code, severity] of Object.entries(severities)) {
    if (!codes.includes(code))
      throw invalidOption(`\`${where}\` has \`${code}\`, which no rule has. ${didYouMean(code, codes)}`);
    checkChoice(`${where}['${code}']`, severity, [...SEVERITIES, 'off']);
  }
}
