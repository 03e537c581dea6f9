import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AskemaError, isAskemaError } from '@askema/core';
import type { StoredRun } from '@askema/eval';
import type { EvaluationHead, KnowledgeReader, ServedEvaluations } from '../contract.ts';

export interface FolderEvaluationsOptions {
  /** What lies in it are folders of `askema eval run --out`; for a tenant, a folder of theirs. */
  readonly folder: string | ((who: KnowledgeReader) => string);
}

/** Heads that are remembered; those that were listed longest ago go first. */
const MAX_HEADS = 1_000;
const FILES_OF_RUN = ['run.json', 'results.jsonl', 'summary.json'];

/**
 * Runs of `askema eval run` in a folder, also those that are under way. The id of a run is the name of its folder; links
 * and what is no run are left out. A list reads only what has changed since the list before.
 */
export function folderEvaluations({ folder }: FolderEvaluationsOptions): ServedEvaluations {
  const runsOf = async (who: KnowledgeReader): Promise<readonly string[]> => {
    const place = typeof folder === 'string' ? folder : folder(who);
    const entries = await readdir(place, { withFileTypes: true }).catch((cause: unknown) => {
      throw new AskemaError('INTERNAL', `The folder of evaluations, ${place}, cannot be read.`, { cause });
    });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(place, name));
  };
  const known = new Map<string, { readonly stamp: string; readonly head: EvaluationHead | undefined }>();
  const headIn = async (directory: string): Promise<EvaluationHead | undefined> => {
    const stamp = await stampOf(directory);
    let last = known.get(directory);
    if (last?.stamp !== stamp) {
      const run = await runIn(directory);
      last = { stamp, head: run && headOf(run) };
    }
    known.delete(directory);
    known.set(directory, last);
    const [oldest] = known.keys();
    if (known.size > MAX_HEADS && oldest !== undefined) known.delete(oldest);
    return last.head;
  };
  return {
    async list(who) {
      const heads: EvaluationHead[] = [];
      for (const directory of await runsOf(who)) {
        const head = await headIn(directory);
        if (head !== undefined) heads.push(head);
      }
      return heads.sort((left, right) => (left.startedAt < right.startedAt ? 1 : -1));
    },
    async read(id, who) {
      // Held against names that are there; it never becomes part of a path.
      for (const directory of await runsOf(who)) {
        const run = basename(directory) === id ? await runIn(directory) : undefined;
        if (run !== undefined)
          return { head: headOf(run), summary: shownSummary(run), items: run.results.map(shownItem) };
      }
      return undefined;
    },
  };
}

/** Changes with each file of the run. */
async function stampOf(directory: string): Promise<string> {
  const stamps = FILES_OF_RUN.map((name) =>
    stat(join(directory, name), { bigint: true }).then(
      ({ ino, size, mtimeNs }) => `${ino}.${size}.${mtimeNs}`,
      () => 'none',
    ),
  );
  return (await Promise.all(stamps)).join(' ');
}

/** Undefined where the folder holds no run of questions. */
async function runIn(directory: string): Promise<StoredRun | undefined> {
  const { readRun } = await import('@askema/eval');
  try {
    return await readRun(directory);
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'JOURNAL_INVALID') return undefined;
    throw thrown;
  }
}

function headOf({ name, run, results, summary }: StoredRun): EvaluationHead {
  const counts: Record<string, number> = { right: 0, wrong: 0, declined: 0, failed: 0, goldFailed: 0 };
  for (const { verdict } of results) counts[verdict] = (counts[verdict] ?? 0) + 1;
  const counted = results.length - (counts.goldFailed ?? 0);
  const costs = results.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    ...{ id: name, dataset: run.dataset.name, startedAt: run.startedAt, configuration: run.configuration, counts },
    ...(counted === 0 ? {} : { accuracy: (counts.right ?? 0) / counted }),
    ...(costs.length === 0 ? {} : { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
    ...(summary === undefined ? {} : { unfinished: summary.unfinished }),
  };
}

/** What was added up, without words of errors: those may name files and hosts. */
function shownSummary({ summary }: StoredRun): object | undefined {
  if (summary === undefined) return undefined;
  const { total, byDifficulty, byCategory, metrics, validSql, official, latency, usage, calls, executions } = summary;
  const { elapsedMs, costPerRightUsd, stopped, failures } = summary;
  return {
    ...{ total, byDifficulty, byCategory, metrics, validSql, official, latency, usage, calls, executions, elapsedMs },
    ...{ costPerRightUsd, stopped },
    failures: failures?.map(({ code, questions, firstId }) => ({ code, questions, firstId })),
  };
}

function shownItem(result: StoredRun['results'][number]) {
  const { id, databaseId, category, difficulty, question, verdict, outcome, sql, goldSql, scores, error } = result;
  const { usage, calls, elapsedMs, costUsd, solvedBy, confidence, finishedAt, reason } = result;
  return {
    ...{ id, databaseId, category, difficulty, question, verdict, outcome, sql, goldSql, scores },
    ...{ usage, calls, elapsedMs, costUsd, solvedBy, confidence, finishedAt },
    // Where an engine or a model failed, the sentence is theirs.
    ...(error === undefined ? { reason } : { code: error.code }),
  };
}
