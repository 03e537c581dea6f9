import { createHash } from 'node:crypto';
import { AskemaError, invalidOption, type JobContext, throwIfAborted } from '@askema/core';
import type { DatasetQuestion } from '../datasets/read/dataset.ts';
import { selectQuestions } from '../datasets/select-questions.ts';
import { type DatabasePool, openDatabasePool } from './database-pool.ts';
import { aheadOf, checkRunOptions, doItems, jobId, openRunner, startPace, stopsWith } from './do-items.ts';
import type { EvaluationJobs, EvaluationOptions } from './evaluation-options.ts';
import {
  type EvaluationResult,
  type EvaluationSummary,
  isEvaluationResult,
  type Verdict,
} from './evaluation-result.ts';
import { markDrift } from './gold.ts';
import { canonicalJson, openResultsStore, type ResultsStore, readStoredRun } from './results-store.ts';
import { scoreQuestion, unaskedResult } from './score-question.ts';
import { shardOf } from './shard.ts';
import { countVerdicts, summarise } from './summarise.ts';
import { openPredictions, writePrediction } from './write-prediction.ts';

const DEFAULT_GOLD_TIMEOUT_MS = 60_000;

/**
 * Asks every selected question and compares the answer with gold by {@link executionMatch}, or by the dataset's own
 * rule where it has only result files. Each finished question is one line of `results.jsonl` and on the disk at once; a
 * second start with the same folder asks only what is missing. A question that fails, a pipeline that throws, a metric
 * that throws, or a database that does not open never ends the run. A stopped run (`signal`), or one whose budget is
 * spent, resolves with what there is and says so in `stopped`.
 *
 * @throws AskemaError `CONFIG_INVALID` for options out of range, and when the folder holds a run of another
 * configuration or other questions; `JOURNAL_INVALID` when its files are broken; `INPUT_INVALID` for a selection that
 * fits nothing; and what the `runner` rejects with.
 */
export async function runEvaluation(options: EvaluationOptions): Promise<EvaluationSummary> {
  const { dataset, budgetUsd } = options;
  const concurrency = options.concurrency ?? 1;
  checkRunOptions({ concurrency, budgetUsd, runId: options.runId });
  if (budgetUsd !== undefined && options.prices === undefined)
    throw invalidOption('`budgetUsd` needs `prices`: without them no cost is known.');
  const selected = shardOf(selectQuestions(dataset.questions, options), options.shard);
  if (options.answerFolder !== undefined) await openPredictions(options.answerFolder, selected);
  const goldBefore = await goldHashesOf(options.baseline);
  const runId = options.runId ?? (options.runner === undefined ? undefined : sharedRunId(options));
  const store = await openResultsStore<EvaluationResult>(options.out, dataset, options.configuration, {
    force: options.force,
    isResult: isEvaluationResult,
    runId,
    now: Date.now,
  });
  const summaryOf = (stopped: EvaluationSummary['stopped']): EvaluationSummary => {
    const finished = selected.flatMap((question) => store.results.get(question.id) ?? []);
    return summarise(finished, {
      dataset: dataset.name,
      configuration: store.run.configuration,
      problems: dataset.problems,
      leftOut: dataset.leftOut,
      official: dataset.official,
      unfinished: selected.length - finished.length,
      stopped: finished.length === selected.length ? undefined : stopped,
      spentUsd: store.spentUsd,
      budgetUsd,
      shard: options.shard,
      metrics: (options.metrics ?? []).map(({ id }) => id),
    });
  };
  try {
    // How much was asked for is on the disk from the beginning, also when this process does not come to its end.
    await store.writeSummary(summaryOf(undefined));
    const run: Run = { options, selected, store, concurrency, runId: runId ?? store.run.runId, goldBefore };
    const summary = summaryOf(await askMissing(run));
    await store.writeSummary(summary);
    return summary;
  } finally {
    await store.close();
  }
}

interface Run {
  readonly options: EvaluationOptions;
  readonly selected: readonly DatasetQuestion[];
  readonly store: ResultsStore<EvaluationResult>;
  readonly concurrency: number;
  /** Under which queue and pipelines keep what they remember. */
  readonly runId: string;
  /** Of the baseline, by question. */
  readonly goldBefore: ReadonlyMap<string, readonly string[]>;
}

