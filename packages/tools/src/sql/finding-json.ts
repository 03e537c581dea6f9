import type { InspectionFinding } from '@askema/core';
import { cutText, jsonLength } from '../reply/cut-text.ts';

/** Findings that a reply holds. */
const MAX_FINDINGS = 20;
const TEXT_CHARACTERS = 400;

export type FindingJson = Pick<
  InspectionFinding,
  'code' | 'severity' | 'message' | 'advice' | 'span' | 'fix' | 'nearestNames'
>;

/** Findings as a reply tells them, errors first, as far as there is room. */
export function findingsJson(findings: readonly InspectionFinding[], room: number): readonly FindingJson[] {
  const told: FindingJson[] = [];
  let left = room;
  for (const finding of [...findings].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_FINDINGS)) {
    const json = findingJson(finding);
    left -= jsonLength(json) + 1;
    if (left < 0 && told.length > 0) break;
    told.push(json);
  }
  return told;
}

/** Findings in lines of text. The same one at several places of a statement is told once. */
export function findingsLines(findings: readonly FindingJson[]): readonly string[] {
  return [...new Set(findings.map((finding) => findingLines(finding).join('\n')))];
}

function findingLines({ severity, code, message, advice, fix, nearestNames = [] }: FindingJson): readonly string[] {
  return [
    `${severity} ${code}: ${message} ${advice}`,
    ...(nearestNames.length > 0 ? [`  nearest: ${nearestNames.join(', ')}`] : []),
    ...(fix === undefined ? [] : [`  fix: ${fix.description}`]),
  ];
}

function rank({ severity }: InspectionFinding): number {
  return ['error', 'warning', 'note'].indexOf(severity);
}

function findingJson({ code, severity, message, advice, span, fix, nearestNames }: InspectionFinding): FindingJson {
  const isShort = fix !== undefined && jsonLength(fix) <= 2 * TEXT_CHARACTERS;
  return {
    ...{ code, severity, message: cutText(message, TEXT_CHARACTERS), advice: cutText(advice, TEXT_CHARACTERS), span },
    ...(isShort ? { fix } : {}),
    ...(nearestNames === undefined || nearestNames.length === 0
      ? {}
      : { nearestNames: nearestNames.slice(0, 5).map((name) => cutText(name, TEXT_CHARACTERS / 2)) }),
  };
}
