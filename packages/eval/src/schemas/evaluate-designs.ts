import { AskemaError, addUsage } from '@askema/core';
import pLimit from 'p-limit';
import { openResultsStore, type ResultsStore, readStoredRun } from '../run/results-store.ts';
import { createScorers } from './create-scorers.ts';
import { designOne, schemaOf, scoresOf } from './design-one.ts';
import type { DesignEvaluationOptions, DesignProgress, DesignResult } from './design-result.ts';
import { type DesignSummary, summariseDesigns } from './design-summary.ts';
import type { SchemaDataset, SchemaItem } from './schema-dataset.ts';
import { meanScore } from './schema-score.ts';
import type { SchemaScorer } from './schema-scorer.ts';
import { selectItems } from './select-items.ts';

/**
 * Designs a schema for every selected requirement and compares it with gold. Each finished requirement is one line of `results.jsonl`
 * and on the disk at once; a second start with the same folder designs only what is missing. A requirement that fails, or a design that
 * throws, never ends the run. A stopped run (`signal`) resolves with what there is.
 *
 * @throws AskemaError `CONFIG_INVALID` when the folder holds a run of another configuration or other requirements; `JOURNAL_INVALID` when
 * its files are broken; `JOURNAL_LOCKED` while another process writes there; `INPUT_INVALID` for a selection that fits nothing.
 */
export async function evaluateDesigns(options: DesignEvaluationOptions): Promise<DesignSummary> {
  const { dataset } = options;
  const concurrency = options.concurrency ?? 1;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new AskemaError('INPUT_INVALID', `\`concurrency\` is ${concurrency}; it must be a whole number above 0.`);
  const scorers = options.scorers ?? createScorers(['strict']);
  const selected = selectItems(dataset.items, options);
  const store = await openResultsStore<DesignResult>(options.out, dataset, options.configuration, {
    force: options.force,
    isResult: isDesignResult,
    now: Date.now,
  });
  try {
    await designMissing(options, scorers, selected, store, concurrency);
    const summary = await summarise({ dataset, selected, scorers }, store.run.configuration, store.results);
    await store.writeSummary(summary);
    return summary;
  } finally {
    await store.close();
  }
}

/** What of a run is scored anew: the same selection as {@link evaluateDesigns}. */
export interface ScoreDesignsOptions {
  readonly dataset: SchemaDataset;
  /** The folder of a run. */
  readonly run: string;
  readonly scorers?: readonly SchemaScorer[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

/**
 * Scores the stored outcomes of a run anew, without a model; nothing is written. Without `ids`, what the run has is what counts.
 *
 * @throws AskemaError `JOURNAL_INVALID` when there is no run; `INPUT_INVALID` for a selection that fits nothing, or a run of other requirements.
 */
export async function scoreDesigns(options: ScoreDesignsOptions): Promise<DesignSummary> {
  const { dataset } = options;
  const scorers = options.scorers ?? createScorers(['strict']);
  const { run, results } = await readStoredRun<DesignResult>(options.run, isDesignResult);
  const stored = dataset.items.filter((item) => results.has(item.id)).map((item) => item.id);
  const ids = options.ids ?? stored;
  if (stored.length === 0)
    throw new AskemaError(
      'INPUT_INVALID',
      `The run in ${options.run} has no result for a requirement of ${dataset.name}.`,
    );
  const selected = selectItems(dataset.items, { ids, limit: options.limit });
  return summarise({ dataset, selected, scorers }, run.configuration, results);
}

function isDesignResult(line: Partial<DesignResult>): boolean {
  return typeof line.ending === 'string' && typeof line.goldTables === 'number';
}

/** With the scores of today's scorers, whatever was chosen when the results were made. */
async function summarise(
  about: {
    readonly dataset: SchemaDataset;
    readonly selected: readonly SchemaItem[];
    readonly scorers: readonly SchemaScorer[];
  },
  configuration: DesignSummary['configuration'],
  results: ReadonlyMap<string, DesignResult>,
): Promise<DesignSummary> {
  const scored: DesignResult[] = [];
  for (const item of about.selected) {
    const result = results.get(item.id);
    if (result === undefined) continue;
    const schema = result.outcome === undefined ? undefined : schemaOf(result.outcome);
    scored.push({ ...result, scores: await scoresOf(item, schema, about.scorers) });
  }
  return summariseDesigns({ ...about, configuration, results: scored });
}

async function designMissing(
  options: DesignEvaluationOptions,
  scorers: readonly SchemaScorer[],
  selected: readonly SchemaItem[],
  store: ResultsStore<DesignResult>,
  concurrency: number,
): Promise<void> {
  const missing = selected.filter((item) => isMissing(store.results.get(item.id), options.retryFailed));
  const report = (last?: DesignResult): void => {
    try {
      options.onProgress?.(progressOf(selected, store, scorers, last));
    } catch {
      // A listener that throws must not end a run that is paid for.
    }
  };
  report();
  const limiter = pLimit(concurrency);
  try {
    const work = missing.map((item) =>
      limiter(async () => {
        if (options.signal?.aborted) return;
        const result = await designOne(item, { ...options, scorers, runId: runIdOf(store, item.id) });
        if (result === undefined) return;
        await store.append(result);
        report(result);
      }),
    );
    await Promise.all(work);
  } finally {
    limiter.clearQueue();
  }
}

/** The same on every start; a requirement that is designed again after it failed gets a run of its own. */
function runIdOf(store: ResultsStore<DesignResult>, id: string): string {
  const failedAt = store.results.get(id)?.finishedAt;
  return `${store.run.runId}-${id}${failedAt === undefined ? '' : `-after-${Date.parse(failedAt)}`}`;
}

function isMissing(result: DesignResult | undefined, retryFailed: boolean | undefined): boolean {
  if (result === undefined) return true;
  return retryFailed === true && (result.ending === 'failed' || result.ending === 'threw');
}

function progressOf(
  selected: readonly SchemaItem[],
  store: ResultsStore<DesignResult>,
  scorers: readonly SchemaScorer[],
  last: DesignResult | undefined,
): DesignProgress {
  const finished = selected.flatMap((item) => store.results.get(item.id) ?? []);
  const first = scorers[0]?.name ?? 'strict';
  const tableF1 = meanScore(finished.flatMap((result) => result.scores[first] ?? []))?.tableF1;
  return {
    done: finished.length,
    total: selected.length,
    designed: finished.filter((result) => result.ending === 'designed').length,
    ...(tableF1 === undefined ? {} : { tableF1 }),
    last,
    usage: addUsage(...finished.flatMap((result) => result.outcome?.usage ?? [])),
  };
}
