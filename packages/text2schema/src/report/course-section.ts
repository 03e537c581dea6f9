import type { ChatMessage } from '@askema/core';
import type { DesignOutcome } from '../model/design-outcome.ts';
import { blocks, inline, table } from './markdown.ts';
import type { ReportTexts } from './report-texts.ts';

/** Longer complaints stand in the transcript. */
const MAX_COMPLAINT_CHARACTERS = 600;
const MAX_COMPLAINTS = 50;

/** Who corrected whom. */
export function courseSection(texts: ReportTexts, { transcript, rounds }: DesignOutcome): string {
  const { columns } = texts;
  const complaints = transcript.filter(({ kind }) => kind === 'feedback');
  const rows = complaints
    .slice(0, MAX_COMPLAINTS)
    .map((message) => [
      String(message.number),
      roleTitle(texts, message.from),
      receivers(texts, message),
      cut(message.text),
    ]);
  return blocks(
    texts.messages(transcript.length, rounds),
    complaints.length === 0
      ? texts.noCorrections
      : blocks(texts.corrections, table([columns.round, columns.from, columns.to, columns.what], rows)),
    complaints.length > MAX_COMPLAINTS && texts.moreCorrections(complaints.length - MAX_COMPLAINTS),
  );
}

function receivers(texts: ReportTexts, { next, to }: ChatMessage): string {
  if (next !== undefined) return roleTitle(texts, next);
  return to === 'all' ? texts.roles.all : to.map((role) => roleTitle(texts, role)).join(texts.comma);
}

/** Roles of other chats than ours keep their id. */
function roleTitle({ roles }: ReportTexts, role: string): string {
  return Object.hasOwn(roles, role) ? roles[role as keyof typeof roles] : role;
}

function cut(text: string): string {
  return text.length > MAX_COMPLAINT_CHARACTERS
    ? `${text.slice(0, MAX_COMPLAINT_CHARACTERS).replace(/[\ud800-\udbff]$/, '')} …`
    : text;
}

/** Calls, tokens, seconds. */
export function costSection(texts: ReportTexts, outcome: DesignOutcome): string {
  const { calls, elapsedMs, strategy, usage, solvedBy, runId } = outcome;
  const count = (tokens: number | undefined): string => (tokens === undefined ? texts.unknown : String(tokens));
  return blocks(
    texts.cost(calls, (elapsedMs / 1_000).toFixed(1), texts.strategies[strategy]),
    texts.tokens(count(usage.inputTokens), count(usage.outputTokens)),
    solvedBy.length > 0 && texts.solvedBy(solvedBy.map(inline).join(texts.comma)),
    texts.runId(inline(runId)),
  );
}
