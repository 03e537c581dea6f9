import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  AskemaError,
  decodeValue,
  encodeValue,
  invalidOption,
  type JobContext,
  type JsonValue,
  throwIfAborted,
  toAskemaError,
} from '@askema/core';
import { fileWithin } from '../files/file-within.ts';
import { aheadOf, checkRunOptions, doItems, jobId, openRunner, startPace, stopsWith } from '../run/do-items.ts';
import { storedResults } from '../run/results-file.ts';
import { canonicalJson, openResultsStore, type ResultsStore } from '../run/results-store.ts';
import { shardOf } from '../run/shard.ts';
import { latencyOf } from '../run/summarise.ts';
import type { BatchItem, BatchJobs, BatchOptions, BatchResult, BatchSummary } from './batch-options.ts';

/**
 * Does a list of items, each once: every finished item is one line of `results.jsonl` and on the disk at once; a second
 * start with the same folder does only what is missing. An item that throws is `failed` and never ends the run. Outputs
 * are not kept in memory: read them with `readBatch`. The list may have grown since the last start; items are told
 * apart by their ids alone.
 *
 * @throws AskemaError as `runEvaluation`; `INPUT_INVALID` also when two items have one id.
 */
export async function runBatch<Input, Output>(options: BatchOptions<Input, Output>): Promise<BatchSummary> {
  const { budgetUsd, configuration = {}, name = 'batch' } = options;
  const concurrency = options.concurrency ?? 1;
  checkRunOptions({ concurrency, budgetUsd, runId: options.runId });
  if (budgetUsd !== undefined && options.costOf === undefined)
    throw invalidOption('`budgetUsd` needs `costOf`: without it no cost is known.');
  throwOnRepeatedIds(options.items);
  const selected = shardOf(options.items, options.shard);
  const runId = options.runId ?? (options.runner === undefined ? undefined : sharedRunId(name, configuration));
  // The list may grow, so its items are no part of what must stay the same.
  const dataset = { name, fingerprint: 'batch' };
  const store = await openResultsStore<BatchResult<JsonValue>>(options.out, dataset, configuration, {
    force: options.force,
    isResult: isBatchResult,
    keep: ({ output: _output, ...rest }) => rest,
    runId,
    now: Date.now,
  });
  const summaryOf = (stopped: BatchSummary['stopped']): BatchSummary =>
    summarise(options, selected, store, { name, configuration, stopped });
  try {
    await store.writeSummary(summaryOf(undefined));
    const summary = summaryOf(await doMissing(options, selected, store, concurrency, runId ?? store.run.runId));
    await store.writeSummary(summary);
    return summary;
  } finally {
    await store.close();
  }
}

async function doMissing<Input, Output>(
  options: BatchOptions<Input, Output>,
  selected: readonly BatchItem<Input>[],
  store: ResultsStore<BatchResult<JsonValue>>,
  concurrency: number,
  runId: string,
): Promise<BatchSummary['stopped']> {
  const { signal, budgetUsd } = options;
  const missing = selected.filter(({ id }) => {
    const known = store.results.get(id);
    return known === undefined || (options.retryFailed === true && known.status === 'failed');
  });
  const attemptOf = (id: string): number => (store.results.get(id)?.attempt ?? 0) + 1;
  const report = progressReporter(options, selected, store, missing.length);
  report();
  const durable = options.runner !== undefined;
  const jobs = createJobs(options);
  const runner = await openRunner<BatchJobs<Input, Output>>(jobs.jobs, options.runner, concurrency);
  const stopping = stopsWith(signal, runner);
  try {
    return await doItems<BatchItem<Input>, BatchResult<Output>>({
      items: missing,
      enqueue: ({ id, input }) => {
        const attempt = attemptOf(id);
        const job = jobId(runId, id, attempt);
        return runner.enqueue('item', { id, attempt, input }, { id: job });
      },
      failed: ({ id }, thrown) => failedResult(id, attemptOf(id), 0, thrown),
      async write(result) {
        await store.append(encodedResult(result));
        report(result);
      },
      ahead: aheadOf({ concurrency, durable, budgetUsd }),
      spentUsd: () => store.spentUsd ?? 0,
      budgetUsd,
      signal,
    });
  } finally {
    await stopping.close();
    await jobs.ended();
  }
}

function createJobs<Input, Output>({
  work,
  costOf,
}: BatchOptions<Input, Output>): { readonly jobs: BatchJobs<Input, Output>; ended(): Promise<void> } {
  const underWay = new Set<Promise<unknown>>();
  const doOne = async (
    { id, attempt, input }: { readonly id: string; readonly attempt: number; readonly input: Input },
    context: JobContext,
  ): Promise<BatchResult<Output>> => {
    const { signal } = context;
    throwIfAborted(signal, `Item ${id}`);
    const started = Date.now();
    try {
      const output = await work(input, { id, attempt, runId: context.id, signal, run: context.run });
      throwIfAborted(signal, `Item ${id}`);
      // Also finds out here, where it is the item's own failure, what cannot be stored.
      const stored = decodeValue(encodeValue(output)) as Output;
      const costUsd = costOf?.(output);
      if (costUsd !== undefined && !(Number.isFinite(costUsd) && costUsd >= 0))
        throw new AskemaError('INPUT_INVALID', `\`costOf\` says ${costUsd} of item ${id}; it must be dollars from 0.`);
      return { ...ended(id, attempt, Date.now() - started), status: 'done', output: stored, costUsd };
    } catch (thrown) {
      throwIfAborted(signal, `Item ${id}`);
      return failedResult(id, attempt, Date.now() - started, thrown);
    }
  };
  return {
    jobs: {
      item(input, context) {
        const pending = doOne(input, context).finally(() => underWay.delete(pending));
        underWay.add(pending);
        return pending;
      },
    },
    async ended() {
      await Promise.allSettled(underWay);
    },
  };
}

