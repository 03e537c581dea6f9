import { textTable } from '../report/text/document.ts';
import type {
  DesignSummary,
  DesignTests,
  FeedbackStatistics,
  Remark,
  ScorerSummary,
  SizeGroup,
} from './design-summary.ts';
import { SCHEMA_METRICS, type SchemaMetric, type SchemaScore } from './schema-score.ts';

/** What a metric is called in a table. */
export const METRIC_TITLES: Readonly<Record<SchemaMetric, string>> = {
  tableF1: 'table F1',
  tableAccuracy: 'table acc.',
  attributeF1: 'attribute F1',
  attributeAccuracy: 'attribute acc. (per table)',
  attributeSchemaAccuracy: 'attribute acc. (schema)',
  primaryKeyAccuracy: 'primary key acc. (per table)',
  primaryKeySchemaAccuracy: 'primary key acc. (schema)',
  foreignKeyF1: 'foreign key F1',
  foreignKeyAccuracy: 'foreign key acc. (per table)',
  foreignKeySchemaAccuracy: 'foreign key acc. (schema)',
  typeAccuracy: 'type acc.',
};

/** Beyond this, remarks are only counted. */
const LISTED = 10;

/**
 * A run of designs as text for a terminal, without colours: scores, scores by size, who wrote to whom, cost, and what
 * went wrong.
 */
