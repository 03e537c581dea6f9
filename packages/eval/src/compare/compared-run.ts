import type { RunRecord } from '../run/results-store.ts';
import type { ComparedRun } from './run-comparison.ts';

/** What a comparison says of one of its runs. */
export function comparedRun({
  name,
  run,
  results,
}: {
  readonly name: string;
  readonly run: RunRecord;
  readonly results: readonly unknown[];
}): ComparedRun {
  const { runId, configuration, startedAt } = run;
  return { name, runId, dataset: run.dataset.name, configuration, startedAt, results: results.length };
}
