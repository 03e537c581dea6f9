import { type Adapter, AskemaError, resolveAdapter, toAskemaError } from '@askema/core';
import pLimit from 'p-limit';
import type { DatasetQuestion } from '../datasets/dataset.ts';
import { selectQuestions } from '../datasets/select-questions.ts';
import type {
  EvaluationOptions,
  EvaluationResult,
  EvaluationSummary,
  Pipeline,
  Verdict,
} from './evaluation-options.ts';
import { openResultsStore, type ResultsStore } from './results-store.ts';
import { scoreQuestion, unaskedResult } from './score-question.ts';
import { countVerdicts, summarise } from './summarise.ts';

const DEFAULT_GOLD_TIMEOUT_MS = 60_000;

/**
 * Asks every selected question and compares the answer with gold by {@link executionMatch}. Each finished question is one line of
 * `results.jsonl` and on the disk at once; a second start with the same folder asks only what is missing. A question that fails, a
 * pipeline that throws, or a database that does not open never ends the run. A stopped run (`signal`) resolves with what there is.
 *
 * @throws AskemaError `CONFIG_INVALID` when the folder holds a run of another configuration or other questions; `JOURNAL_INVALID` when its
 * files are broken; `INPUT_INVALID` for a selection that fits nothing.
 */
export async function runEvaluation(options: EvaluationOptions): Promise<EvaluationSummary> {
  const { dataset } = options;
  const concurrency = options.concurrency ?? 1;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new AskemaError('INPUT_INVALID', `\`concurrency\` is ${concurrency}; it must be a whole number above 0.`);
  const selected = selectQuestions(dataset.questions, options);
  const store = await openResultsStore<EvaluationResult>(options.out, dataset, options.configuration, {
    force: options.force,
    isResult: (line) => typeof line.verdict === 'string',
    now: Date.now,
  });
  try {
    await askMissing(options, selected, store, concurrency);
    const summary = summarise(dataset, store.run, selected, store.results);
    await store.writeSummary(summary);
    return summary;
  } finally {
    await store.close();
  }
}

async function askMissing(
  options: EvaluationOptions,
  selected: readonly DatasetQuestion[],
  store: ResultsStore<EvaluationResult>,
  concurrency: number,
): Promise<void> {
  const missing = selected.filter((question) => isMissing(store.results.get(question.id), options.retryFailed));
  const report = progressReporter(options, selected, store);
  report();
  const databases = openDatabases(options, missing);
  const limiter = pLimit(concurrency);
  try {
    const work = missing.map((question) =>
      limiter(async () => {
        if (options.signal?.aborted) return;
        const result = await ask(question, options, databases, store.run.runId);
        if (result === undefined) return;
        await store.append(result);
        report(result);
      }),
    );
    await Promise.all(work);
  } finally {
    limiter.clearQueue();
    await databases.closeAll();
  }
}

function isMissing(result: EvaluationResult | undefined, retryFailed: boolean | undefined): boolean {
  if (result === undefined) return true;
  return retryFailed === true && (result.verdict === 'failed' || result.verdict === 'goldFailed');
}

/** Undefined when the run was stopped meanwhile. */
async function ask(
  question: DatasetQuestion,
  options: EvaluationOptions,
  databases: Databases,
  runId: string,
): Promise<EvaluationResult | undefined> {
  const scoring = {
    runId: `${runId}-${question.id}`,
    goldTimeoutMs: options.goldTimeoutMs ?? DEFAULT_GOLD_TIMEOUT_MS,
    prices: options.prices,
    signal: options.signal,
    now: Date.now,
  };
  try {
    const { adapter, pipeline } = await databases.open(question.databaseId);
    return await scoreQuestion(question, { ...scoring, adapter, pipeline });
  } catch (thrown) {
    return options.signal?.aborted ? undefined : unaskedResult(question, thrown, scoring);
  } finally {
    await databases.release(question.databaseId);
  }
}

interface OpenDatabase {
  readonly adapter: Adapter;
  readonly pipeline: Pipeline;
}

interface Databases {
  open(id: string): Promise<OpenDatabase>;
  /** Closes the database after its last question. */
  release(id: string): Promise<void>;
  closeAll(): Promise<void>;
}

/** Each database is opened once, when its first question comes. */
function openDatabases(options: EvaluationOptions, questions: readonly DatasetQuestion[]): Databases {
  const opened = new Map<string, Promise<OpenDatabase>>();
  const left = new Map<string, number>();
  for (const { databaseId } of questions) left.set(databaseId, (left.get(databaseId) ?? 0) + 1);
  const close = async (id: string): Promise<void> => {
    const database = await opened.get(id)?.catch(() => undefined);
    opened.delete(id);
    try {
      await database?.pipeline.close?.();
    } finally {
      await database?.adapter.close();
    }
  };
  return {
    open(id) {
      const known = opened.get(id);
      if (known !== undefined) return known;
      const opening = openDatabase(options, id);
      opened.set(id, opening);
      return opening;
    },
    async release(id) {
      const rest = (left.get(id) ?? 0) - 1;
      left.set(id, rest);
      if (rest === 0) await close(id).catch(() => undefined);
    },
    async closeAll() {
      await Promise.allSettled([...opened.keys()].map(close));
    },
  };
}

async function openDatabase(options: EvaluationOptions, id: string): Promise<OpenDatabase> {
  const database = options.dataset.databases[id];
  if (database === undefined) throw new AskemaError('DATASET_INVALID', `The dataset has no database ${id}.`);
  const adapter = resolveAdapter(await options.connect(database));
  try {
    return { adapter, pipeline: await options.pipeline(adapter, database) };
  } catch (thrown) {
    await adapter.close();
    throw toAskemaError(thrown);
  }
}

function progressReporter(
  options: EvaluationOptions,
  selected: readonly DatasetQuestion[],
  store: ResultsStore<EvaluationResult>,
): (last?: EvaluationResult) => void {
  const started = Date.now();
  const known = selected.flatMap(({ id }) => store.results.get(id) ?? []);
  const latest = new Map(known.map((result) => [result.id, result]));
  const counts: Record<Verdict, number> = { ...countVerdicts(latest.values()) };
  const costs = [...latest.values()].flatMap((result) => result.costUsd ?? []);
  let costUsd = costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
  return (last) => {
    if (last !== undefined) {
      const before = latest.get(last.id);
      if (before !== undefined) counts[before.verdict] -= 1;
      counts[last.verdict] += 1;
      latest.set(last.id, last);
      if (last.costUsd !== undefined) costUsd = (costUsd ?? 0) + last.costUsd;
    }
    const elapsedMs = Date.now() - started;
    try {
      options.onProgress?.({
        done: latest.size,
        total: selected.length,
        counts: { ...counts },
        last,
        elapsedMs,
        costUsd,
      });
    } catch {
      // A listener that throws must not end a run that is paid for.
    }
  };
}
