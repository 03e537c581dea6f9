import {
  AskemaError,
  addUsage,
  checkWhole,
  didYouMean,
  type Schema,
  type SerializedError,
  toAskemaError,
} from '@askema/core';
import { verifyCertificate } from '@askema/normal-form';
import type { DesignOutcome } from '@askema/text2schema';
import pLimit from 'p-limit';
import { costOf } from '../run/cost-of.ts';
import { openResultsStore, type ResultsStore, readStoredRun } from '../run/results-store.ts';
import { createScorers } from './create-scorers.ts';
import {
  type DdlRun,
  type DesignCertificates,
  type DesignEvaluationOptions,
  type DesignProgress,
  type DesignResult,
  isDesignResult,
} from './design-result.ts';
import { type DesignSummary, summariseDesigns } from './design-summary.ts';
import type { SchemaDataset, SchemaItem } from './load-schema-dataset.ts';
import { meanScore, type SchemaScore, type SchemaScorer, type ScorerName } from './schema-score.ts';

/**
 * Designs a schema for every selected requirement and compares it with gold. Each finished requirement is one line of
 * `results.jsonl` and on the disk at once; a second start with the same folder designs only what is missing. A
 * requirement that fails, or a design that throws, never ends the run. A stopped run (`signal`) resolves with what
 * there is.
 *
 * @throws AskemaError `CONFIG_INVALID` when the folder holds a run of another configuration or other requirements;
 * `JOURNAL_INVALID` when its files are broken; `JOURNAL_LOCKED` while another process writes there; `INPUT_INVALID` for
 * a selection that fits nothing.
 */
export async function evaluateDesigns(options: DesignEvaluationOptions): Promise<DesignSummary> {
  const { dataset } = options;
  const concurrency = checkWhole('concurrency', options.concurrency ?? 1);
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
 * Scores the stored outcomes of a run anew, without a model; nothing is written. Without `ids`, what the run has is
 * what counts.
 *
 * @throws AskemaError `JOURNAL_INVALID` when there is no run; `INPUT_INVALID` for a selection that fits nothing, or a
 * run of other requirements.
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

/**
 * The requirements of these ids, in the order of the data set, then the first `limit`.
 *
 * @throws AskemaError `INPUT_INVALID` for an id that there is not, `CONFIG_INVALID` for a limit that is no whole number
 * from 1.
 */
export function selectItems(
  items: readonly SchemaItem[],
  { ids, limit }: { readonly ids?: readonly string[] | undefined; readonly limit?: number | undefined },
): readonly SchemaItem[] {
  if (limit !== undefined) checkWhole('limit', limit);
  const known = new Set(items.map((item) => item.id));
  const unknown = ids?.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `No requirement has the id ${unknown}. ${didYouMean(unknown, known)}`.trimEnd(),
    );
  const wanted = ids === undefined ? undefined : new Set(ids);
  return items.filter((item) => wanted?.has(item.id) ?? true).slice(0, limit);
}

type DesignOneOptions = Pick<DesignEvaluationOptions, 'design' | 'judge' | 'runDdl' | 'prices' | 'signal'> & {
  readonly scorers: readonly SchemaScorer[];
  readonly runId: string;
};

/**
 * Designs, scores, judges and tries one requirement. Whatever fails becomes a part of the result; undefined when it was
 * stopped.
 */
async function designOne(item: SchemaItem, options: DesignOneOptions): Promise<DesignResult | undefined> {
  const started = Date.now();
  const { signal, runId } = options;
  let outcome: DesignOutcome | undefined;
  let error: SerializedError | undefined;
  try {
    outcome = await options.design(item.requirement, { signal, runId, id: item.id });
  } catch (thrown) {
    if (signal?.aborted) return undefined;
    error = toAskemaError(thrown).toJSON();
  }
  // A design that was stopped is done again; what it had is in the journal of whoever designs.
  if (signal?.aborted && (outcome === undefined || outcome.type === 'cancelled')) return undefined;
  const elapsedMs = outcome?.elapsedMs ?? Date.now() - started;
  const schema = outcome === undefined ? undefined : schemaOf(outcome);
  const costUsd =
    outcome === undefined || options.prices === undefined ? undefined : costOf(outcome.usage, options.prices);
  const ddl = await ddlOf(schema, options);
  const judgement = await judgementOf(item, schema, options);
  // Stopped behind the design: it is not kept with half of its measures.
  if (signal?.aborted && (ddl.ddl?.runs === false || judgement.judgeError !== undefined)) return undefined;
  return {
    schemaVersion: 1,
    id: item.id,
    domain: item.domain,
    goldTables: item.gold.relations.length,
    ending: outcome?.type ?? 'threw',
    ...(outcome === undefined ? {} : { outcome }),
    ...(error === undefined ? {} : { error }),
    scores: await scoresOf(item, schema, options.scorers),
    ...(outcome?.artefacts.design === undefined ? {} : { certificates: certificatesOf(outcome) }),
    ...ddl,
    ...judgement,
    elapsedMs,
    ...(costUsd === undefined ? {} : { costUsd }),
    finishedAt: new Date().toISOString(),
  };
}

/** The schema of an outcome, finished or not. */
function schemaOf(outcome: DesignOutcome): Schema | undefined {
  return 'schema' in outcome ? outcome.schema : undefined;
}

/** Scores by all scorers; those that drop the sample are missing. */
async function scoresOf(
  item: SchemaItem,
  schema: Schema | undefined,
  scorers: readonly SchemaScorer[],
): Promise<Partial<Record<ScorerName, SchemaScore>>> {
  const scores: Partial<Record<ScorerName, SchemaScore>> = {};
  for (const scorer of scorers) {
    const scored = await scorer.score(item.gold, schema);
    if (scored !== undefined) scores[scorer.name] = scored.score;
  }
  return scores;
}

function certificatesOf(outcome: DesignOutcome): DesignCertificates {
  const verdicts = (outcome.artefacts.design?.decompositions ?? []).map((decomposition) => ({
    name: decomposition.original.name,
    ...verifyCertificate(decomposition),
  }));
  return {
    checked: verdicts.length,
    valid: verdicts.filter((verdict) => verdict.valid).length,
    problems: verdicts.flatMap(({ name, problems }) => problems.map(({ message }) => `${name}: ${message}`)),
  };
}

async function ddlOf(
  schema: Schema | undefined,
  { runDdl, signal }: DesignOneOptions,
): Promise<{ readonly ddl?: DdlRun }> {
  if (schema === undefined || runDdl === undefined) return {};
  try {
    return { ddl: await runDdl(schema, signal) };
  } catch (thrown) {
    return { ddl: { runs: false, error: toAskemaError(thrown).message } };
  }
}

async function judgementOf(
  item: SchemaItem,
  schema: Schema | undefined,
  { judge, signal, runId }: DesignOneOptions,
): Promise<Pick<DesignResult, 'judgement' | 'judgeError'>> {
  if (schema === undefined || judge === undefined) return {};
  try {
    return { judgement: await judge(item, schema, { signal, runId: `${runId}-judge` }) };
  } catch (thrown) {
    return { judgeError: toAskemaError(thrown).toJSON() };
  }
}