export function formatDesignSummary(summary: DesignSummary): string {
  const sections = [
    [
      `${summary.dataset}: ${summary.finished} requirements${endingsText(summary)}`,
      formatScorers(summary.scorers),
    ].join('\n'),
    sizeTable(summary),
    ...(summary.feedback.chats === 0 ? [] : [feedbackText(summary.feedback), matrixTable(summary)]),
    notes(summary).join('\n'),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

/** Scores side by side, in per cent: one row a metric, one column for each of the named lists. */
function formatScores(columns: readonly { readonly title: string; readonly mean: SchemaScore | undefined }[]): string {
  const rows = SCHEMA_METRICS.map((metric) => [
    METRIC_TITLES[metric],
    ...columns.map(({ mean }) => percent(mean?.[metric])),
  ]);
  return textTable(['', ...columns.map(({ title }) => title)], [rows]).join('\n');
}

/** Scores of each scorer side by side, and under which conditions they hold. */
export function formatScorers(scorers: readonly ScorerSummary[]): string {
  const conditions = scorers.map(({ scorer, ports, counted, dropped }) => {
    const left = dropped === 0 ? '' : `, ${dropped} dropped by its rule`;
    return `${scorer}: mean of ${counted}${left}${ports.length === 0 ? '' : ` (${ports.join(', ')})`}`;
  });
  return [formatScores(scorers.map(({ scorer, mean }) => ({ title: scorer, mean }))), ...conditions].join('\n');
}

function sizeTable({ bySize, scorers }: DesignSummary): string {
  if (bySize.length === 0) return '';
  const hasChats = bySize.some((group) => group.feedback.chats > 0);
  const title = [
    'gold tables',
    'requirements',
    'table F1',
    'table acc.',
    'attribute F1',
    'primary key',
    'foreign key F1',
    ...(hasChats ? ['conceptual errors', 'other errors'] : []),
  ];
  const row = ({ tables, requirements, mean, feedback }: SizeGroup): string[] => [
    String(tables),
    String(requirements),
    percent(mean?.tableF1),
    percent(mean?.tableAccuracy),
    percent(mean?.attributeF1),
    percent(mean?.primaryKeyAccuracy),
    percent(mean?.foreignKeyF1),
    ...(hasChats ? [String(feedback.conceptualErrors), String(feedback.otherErrors)] : []),
  ];
  return [`By number of tables (${scorers[0]?.scorer ?? 'strict'})`, ...textTable(title, [bySize.map(row)])].join('\n');
}

function testsText({ designs, tests, passed, planted, noticed }: DesignTests): string {
  const mistakes =
    planted === 0 ? '' : `; planted mistakes noticed: ${noticed} of ${planted} (${share(noticed, planted)})`;
  return `Tests passed: ${passed} of ${tests} (${share(passed, tests)}) in ${designs} designs${mistakes}`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}

function feedbackText({
  chats,
  withFeedback,
  onlyConceptual,
  conceptualErrors,
  otherErrors,
}: FeedbackStatistics): string {
  return [
    `Feedback in ${withFeedback} of ${chats} chats (${share(withFeedback, chats)});`,
    `in ${onlyConceptual} of these (${share(onlyConceptual, withFeedback)}) only between conceptual designer and reviewer.`,
    `${conceptualErrors} complaints there, ${otherErrors} elsewhere.`,
  ].join(' ');
}

function matrixTable({ matrix }: DesignSummary): string {
  const rows = matrix.from.map((sender, row) => [sender, ...(matrix.counts[row] ?? []).map(String)]);
  return ['Messages from (rows) to (columns)', ...textTable(['', ...matrix.to], [rows])].join('\n');
}

function notes(summary: DesignSummary): string[] {
  const { usage, finished, certificates, ddl, judge } = summary;
  const each = (total: number | undefined, digits: number): string =>
    total === undefined || finished === 0 ? 'unknown' : (total / finished).toFixed(digits);
  const cost = summary.costUsd === undefined ? '' : `, ${each(summary.costUsd, 4)} USD`;
  const lines = [
    `Each requirement: ${each(summary.elapsedMs / 1000, 1)} s, ${each(summary.calls, 1)} model calls, ${each(usage.inputTokens, 0)} tokens in, ${each(usage.outputTokens, 0)} out${cost}`,
    `In all: ${(summary.elapsedMs / 1000).toFixed(1)} s, ${summary.calls} model calls, ${count(usage.inputTokens)} tokens in, ${count(usage.outputTokens)} out${summary.costUsd === undefined ? '' : `, ${summary.costUsd.toFixed(4)} USD`}`,
  ];
  if (summary.tests !== undefined) lines.push(testsText(summary.tests));
  if (certificates !== undefined)
    lines.push(
      `Certificates valid: ${certificates.valid} of ${certificates.schemas} schemas`,
      ...listed(certificates.problems),
    );
  if (ddl !== undefined) lines.push(`DDL runs: ${ddl.runs} of ${ddl.schemas} schemas`, ...listed(ddl.problems));
  if (judge !== undefined)
    lines.push(
      `Judge: ${judge.total.toFixed(2)} of 10 over ${judge.judged} schemas (functional coverage ${judge.scores.functionalCoverage.toFixed(2)}, normalization ${judge.scores.normalization.toFixed(2)}, integrity ${judge.scores.integrity.toFixed(2)}; ${judge.calls} calls)`,
      ...listed(judge.failures),
    );
  if (summary.failures.length > 0)
    lines.push(`Without a finished schema: ${summary.failures.length}`, ...listed(summary.failures));
  if (summary.unfinished > 0) lines.push(`${summary.unfinished} requirements are to come: start again to go on.`);
  if (summary.defects.length > 0) lines.push(`Defects of gold: ${summary.defects.length}`, ...listed(summary.defects));
  if (summary.problems.length > 0)
    lines.push(
      `Lines of the dataset that cannot be used: ${summary.problems.length}`,
      ...listed(summary.problems.map(({ id, message }) => ({ id: id ?? '', message }))),
    );
  return lines;
}

function endingsText({ endings, accepted, feedback }: DesignSummary): string {
  const parts = Object.entries(endings).map(([ending, number]) => `${number} ${ending}`);
  const approved = feedback.chats === 0 ? [] : [`${accepted} accepted by the last role`];
  return parts.length === 0 ? '' : `: ${[...parts, ...approved].join(', ')}`;
}

function listed(remarks: readonly Remark[]): string[] {
  const lines = remarks.slice(0, LISTED).map(({ id, message }) => `  ${id}${id === '' ? '' : ': '}${message}`);
  return remarks.length > LISTED ? [...lines, `  and ${remarks.length - LISTED} more`] : lines;
}

function percent(share: number | undefined): string {
  return share === undefined ? '-' : (share * 100).toFixed(1);
}

function count(tokens: number | undefined): string {
  return tokens === undefined ? 'unknown' : tokens.toLocaleString('en');
}
