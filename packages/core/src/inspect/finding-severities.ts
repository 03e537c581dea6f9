import type { InspectionFinding, Severity } from './finding.ts';

/** The most serious first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

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
