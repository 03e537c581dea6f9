import { addUsage } from '@askema/core';
import type { OfficialSet } from '../datasets/read/dataset.ts';
import { type BootstrapOptions, bootstrapMean } from '../statistics/bootstrap.ts';
import { quantile } from '../statistics/quantile.ts';
import { type Estimate, wilsonInterval } from '../statistics/wilson-interval.ts';
import type {
  EvaluationGroup,
  EvaluationResult,
  EvaluationSummary,
  FailureSummary,
  LatencySummary,
  MetricSummary,
  OfficialSummary,
  Verdict,
  VerdictCounts,
} from './evaluation-result.ts';
import { groupsInOrder } from './groups-in-order.ts';

/** How many results there are of each verdict. */
export function countVerdicts(results: Iterable<EvaluationResult>): VerdictCounts {
  const counts: Record<Verdict, number> = { right: 0, wrong: 0, declined: 0, failed: 0, goldFailed: 0 };
  for (const result of results) counts[result.verdict] += 1;
  return counts;
}

/** What a summary says beside its results. */
interface SummaryFrame
  extends Pick<
    EvaluationSummary,
    'dataset' | 'configuration' | 'problems' | 'leftOut' | 'unfinished' | 'stopped' | 'spentUsd' | 'budgetUsd' | 'shard'
  > {
  /** Ids of the metrics, in the order in which they are to stand; others that have scores come behind them. */
  readonly metrics: readonly string[];
  readonly official?: OfficialSet | undefined;
}

/** Adds results up. */
export function summarise(finished: readonly EvaluationResult[], frame: SummaryFrame): EvaluationSummary {
  const { metrics, official, ...rest } = frame;
  const total = groupOf('all', finished);
  const { costUsd, costPerRightUsd, unpriced } = spendingOf(finished);
  return withoutUndefined({
    schemaVersion: 1,
    ...rest,
    total,
    byCategory: groupsInOrder(finished, (result) => result.category).map(([name, members]) => groupOf(name, members)),
    byDifficulty: groupsInOrder(finished, (result) => result.difficulty).map(([name, members]) =>
      groupOf(name, members),
    ),
    usage: addUsage(...finished.map((result) => result.usage)),
    calls: sum(finished.map((result) => result.calls)),
    executions: sum(finished.map((result) => result.executions)),
    elapsedMs: sum(finished.map((result) => result.elapsedMs)),
    latency: latencyOf(latenciesOf(finished)),
    costUsd,
    costPerRightUsd,
    unpriced: costUsd === undefined ? undefined : unpriced,
    validSql: validSqlOf(finished),
    metrics: summariseMetrics(finished, metrics),
    official: official !== undefined && metrics.includes(official.metric) ? officialOf(finished, official) : undefined,
    ...summariseInspection(finished),
    goldDrift: finished.flatMap(({ id, goldDrift }) =>
      goldDrift === undefined ? [] : [{ id, since: goldDrift.since }],
    ),
    failures: summariseFailures(finished),
    goldFailures: finished
      .filter((result) => result.verdict === 'goldFailed')
      .map((result) => ({ id: result.id, reason: result.reason ?? '' })),
  });
}

/** Undefined of nothing. */
export function latencyOf(elapsedMs: readonly number[]): LatencySummary | undefined {
  const p50Ms = quantile(elapsedMs, 0.5);
  const p95Ms = quantile(elapsedMs, 0.95);
  return p50Ms === undefined || p95Ms === undefined ? undefined : { p50Ms, p95Ms };
}

/** Milliseconds of the questions that were asked. */
export function latenciesOf(finished: readonly EvaluationResult[]): readonly number[] {
  return finished.filter(({ outcome }) => outcome !== 'notAsked').map(({ elapsedMs }) => elapsedMs);
}

/** US dollars of results; `unpriced` counts those with model calls and no known cost, where others have one. */
interface Spending {
  readonly costUsd: number | undefined;
  readonly costPerRightUsd: number | undefined;
  readonly unpriced: number;
}

/** What results cost. */
export function spendingOf(finished: readonly EvaluationResult[]): Spending {
  const costs = finished.flatMap((result) => result.costUsd ?? []);
  if (costs.length === 0) return { costUsd: undefined, costPerRightUsd: undefined, unpriced: 0 };
  const costUsd = sum(costs);
  const { right } = countVerdicts(finished);
  const unpriced = finished.filter((result) => result.calls > 0 && result.costUsd === undefined).length;
  return { costUsd, costPerRightUsd: right === 0 ? undefined : costUsd / right, unpriced };
}

