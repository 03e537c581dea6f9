import type { DesignFinding } from '../model/index.ts';

/** Findings, numbered from 1 in their order: `1. error entity-without-key, Order: … Remedy: …` */
export function findingsText(findings: readonly DesignFinding[]): string {
  return findings
    .map(
      ({ severity, code, subject, message, remedy }, at) =>
        `${at + 1}. ${severity} ${code}${subject === '' ? '' : `, ${subject}`}: ${message} Remedy: ${remedy}`,
    )
    .join('\n');
}
