import { addUsage } from '@askema/core';
import { bootstrapMean, type Estimate, quantile, wilsonInterval } from '../statistics/index.ts';
import type {
  EvaluationGroup,
  EvaluationResult,
  EvaluationSummary,
  LatencySummary,
  MetricSummary,
  Verdict,
  VerdictCounts,
} from './evaluation-options.ts';
import { summariseInspection } from './summarise-inspection.ts';

/** How many results there are of each verdict. */
export function countVerdicts(results: Iterable<EvaluationResult>): VerdictCounts {
  const counts: Record<Verdict, number> = { right: 0, wrong: 0, declined: 0, failed: 0, goldFailed: 0 };
  for (const result of results) counts[result.verdict] += 1;
  return counts;
}

/** What a summary says beside its results. */
export interface SummaryFrame
  extends Pick<
    EvaluationSummary,
    'dataset' | 'configuration' | 'problems' | 'unfinished' | 'stopped' | 'spentUsd' | 'budgetUsd' | 'shard'
  > {
  /** Ids of the metrics, in the order in which they are to stand; others that have scores come behind them. */
  readonly metrics: readonly string[];
}

/** Adds results up. */
export function summarise(finished: readonly EvaluationResult[], frame: SummaryFrame): EvaluationSummary {
  const { metrics, ...rest } = frame;
  const costs = finished.flatMap((result) => result.costUsd ?? []);
  const costUsd = costs.length === 0 ? undefined : sum(costs);
  const total = groupOf('all', finished);
  return withoutUndefined({
    schemaVersion: 1,
    ...rest,
    total,
    byCategory: groupsBy(finished, (result) => result.category),
    byDifficulty: groupsBy(finished, (result) => result.difficulty),
    usage: addUsage(...finished.map((result) => result.usage)),
    calls: sum(finished.map((result) => result.calls)),
    executions: sum(finished.map((result) => result.executions)),
    elapsedMs: sum(finished.map((result) => result.elapsedMs)),
    latency: latencyOf(finished.filter(({ outcome }) => outcome !== 'notAsked').map(({ elapsedMs }) => elapsedMs)),
    costUsd,
    costPerRightUsd: costUsd === undefined || total.counts.right === 0 ? undefined : costUsd / total.counts.right,
    unpriced: costUsd === undefined ? undefined : finished.filter(isUnpriced).length,
    validSql: validSqlOf(finished),
    metrics: summariseMetrics(finished, metrics),
    ...summariseInspection(finished),
    goldDrift: finished.flatMap(({ id, goldDrift }) =>
      goldDrift === undefined ? [] : [{ id, since: goldDrift.since }],
    ),
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

function isUnpriced({ calls, costUsd }: EvaluationResult): boolean {
  return calls > 0 && costUsd === undefined;
}

function validSqlOf(finished: readonly EvaluationResult[]): EvaluationSummary['validSql'] {
  const known = finished.flatMap(({ validSql }) => validSql ?? []);
  if (known.length === 0) return undefined;
  return { statements: known.length, rate: wilsonInterval(known.filter((valid) => valid).length, known.length) };
}

function summariseMetrics(finished: readonly EvaluationResult[], ids: readonly string[]): readonly MetricSummary[] {
  const counted = finished.filter(({ verdict }) => verdict !== 'goldFailed');
  const all = new Set([
    ...ids,
    ...counted.flatMap(({ scores = {}, metricErrors = {} }) => [...Object.keys(scores), ...Object.keys(metricErrors)]),
  ]);
  return [...all].map((id) => {
    const scores = counted.flatMap((result) => result.scores?.[id] ?? []);
    const failed = counted.filter((result) => result.metricErrors?.[id] !== undefined).length;
    return { id, questions: scores.length, mean: meanOf(scores), failed };
  });
}

function meanOf(scores: readonly number[]): Estimate {
  const ones = scores.filter((score) => score === 1).length;
  const zeros = scores.filter((score) => score === 0).length;
  return ones + zeros === scores.length ? wilsonInterval(ones, scores.length) : bootstrapMean(scores);
}

/** As it comes back from the disk, so that both are equal. */
function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}

const DIFFICULTY_ORDER = ['easy', 'simple', 'medium', 'moderate', 'hard', 'challenging', 'extra'];

function groupsBy(
  results: readonly EvaluationResult[],
  key: (result: EvaluationResult) => string,
): readonly EvaluationGroup[] {
  const groups = new Map<string, EvaluationResult[]>();
  for (const result of results) {
    const group = groups.get(key(result));
    if (group === undefined) groups.set(key(result), [result]);
    else group.push(result);
  }
  const place = (name: string): number => {
    const known = DIFFICULTY_ORDER.indexOf(name);
    return known === -1 ? DIFFICULTY_ORDER.length : known;
  };
  return [...groups]
    .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .map(([name, members]) => groupOf(name, members));
}

function groupOf(name: string, results: readonly EvaluationResult[]): EvaluationGroup {
  const counts = countVerdicts(results);
  const counted = results.length - counts.goldFailed;
  const accuracy = counted === 0 ? 0 : counts.right / counted;
  return { name, counts, counted, accuracy, interval: wilsonInterval(counts.right, counted) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