function ended(id: string, attempt: number, elapsedMs: number) {
  return { schemaVersion: 1, id, attempt, elapsedMs, finishedAt: new Date().toISOString() } as const;
}

function failedResult(id: string, attempt: number, elapsedMs: number, thrown: unknown): BatchResult<never> {
  return { ...ended(id, attempt, elapsedMs), status: 'failed', error: toAskemaError(thrown).toJSON() };
}

function encodedResult<Output>(result: BatchResult<Output>): BatchResult<JsonValue> {
  const { output, ...rest } = result;
  return result.status === 'done' ? { ...rest, output: encodeValue(output) } : rest;
}

function progressReporter<Input, Output>(
  options: Pick<BatchOptions<Input, Output>, 'onProgress' | 'budgetUsd'>,
  selected: readonly BatchItem<Input>[],
  store: Pick<ResultsStore<BatchResult<JsonValue>>, 'results' | 'spentUsd'>,
  left: number,
): (last?: BatchResult<Output>) => void {
  const pace = startPace(left, Date.now);
  const statuses = new Map(
    selected.flatMap(({ id }) => store.results.get(id) ?? []).map((item) => [item.id, item.status]),
  );
  let failed = [...statuses.values()].filter((status) => status === 'failed').length;
  return (last) => {
    if (last !== undefined) {
      pace.step();
      if (statuses.get(last.id) === 'failed') failed -= 1;
      if (last.status === 'failed') failed += 1;
      statuses.set(last.id, last.status);
    }
    try {
      options.onProgress?.({
        finished: statuses.size,
        failed,
        total: selected.length,
        last,
        ...pace.read(),
        costUsd: store.spentUsd,
        budgetUsd: options.budgetUsd,
      });
    } catch {
      // A listener that throws must not end a run that is paid for.
    }
  };
}

function summarise<Input, Output>(
  { budgetUsd, shard }: BatchOptions<Input, Output>,
  selected: readonly BatchItem<Input>[],
  store: Pick<ResultsStore<BatchResult<JsonValue>>, 'results' | 'spentUsd'>,
  frame: Pick<BatchSummary, 'name' | 'configuration' | 'stopped'>,
): BatchSummary {
  const finished = selected.flatMap(({ id }) => store.results.get(id) ?? []);
  const failures = finished.flatMap(({ id, error }) => (error === undefined ? [] : [{ id, error }]));
  const unfinished = selected.length - finished.length;
  return {
    schemaVersion: 1,
    name: frame.name,
    configuration: frame.configuration,
    total: selected.length,
    done: finished.length - failures.length,
    failed: failures.length,
    unfinished,
    stopped: unfinished === 0 ? undefined : frame.stopped,
    latency: latencyOf(finished.map(({ elapsedMs }) => elapsedMs)),
    spentUsd: store.spentUsd,
    budgetUsd,
    shard,
    failures,
  };
}

function throwOnRepeatedIds(items: readonly BatchItem<unknown>[]): void {
  const seen = new Set<string>();
  for (const { id } of items) {
    if (seen.has(id)) throw new AskemaError('INPUT_INVALID', `Two items have the id ${id}; give each one of its own.`);
    seen.add(id);
  }
}

/** The same on every machine that starts this batch. */
function sharedRunId(name: string, configuration: Readonly<Record<string, JsonValue>>): string {
  const identity = JSON.stringify([name, canonicalJson(configuration)]);
  return `batch-${createHash('sha256').update(identity).digest('hex').slice(0, 24)}`;
}

/** Whether a line of `results.jsonl` is one of a batch. */
function isBatchResult(line: Partial<BatchResult<JsonValue>>): boolean {
  return line.status === 'done' || line.status === 'failed';
}

/**
 * The results of a batch, one by one in the order in which they ended, also while it runs. An item that was done again
 * after it failed comes with each attempt, the last one counts.
 *
 * @throws AskemaError `JOURNAL_INVALID` when the folder has no results, or an invalid line.
 */
export async function* readBatch<Output>(directory: string): AsyncGenerator<BatchResult<Output>> {
  const file = fileWithin(directory, path.join(directory, 'results.jsonl'), 'JOURNAL_INVALID');
  if (!existsSync(file)) throw new AskemaError('JOURNAL_INVALID', `There is no ${file}; name the folder of a batch.`);
  for await (const { result } of storedResults<BatchResult<JsonValue>>(file, isBatchResult)) {
    const { output, ...rest } = result;
    yield output === undefined ? rest : { ...rest, output: decodeValue(output) as Output };
  }
}
