import type { Clarification, DesignFinding, RequirementReport } from '../model/index.ts';

/** The report as roles read it: one line a fact. Plain text, without fences. */
export function reportText(report: RequirementReport): string {
  const subjects = report.subjects.map(({ name, attributes, description }) => {
    const facts = attributes.length === 0 ? 'no facts of its own named' : attributes.join('; ');
    return `${name}: ${facts}${description === '' ? '' : ` — ${description}`}`;
  });
  return [
    report.title,
    report.summary,
    ...listSection('Functions', report.functions),
    ...listSection('Subjects and their own facts', subjects),
    ...listSection('Relationships', report.relationships),
    ...listSection('Rules', report.rules),
    ...listSection('Open points', report.clarifications.map(clarificationText)),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** A clarification in one line: what is open, the sentences, and what holds. */
export function clarificationText({ kind, question, quotes, assumption, answer }: Clarification): string {
  const said = quotes.map((quote) => `"${quote}"`).join(' / ');
  const holds = answer === undefined ? `Assumed: ${assumption}` : `Answered: ${answer}`;
  return [`(${kind})`, question, ...(said === '' ? [] : [said]), holds].join(' ');
}

/** Findings, numbered from 1 in their order: `1. error entity-without-key, Order: … Remedy: …` */
export function findingsText(findings: readonly DesignFinding[]): string {
  return findings
    .map(
      ({ severity, code, subject, message, remedy }, at) =>
        `${at + 1}. ${severity} ${code}${subject === '' ? '' : `, ${subject}`}: ${message} Remedy: ${remedy}`,
    )
    .join('\n');
}

/** A heading and its points; nothing where there are none. */
export function listSection(heading: string, points: readonly string[]): readonly string[] {
  return points.length === 0 ? [] : [[`${heading}:`, ...points.map((point) => `- ${point}`)].join('\n')];
}
