import { addUsage } from '@askema/core';
import type { Dataset, DatasetQuestion } from '../datasets/dataset.ts';
import type {
  EvaluationGroup,
  EvaluationResult,
  EvaluationSummary,
  Verdict,
  VerdictCounts,
} from './evaluation-options.ts';
import type { RunRecord } from './results-store.ts';
import { summariseInspection } from './summarise-inspection.ts';

/** How many results there are of each verdict. */
export function countVerdicts(results: Iterable<EvaluationResult>): VerdictCounts {
  const counts: Record<Verdict, number> = { right: 0, wrong: 0, declined: 0, failed: 0, goldFailed: 0 };
  for (const result of results) counts[result.verdict] += 1;
  return counts;
}

/** Adds a run up, over the selected questions that have a result. */
export function summarise(
  dataset: Dataset,
  run: RunRecord,
  selected: readonly DatasetQuestion[],
  results: ReadonlyMap<string, EvaluationResult>,
): EvaluationSummary {
  const finished = selected.flatMap((question) => results.get(question.id) ?? []);
  const costs = finished.flatMap((result) => result.costUsd ?? []);
  return {
    schemaVersion: 1,
    dataset: dataset.name,
    configuration: run.configuration,
    total: groupOf('all', finished),
    byCategory: groupsBy(finished, (result) => result.category),
    byDifficulty: groupsBy(finished, (result) => result.difficulty),
    usage: addUsage(...finished.map((result) => result.usage)),
    calls: sum(finished.map((result) => result.calls)),
    executions: sum(finished.map((result) => result.executions)),
    elapsedMs: sum(finished.map((result) => result.elapsedMs)),
    ...(costs.length === 0 ? {} : { costUsd: sum(costs) }),
    ...summariseInspection(finished),
    unfinished: selected.length - finished.length,
    goldFailures: finished
      .filter((result) => result.verdict === 'goldFailed')
      .map((result) => ({ id: result.id, reason: result.reason ?? '' })),
    problems: dataset.problems,
  };
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
  return { name, counts, counted, accuracy: counted === 0 ? 0 : counts.right / counted };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
