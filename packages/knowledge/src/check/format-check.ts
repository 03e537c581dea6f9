import { oneLine } from '@askema/core';
import { entryKey } from '../model/entries.ts';
import type { KnowledgeProblem } from '../model/knowledge.ts';
import { personalFolderOf } from '../model/standing.ts';
import type { KnowledgeCheck } from './knowledge-check.ts';

type Severity = KnowledgeProblem['severity'];

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** Skipped parts that a text names: where a cap was reached, there may be thousands. */
const MAX_SKIPPED = 20;

/** 1 where something is wrong, 0 where there are at most warnings, notes, and proposals that failed. */
export function checkExitCode({ entries, findings }: Pick<KnowledgeCheck, 'entries' | 'findings'>): 0 | 1 {
  const proposals = new Set(entries.filter(({ isProposal }) => isProposal).map(({ id, place }) => entryKey(id, place)));
  const isBroken = findings.some(
    ({ severity, entry, place }) =>
      severity === 'error' &&
      !proposals.has(entryKey(entry, place)) &&
      // Also what cannot be read at all: nobody breaks the build of others by a proposal.
      personalFolderOf(place.file) === undefined,
  );
  return isBroken ? 1 : 0;
}

/** The check as text, one finding after the other, errors first. */
export function formatCheck(check: KnowledgeCheck): string {
  const lines = SEVERITIES.flatMap((severity) =>
    check.findings.filter((finding) => finding.severity === severity).flatMap(findingLines),
  );
  const counts = SEVERITIES.map((severity) =>
    counted(check.findings.filter((finding) => finding.severity === severity).length, severity),
  );
  const states = (['accepted', 'proposed', 'failed'] as const).map(
    (state) => `${check.entries.filter((entry) => entry.state === state).length} ${state}`,
  );
  const more = check.skipped.length - MAX_SKIPPED;
  return [
    ...lines,
    ...check.skipped.slice(0, MAX_SKIPPED).map(({ what, reason }) => `skipped ${oneLine(what)}: ${oneLine(reason)}`),
    ...(more > 0 ? [`skipped ${more} more`] : []),
    `${counts.join(', ')}. ${counted(check.entries.length, 'entry')}: ${states.join(', ')}. ${counted(check.statements, 'statement')} run.`,
  ].join('\n');
}

function findingLines({ severity, code, entry, place, message, advice }: KnowledgeProblem): readonly string[] {
  const at = place.line === undefined ? place.file : `${place.file}:${place.line}`;
  return [
    `${oneLine(at)} ${severity} ${code}${entry === undefined ? '' : ` ${oneLine(entry)}`}`,
    `  ${oneLine(message)}${advice === undefined ? '' : ` ${oneLine(advice)}`}`,
  ];
}

function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : plural}`;
}
