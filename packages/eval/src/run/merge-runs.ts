import { AskemaError } from '@askema/core';
import type { Dataset } from '../datasets/read/dataset.ts';
import { type EvaluationResult, type EvaluationSummary, isEvaluationResult } from './evaluation-result.ts';
import {
  canonicalJson,
  openResultsStore,
  type RunRecord,
  readStoredLines,
  readStoredSummary,
} from './results-store.ts';
import type { Shard } from './shard.ts';
import { summarise } from './summarise.ts';

/** What `mergeRuns` takes beside the folders. */
export interface MergeRunsOptions {
  /**
   * Puts the results in its order, and adds what the summary cannot know without it: lines of the dataset that cannot
   * be used.
   */
  readonly dataset?: Dataset | undefined;
  /** Merges although configurations or questions differ. Default: false. */
  readonly force?: boolean | undefined;
}

/** What `mergeRuns` put together. */
export interface MergedRuns {
  readonly summary: EvaluationSummary;
  /**
   * Questions that several folders had; the result that was finished last counts, a `failed` one only without another.
   */
  readonly repeated: number;
  /** Shards that no folder is of: `['2/4']`. */
  readonly missingShards: readonly string[];
}

/**
 * Puts the folders of one run together, its shards for example, in a new folder that is read, compared and gone on with
 * as any other. Earlier attempts come along, so that what was spent stays known. Folders may still be written by
 * others; their summaries say how many questions they have left.
 *
 * @throws AskemaError `CONFIG_INVALID` when they are not of one run, or `out` holds results; `JOURNAL_INVALID` for a
 * folder without a run; `INPUT_INVALID` without folders.
 */
export async function mergeRuns(
  directories: readonly string[],
  out: string,
  options: MergeRunsOptions = {},
): Promise<MergedRuns> {
  const parts = await Promise.all(directories.map(readPart));
  const [first] = parts;
  if (first === undefined) throw new AskemaError('INPUT_INVALID', 'There are no runs to merge; name their folders.');
  if (options.force !== true) for (const part of parts) throwUnlessSame(first, part);
  const { lines, results, repeated } = mergeLines(parts, options.dataset);
  const store = await openResultsStore<EvaluationResult>(out, first.run.dataset, first.run.configuration, {
    isResult: isEvaluationResult,
    runId: first.run.runId,
    now: () => Date.parse(first.run.startedAt),
  });
  try {
    if (store.results.size > 0)
      throw new AskemaError('CONFIG_INVALID', `${out} holds results already; merge into a new folder.`);
    await store.appendAll(lines);
    const summary = summarise(results, {
      dataset: first.run.dataset.name,
      configuration: first.run.configuration,
      problems: options.dataset?.problems ?? first.summary?.problems ?? [],
      leftOut: options.dataset?.leftOut ?? first.summary?.leftOut,
      official: options.dataset?.official ?? first.summary?.official,
      unfinished: unfinishedOf(parts, results.length),
      stopped: parts.map(({ summary }) => summary?.stopped).find((stopped) => stopped !== undefined),
      spentUsd: store.spentUsd,
      budgetUsd: undefined,
      shard: undefined,
      metrics: parts.flatMap(({ summary }) => summary?.metrics ?? []).map(({ id }) => id),
    });
    await store.writeSummary(summary);
    return { summary, repeated, missingShards: missingShards(parts) };
  } finally {
    await store.close();
  }
}

interface Part {
  readonly directory: string;
  readonly run: RunRecord;
  readonly lines: readonly EvaluationResult[];
  readonly summary: Partial<EvaluationSummary> | undefined;
}

async function readPart(directory: string): Promise<Part> {
  const { run, lines } = await readStoredLines<EvaluationResult>(directory, isEvaluationResult);
  const summary = await readStoredSummary(directory);
  const known = typeof summary === 'object' && summary !== null ? summary : undefined;
  return { directory, run, lines, summary: known };
}

function throwUnlessSame(first: Part, part: Part): void {
  const same =
    first.run.dataset.fingerprint === part.run.dataset.fingerprint &&
    canonicalJson(first.run.configuration) === canonicalJson(part.run.configuration);
  if (same) return;
  const what =
    first.run.dataset.fingerprint === part.run.dataset.fingerprint
      ? `configurations: ${canonicalJson(first.run.configuration)} and ${canonicalJson(part.run.configuration)}`
      : `questions: ${first.run.dataset.name} and ${part.run.dataset.name}`;
  throw new AskemaError(
    'CONFIG_INVALID',
    `${first.directory} and ${part.directory} are of different ${what}. Compare them instead, or force it to have both in one run.`,
  );
}

/** All lines, so that of those of one question the one that counts comes last; and those that count. */
function mergeLines(
  parts: readonly Part[],
  dataset: Dataset | undefined,
): {
  readonly lines: readonly EvaluationResult[];
  readonly results: readonly EvaluationResult[];
  readonly repeated: number;
} {
  const byId = new Map<string, Map<string, EvaluationResult>>();
  for (const question of dataset?.questions ?? []) byId.set(question.id, new Map());
  const seenIn = new Map<string, Set<Part>>();
  for (const part of parts)
    for (const line of part.lines) {
      const lines = byId.get(line.id) ?? new Map<string, EvaluationResult>();
      // Machines that shared a queue have the same results.
      lines.set(`${line.finishedAt} ${line.attempt ?? 1}`, line);
      byId.set(line.id, lines);
      seenIn.set(line.id, (seenIn.get(line.id) ?? new Set()).add(part));
    }
  const sorted = [...byId.values()].map((lines) => [...lines.values()].sort(byWeight));
  return {
    lines: sorted.flat(),
    results: sorted.flatMap((lines) => lines.at(-1) ?? []),
    repeated: [...seenIn.values()].filter(({ size }) => size > 1).length,
  };
}

function byWeight(a: EvaluationResult, b: EvaluationResult): number {
  const weight = ({ verdict }: EvaluationResult): number => (verdict === 'failed' || verdict === 'goldFailed' ? 0 : 1);
  return weight(a) - weight(b) || (a.finishedAt < b.finishedAt ? -1 : a.finishedAt > b.finishedAt ? 1 : 0);
}

/**
 * Shards add up; folders that are no shards, of machines that shared a queue, are of the same questions. The summary of
 * a folder that was killed still says how much was asked for when it was last begun.
 */
function unfinishedOf(parts: readonly Part[], merged: number): number {
  const selected = parts.map(({ summary }) => {
    if (summary?.total === undefined || summary.unfinished === undefined) return 0;
    return summary.total.counted + summary.total.counts.goldFailed + summary.unfinished;
  });
  const sharded = parts.some(({ summary }) => summary?.shard !== undefined);
  if (!sharded) return Math.max(0, Math.max(...selected) - merged);
  const left = parts.map(({ lines }, position) => (selected[position] ?? 0) - new Set(lines.map(({ id }) => id)).size);
  return left.reduce((sum, each) => sum + Math.max(0, each), 0);
}

function missingShards(parts: readonly Part[]): readonly string[] {
  const shards = parts.flatMap(({ summary }) => summary?.shard ?? []);
  const most = Math.max(0, ...shards.map(({ of }) => of));
  const there = new Set(shards.map(nameOf));
  const wanted = Array.from({ length: most }, (_, position) => nameOf({ index: position + 1, of: most }));
  return wanted.filter((name) => !there.has(name));
}

function nameOf({ index, of }: Shard): string {
  return `${index}/${of}`;
}
