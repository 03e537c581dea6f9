import type {
  EvaluationGroup,
  EvaluationSummary,
  FailureSummary,
  InspectionSummary,
} from '../../run/evaluation-result.ts';
import type { Estimate } from '../../statistics/wilson-interval.ts';
import { officialSentences } from '../figures/official-figure.ts';
import { textTable } from './document.ts';

const COLUMNS = ['', 'questions', 'right', 'wrong', 'declined', 'failed', 'accuracy'] as const;

/** Beyond this, failures and broken lines are only counted. */
const LISTED = 10;

/** The summary as a text table for a terminal: all questions, then by category, then by difficulty; without colours. */
export function formatSummary(summary: EvaluationSummary): string {
  const sections: readonly (readonly EvaluationGroup[])[] = [summary.byCategory, summary.byDifficulty, [summary.total]];
  const table = textTable(
    COLUMNS,
    sections.map((groups) => groups.map(cellsOf)),
  );
  const rule = '-'.repeat(Math.max(0, ...table.map((line) => line.length)));
  return [`${summary.dataset}: execution match`, ...table, rule, ...notes(summary)].join('\n');
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
  lines.push(...measures(summary));
  lines.push(...officialSentences(summary));
  if (summary.inspection !== undefined) lines.push(inspectionLine(summary.inspection));
  if (summary.unfinished > 0) lines.push(unfinishedLine(summary));
  const failures = summary.failures ?? [];
  if (failures.length > 0) {
    const failed = failures.reduce((count, { questions }) => count + questions, 0);
    lines.push(`Failed, by the code of the error: ${failed}`, ...listed(failures.map(failureLine)));
  }
  const drifted = (summary.goldDrift ?? []).map(({ id, since }) => `  ${id}: since ${DRIFT[since]}`);
  if (drifted.length > 0)
    lines.push(
      `Gold gives other results than before, so these verdicts compare with no earlier ones: ${drifted.length}`,
      ...listed(drifted),
    );
  const gold = summary.goldFailures.map((failure) => `  ${failure.id}: ${failure.reason}`);
  if (gold.length > 0) lines.push(`Not counted, because the gold SQL fails: ${gold.length}`, ...listed(gold));
  const problems = summary.problems.map((problem) => `  ${problem.message}`);
  if (problems.length > 0)
    lines.push(`Lines of the dataset that cannot be used: ${problems.length}`, ...listed(problems));
  return lines;
}

const DRIFT = { attempt: 'an earlier attempt of this run', baseline: 'the baseline' } as const;

function measures(summary: EvaluationSummary): readonly string[] {
  const { latency, validSql, metrics = [], costPerRightUsd, spentUsd, costUsd, unpriced = 0, total } = summary;
  const lines: string[] = [];
  if (total.interval !== undefined && total.counted > 0) lines.push(`accuracy ${estimate(total.interval)}`);
  if (latency !== undefined)
    lines.push(`a question takes ${Math.round(latency.p50Ms)} ms (p50), ${Math.round(latency.p95Ms)} ms (p95)`);
  if (validSql !== undefined) lines.push(`${validSql.statements} statements, of which ran ${estimate(validSql.rate)}`);
  for (const { id, questions, mean, failed } of metrics) {
    const threw = failed === 0 ? '' : `; it failed on ${failed}`;
    lines.push(
      questions === 0
        ? `${id}: applies to no question${threw}`
        : `${id}: ${estimate(mean)}, ${questions} questions${threw}`,
    );
  }
  if (costPerRightUsd !== undefined) lines.push(`${costPerRightUsd.toFixed(4)} USD for each right answer`);
  if (spentUsd !== undefined && spentUsd > (costUsd ?? 0) + 1e-9)
    lines.push(
      `${spentUsd.toFixed(4)} USD were paid in all, with earlier attempts and questions that are not selected now`,
    );
  if (unpriced > 0) lines.push(`The cost of ${unpriced} questions is not known: the provider reports no tokens.`);
  return lines;
}

function estimate({ value, low, high, level }: Estimate): string {
  const percent = (share: number): string => (share * 100).toFixed(1);
  return `${percent(value)} % (${Math.round(level * 100)} % interval ${percent(low)} to ${percent(high)})`;
}

/** Longer messages are cut; the whole ones stand in the results. */
const MESSAGE_CHARACTERS = 240;

function failureLine({ code, questions, firstId, message }: FailureSummary): string {
  const flat = message.replace(/\s+/g, ' ');
  const said = flat.length > MESSAGE_CHARACTERS ? `${flat.slice(0, MESSAGE_CHARACTERS)}…` : flat;
  return `  ${questions} ${code}, first ${firstId}: ${said}`;
}

function unfinishedLine({ unfinished, stopped, budgetUsd }: EvaluationSummary): string {
  if (stopped !== 'budget') return `${unfinished} questions are not asked yet: start again to go on.`;
  return `The budget of ${budgetUsd} USD is spent: ${unfinished} questions are not asked yet. Start again with a larger one to go on.`;
}

function inspectionLine({ averageIterations, byMaximum }: InspectionSummary): string {
  const accuracies = byMaximum.map(({ iterations, accuracy }) => `${iterations}: ${(accuracy * 100).toFixed(1)} %`);
  return `${averageIterations.toFixed(2)} revisions a question; accuracy by the most revisions: ${accuracies.join(', ')}`;
}

function listed(lines: readonly string[]): readonly string[] {
  const rest = lines.length - LISTED;
  return rest > 0 ? [...lines.slice(0, LISTED), `  and ${rest} more`] : lines;
}