/** Statements that ran, of those of which it is known; undefined without any. */
export function validSqlOf(finished: readonly EvaluationResult[], level?: number): EvaluationSummary['validSql'] {
  const known = finished.flatMap(({ validSql }) => validSql ?? []);
  if (known.length === 0) return undefined;
  return { statements: known.length, rate: wilsonInterval(known.filter((valid) => valid).length, known.length, level) };
}

/** The metrics over the questions whose gold ran: those of `ids` first, then others that have scores. */
export function summariseMetrics(
  finished: readonly EvaluationResult[],
  ids: readonly string[],
  options?: BootstrapOptions,
): readonly MetricSummary[] {
  const counted = finished.filter(({ verdict }) => verdict !== 'goldFailed');
  const all = new Set([
    ...ids,
    ...counted.flatMap(({ scores = {}, metricErrors = {} }) => [...Object.keys(scores), ...Object.keys(metricErrors)]),
  ]);
  return [...all].map((id) => {
    const scores = counted.flatMap((result) => result.scores?.[id] ?? []);
    const failed = counted.filter((result) => result.metricErrors?.[id] !== undefined).length;
    return { id, questions: scores.length, mean: meanOf(scores, options), failed };
  });
}

/**
 * Where nothing came back, nothing was scored and the answer is wrong all the same; a result without a score is of a
 * task without accepted files, or was made before the metric was asked for.
 */
function officialOf(finished: readonly EvaluationResult[], { metric, tasks }: OfficialSet): OfficialSummary {
  const judged = finished.filter(
    ({ scores, verdict }) => scores?.[metric] !== undefined || verdict === 'failed' || verdict === 'declined',
  );
  return { metric, tasks, judged: judged.length, right: judged.filter(({ scores }) => scores?.[metric] === 1).length };
}

function meanOf(scores: readonly number[], options?: BootstrapOptions): Estimate {
  const ones = scores.filter((score) => score === 1).length;
  const zeros = scores.filter((score) => score === 0).length;
  return ones + zeros === scores.length
    ? wilsonInterval(ones, scores.length, options?.level)
    : bootstrapMean(scores, options);
}

/** As it comes back from the disk, so that both are equal. */
function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}

function groupOf(name: string, results: readonly EvaluationResult[]): EvaluationGroup {
  const counts = countVerdicts(results);
  const counted = results.length - counts.goldFailed;
  const accuracy = counted === 0 ? 0 : counts.right / counted;
  return { name, counts, counted, accuracy, interval: wilsonInterval(counts.right, counted) };
}

/** 0 of nothing. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

/** Why questions failed, the most frequent reason first. */
export function summariseFailures(finished: readonly EvaluationResult[]): readonly FailureSummary[] {
  const failures = new Map<string, FailureSummary>();
  for (const { id, verdict, reason, error } of finished) {
    if (verdict !== 'failed') continue;
    const code = error?.code ?? 'other';
    const known = failures.get(code);
    const first = known ?? { code, questions: 0, firstId: id, message: error?.message ?? reason ?? 'no reason given' };
    failures.set(code, { ...first, questions: first.questions + 1 });
  }
  return [...failures.values()].sort((a, b) => b.questions - a.questions);
}

/** What the `inspect` flow did over all questions; nothing for runs of other flows. */
function summariseInspection(results: readonly EvaluationResult[]): Pick<EvaluationSummary, 'inspection'> {
  const counted = results.filter(({ verdict }) => verdict !== 'goldFailed');
  const inspected = counted.flatMap(({ inspection }) => inspection ?? []);
  if (inspected.length === 0) return {};
  const most = Math.max(...inspected.map(({ rightByTry }) => rightByTry.length));
  const byMaximum = [...Array(most).keys()].map((iterations) => {
    const right = inspected.filter(({ rightByTry }) => rightByTry[Math.min(iterations, rightByTry.length - 1)]).length;
    return { iterations, right, accuracy: right / counted.length };
  });
  const all = inspected.reduce((sum, { iterations }) => sum + iterations, 0);
  return { inspection: { questions: inspected.length, averageIterations: all / inspected.length, byMaximum } };
}