async function askMissing(run: Run): Promise<EvaluationSummary['stopped']> {
  const { options, selected, store, concurrency, goldBefore } = run;
  const { signal, budgetUsd } = options;
  const missing = selected.filter((question) => isMissing(store.results.get(question.id), options.retryFailed));
  const report = progressReporter(options, selected, store, missing.length);
  report();
  const durable = options.runner !== undefined;
  const databases = openDatabasePool(options, durable ? undefined : usesOf(missing));
  const attemptOf = ({ id }: DatasetQuestion): number => {
    const last = store.results.get(id);
    return last === undefined ? 1 : (last.attempt ?? 1) + 1;
  };
  const jobs = createJobs(run, databases);
  try {
    const runner = await openRunner(jobs.jobs, options.runner, concurrency);
    const stopping = stopsWith(signal, runner);
    try {
      return await doItems<DatasetQuestion, EvaluationResult>({
        items: missing,
        enqueue: (question) => {
          const attempt = attemptOf(question);
          return runner.enqueue('ask', { id: question.id, attempt }, { id: jobId(run.runId, question.id, attempt) });
        },
        failed: (question, thrown) => unaskedResult(question, thrown, { now: Date.now, attempt: attemptOf(question) }),
        async write(result) {
          const before = { attempt: store.results.get(result.id)?.goldHashes, baseline: goldBefore.get(result.id) };
          const marked = markDrift(result, before);
          await store.append(marked);
          report(marked);
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
  } finally {
    await databases.closeAll();
  }
}

function isMissing(result: EvaluationResult | undefined, retryFailed: boolean | undefined): boolean {
  if (result === undefined) return true;
  return retryFailed === true && (result.verdict === 'failed' || result.verdict === 'goldFailed');
}

function usesOf(questions: readonly DatasetQuestion[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { databaseId } of questions) uses.set(databaseId, (uses.get(databaseId) ?? 0) + 1);
  return uses;
}

/**
 * What a runner does, in this process or in another one that was started with the same options; and when what it does
 * here is over.
 */
function createJobs(run: Run, databases: DatabasePool): { readonly jobs: EvaluationJobs; ended(): Promise<void> } {
  const byId = new Map(run.options.dataset.questions.map((question) => [question.id, question]));
  const underWay = new Set<Promise<unknown>>();
  const ask: EvaluationJobs['ask'] = ({ id, attempt }, context) => {
    const question = byId.get(id);
    if (question === undefined)
      throw new AskemaError('DATASET_INVALID', `The dataset has no question ${id}; the queue is of another one.`);
    const work = askOne(question, attempt, run.options, databases, context).finally(() => underWay.delete(work));
    underWay.add(work);
    return work;
  };
  return {
    jobs: { ask },
    async ended() {
      await Promise.allSettled(underWay);
    },
  };
}

async function askOne(
  question: DatasetQuestion,
  attempt: number,
  options: EvaluationOptions,
  databases: DatabasePool,
  { id, signal }: JobContext,
): Promise<EvaluationResult> {
  throwIfAborted(signal, `Question ${question.id}`);
  const { databaseId } = question;
  const { answerFolder } = options;
  try {
    return await databases.use(databaseId, ({ adapter, pipeline }) =>
      scoreQuestion(question, {
        adapter,
        pipeline,
        runId: id,
        attempt,
        documents: options.dataset.documents,
        metrics: options.metrics,
        variants: options.dataset.databases[databaseId]?.variants,
        useVariant: (file, work) => databases.useVariant(databaseId, file, work),
        goldTimeoutMs: options.goldTimeoutMs ?? DEFAULT_GOLD_TIMEOUT_MS,
        prices: options.prices,
        keep: answerFolder === undefined ? undefined : (answer) => writePrediction(answerFolder, question.id, answer),
        signal,
        now: Date.now,
      }),
    );
  } catch (thrown) {
    throwIfAborted(signal, `Question ${question.id}`);
    return unaskedResult(question, thrown, { now: Date.now, attempt });
  }
}

async function goldHashesOf(baseline: string | undefined): Promise<ReadonlyMap<string, readonly string[]>> {
  if (baseline === undefined) return new Map();
  const { results } = await readStoredRun<EvaluationResult>(baseline, isEvaluationResult);
  return new Map([...results].flatMap(([id, { goldHashes }]) => (goldHashes === undefined ? [] : [[id, goldHashes]])));
}

/** The same on every machine that starts this run. */
function sharedRunId({ dataset, configuration, metrics = [] }: EvaluationOptions): string {
  const identity = [dataset.fingerprint, canonicalJson(configuration), ...metrics.map(({ id }) => id)];
  return `eval-${createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24)}`;
}

/**
 * Tells `onProgress` how far a run is: first without a result, then with each one that was written. `left` are to be
 * asked in this start.
 */
function progressReporter(
  options: Pick<EvaluationOptions, 'onProgress' | 'budgetUsd'>,
  selected: readonly DatasetQuestion[],
  store: Pick<ResultsStore<EvaluationResult>, 'results' | 'spentUsd'>,
  left: number,
): (last?: EvaluationResult) => void {
  const pace = startPace(left, Date.now);
  const known = selected.flatMap(({ id }) => store.results.get(id) ?? []);
  const latest = new Map(known.map(({ id, verdict }) => [id, verdict]));
  const counts: Record<Verdict, number> = { ...countVerdicts(known) };
  return (last) => {
    if (last !== undefined) {
      pace.step();
      const before = latest.get(last.id);
      if (before !== undefined) counts[before] -= 1;
      counts[last.verdict] += 1;
      latest.set(last.id, last.verdict);
    }
    try {
      options.onProgress?.({
        done: latest.size,
        total: selected.length,
        counts: { ...counts },
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
