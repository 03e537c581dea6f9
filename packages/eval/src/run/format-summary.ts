import type { EvaluationGroup, EvaluationSummary, InspectionSummary } from './evaluation-options.ts';

const COLUMNS = ['', 'questions', 'right', 'wrong', 'declined', 'failed', 'accuracy'] as const;

/** Beyond this, failures and broken lines are only counted. */
const LISTED = 10;

/** The summary as a text table for a terminal: all questions, then by category, then by difficulty; without colours. */
export function formatSummary(summary: EvaluationSummary): string {
  const sections: readonly (readonly EvaluationGroup[])[] = [summary.byCategory, summary.byDifficulty, [summary.total]];
  const rows = sections.map((groups) => groups.map(cellsOf));
  const widths = COLUMNS.map((title, column) =>
    Math.max(title.length, ...rows.flat().map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  const rule = '-'.repeat(widths.reduce((total, width) => total + width, 0) + 2 * (COLUMNS.length - 1));
  const table = rows.flatMap((group) => [rule, ...group.map(line)]);
  return [`${summary.dataset}: execution match`, line(COLUMNS), ...table, rule, ...notes(summary)].join('\n');
}

function cellsOf(group: EvaluationGroup): readonly string[] {
  const { counts, counted } = group;
  return [
    group.name,
    String(counted),
    String(counts.right),
    String(counts.wrong),
    String(counts.declined),
    String(counts.failed),
    counted === 0 ? '-' : `${(group.accuracy * 100).toFixed(1)} %`,
  ];
}

function notes(summary: EvaluationSummary): readonly string[] {
  const { usage } = summary;
  const tokens = (count: number | undefined): string => (count === undefined ? 'unknown' : count.toLocaleString('en'));
  const cached = usage.cachedInputTokens === undefined ? '' : ` (${tokens(usage.cachedInputTokens)} cached)`;
  const cost = summary.costUsd === undefined ? '' : `, ${summary.costUsd.toFixed(4)} USD`;
  const spent = `${summary.calls} model calls, ${tokens(usage.inputTokens)} tokens in${cached}, ${tokens(usage.outputTokens)} out${cost}`;
  const lines = [
    summary.calls === 0 ? 'no model calls' : spent,
    `${summary.executions} statements, ${(summary.elapsedMs / 1000).toFixed(1)} s in all`,
  ];
  if (summary.inspection !== undefined) lines.push(inspectionLine(summary.inspection));
  if (summary.unfinished > 0) lines.push(`${summary.unfinished} questions are not asked yet: start again to go on.`);
  const gold = summary.goldFailures.map((failure) => `  ${failure.id}: ${failure.reason}`);
  if (gold.length > 0) lines.push(`Not counted, because the gold SQL fails: ${gold.length}`, ...listed(gold));
  const problems = summary.problems.map((problem) => `  ${problem.message}`);
  if (problems.length > 0)
    lines.push(`Lines of the dataset that cannot be used: ${problems.length}`, ...listed(problems));
  return lines;
}

function inspectionLine({ averageIterations, byMaximum }: InspectionSummary): string {
  const accuracies = byMaximum.map(({ iterations, accuracy }) => `${iterations}: ${(accuracy * 100).toFixed(1)} %`);
  return `${averageIterations.toFixed(2)} revisions a question; accuracy by the most revisions: ${accuracies.join(', ')}`;
}

function listed(lines: readonly string[]): readonly string[] {
  const rest = lines.length - LISTED;
  return rest > 0 ? [...lines.slice(0, LISTED), `  and ${rest} more`] : lines;
}
