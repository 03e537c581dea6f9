import { addUsage, type Usage } from '@askema/core';
import type { EvaluationResult, MetricSummary, Verdict, VerdictCounts } from '../../run/evaluation-result.ts';
import { groupsInOrder } from '../../run/groups-in-order.ts';
import { countVerdicts, latenciesOf, spendingOf, sum, summariseMetrics, validSqlOf } from '../../run/summarise.ts';
import { quantile } from '../../statistics/quantile.ts';
import { type Estimate, wilsonInterval } from '../../statistics/wilson-interval.ts';

/** How many questions of a group there are, and how many are right. */
export interface GroupFigures {
  readonly name: string;
  readonly counts: VerdictCounts;
  /** Without `goldFailed`. */
  readonly counted: number;
  readonly accuracy: Estimate;
}

/** What a report says of a run, computed from its results, so that it holds also for a run that goes on. */
export interface RunFigures {
  readonly total: GroupFigures;
  readonly byDifficulty: readonly GroupFigures[];
  readonly byCategory: readonly GroupFigures[];
  readonly byDatabase: readonly GroupFigures[];
  /** Right of those that were answered with a result: without `declined` and `failed`. */
  readonly answered: Estimate & { readonly questions: number };
  /** Statements that ran, of those that there were; undefined where the run did not note it. */
  readonly validSql?: (Estimate & { readonly statements: number }) | undefined;
  readonly usage: Usage;
  readonly calls: number;
  readonly executions: number;
  readonly costUsd?: number | undefined;
  readonly costPerRightUsd?: number | undefined;
  /** Questions with model calls of which no cost is known; 0 where nothing has a cost. */
  readonly unpriced: number;
  /** The sum over all questions. */
  readonly elapsedMs: number;
  readonly p50Ms?: number | undefined;
  readonly p95Ms?: number | undefined;
  readonly slowestMs?: number | undefined;
  readonly metrics: readonly MetricSummary[];
  /** Why questions were not right, the most frequent first. */
  readonly reasons: readonly { readonly verdict: Verdict; readonly reason: string; readonly questions: number }[];
}

/** @throws AskemaError `INPUT_INVALID` for a level that does not lie between 0 and 1. */
export function figuresOf(
  results: readonly EvaluationResult[],
  options: {
    readonly level?: number | undefined;
    readonly seed?: number | undefined;
    readonly resamples?: number | undefined;
  },
): RunFigures {
  const { level } = options;
  const group = (name: string, members: readonly EvaluationResult[]): GroupFigures =>
    groupFigures(name, members, level);
  const groups = (nameOf: (result: EvaluationResult) => string): readonly GroupFigures[] =>
    groupsInOrder(results, nameOf).map(([name, members]) => group(name, members));
  const total = group('all', results);
  const { right, wrong } = total.counts;
  const validSql = validSqlOf(results, level);
  const latencies = latenciesOf(results);
  return {
    total,
    byDifficulty: groups((result) => result.difficulty),
    byCategory: groups((result) => result.category),
    byDatabase: groups((result) => result.databaseId),
    answered: { ...wilsonInterval(right, right + wrong, level), questions: right + wrong },
    validSql: validSql && { ...validSql.rate, statements: validSql.statements },
    usage: addUsage(...results.map((result) => result.usage)),
    calls: sum(results.map((result) => result.calls)),
    executions: sum(results.map((result) => result.executions)),
    ...spendingOf(results),
    elapsedMs: sum(latencies),
    p50Ms: quantile(latencies, 0.5),
    p95Ms: quantile(latencies, 0.95),
    slowestMs: quantile(latencies, 1),
    metrics: summariseMetrics(results, [], options),
    reasons: reasonsOf(results),
  };
}

function groupFigures(name: string, results: readonly EvaluationResult[], level: number | undefined): GroupFigures {
  const counts = countVerdicts(results);
  const counted = results.length - counts.goldFailed;
  return { name, counts, counted, accuracy: wilsonInterval(counts.right, counted, level) };
}

function reasonsOf(results: readonly EvaluationResult[]): RunFigures['reasons'] {
  const reasons = new Map<string, { verdict: Verdict; reason: string; questions: number }>();
  for (const { verdict, reason, error } of results) {
    if (verdict === 'right') continue;
    // Messages of errors name what they met; their codes are what can be counted.
    const said = error?.code ?? kindOf(reason ?? 'no reason given');
    const key = `${verdict}\u0000${said}`;
    const known = reasons.get(key);
    if (known === undefined) reasons.set(key, { verdict, reason: said, questions: 1 });
    else known.questions += 1;
  }
  return [...reasons.values()].sort((a, b) => b.questions - a.questions || (a.reason < b.reason ? -1 : 1));
}

/** A reason without what it quotes and counts, and without its details after a colon, so that the same cause is one. */
function kindOf(reason: string): string {
  const [kind = '', ...details] = reason.slice(0, 500).split(': ');
  const general = kind
    .replace(/(?<!\w)'[^']*'(?!\w)/g, '‘…’')
    .replace(/"[^"]*"/g, '‘…’')
    .replace(/‘…’(?:, ‘…’)+/g, '‘…’')
    .replace(/\b\d+(?:[.,]\d+)*\b/g, 'n');
  return details.length === 0 ? general : `${general}: …`;
}
