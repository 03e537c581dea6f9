import type { Edit, FixedSql, InspectionFinding, Severity } from './finding.ts';

/** The most serious first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/**
 * Applies the fixes of findings to the statement that they are about, in the order of the source. A fix that overlaps one that stands is
 * left out as a whole, and so is one whose edits overlap each other or lie outside of the statement. Two findings with the same edits both
 * count as applied.
 */
export function applyFixes(sql: string, findings: readonly InspectionFinding[]): FixedSql {
  const candidates = findings
    .flatMap((finding) => (finding.fix === undefined || !isSound(sql, finding.fix.edits) ? [] : [finding]))
    .sort((a, b) => startOf(a) - startOf(b) || SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const edits: Edit[] = [];
  const applied: InspectionFinding[] = [];
  for (const finding of candidates) {
    const wanted = (finding.fix?.edits ?? []).filter((edit) => !edits.some((standing) => isSame(edit, standing)));
    if (wanted.some((edit) => edits.some((standing) => overlap(edit, standing)))) continue;
    edits.push(...wanted);
    applied.push(finding);
  }
  return { sql: spliceEdits(sql, edits), applied };
}

/** The text with each edit made; they must not overlap. An insertion comes before a replacement that begins at the same place. */
export function spliceEdits(sql: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const parts: string[] = [];
  let at = 0;
  for (const { span, text } of ordered) {
    parts.push(sql.slice(at, span.start), text);
    at = span.end;
  }
  parts.push(sql.slice(at));
  return parts.join('');
}

function startOf({ fix }: InspectionFinding): number {
  return Math.min(...(fix?.edits ?? []).map(({ span }) => span.start));
}

function isSound(sql: string, edits: readonly Edit[]): boolean {
  return (
    edits.length > 0 &&
    edits.every(({ span }) => span.start >= 0 && span.start <= span.end && span.end <= sql.length) &&
    edits.every((edit, index) => edits.slice(index + 1).every((other) => !overlap(edit, other)))
  );
}

function isSame(a: Edit, b: Edit): boolean {
  return a.span.start === b.span.start && a.span.end === b.span.end && a.text === b.text;
}

/** Two insertions at one place overlap: nothing says which comes first. */
function overlap(a: Edit, b: Edit): boolean {
  if (a.span.start === b.span.start && a.span.end === b.span.end) return true;
  return a.span.start < b.span.end && b.span.start < a.span.end;
}
