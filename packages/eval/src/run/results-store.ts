import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError, type JsonValue } from '@askema/core';
import { acquireFileLock, ownPackage } from '@askema/core/node';
import { fileWithin } from '../files/file-within.ts';
import { replaceFile } from './replace-file.ts';
import { openResultLines, type ResultLines } from './result-lines.ts';
import { type ResultCheck, type StoredResult, storedResults } from './results-file.ts';

export type { ResultCheck, StoredResult } from './results-file.ts';

const RESULTS_FILE = 'results.jsonl';
const RUN_FILE = 'run.json';
const SUMMARY_FILE = 'summary.json';

/** What `run.json` holds: what is measured, on what, and the id under which journals keep the run. */
export interface RunRecord {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly dataset: { readonly name: string; readonly fingerprint: string };
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** ISO 8601. */
  readonly startedAt: string;
  /** With which the run was begun, by name: `node`, `@askema/eval`. Absent from runs of older versions. */
  readonly versions?: Readonly<Record<string, string>> | undefined;
  /** Configurations that were replaced by force, oldest first. */
  readonly replaced?: readonly Readonly<Record<string, JsonValue>>[] | undefined;
}

/** The files of one run. */
export interface ResultsStore<Result extends StoredResult> {
  readonly run: RunRecord;
  /** By id: what was there at the start and what was appended since; of several lines of an id the last counts. */
  readonly results: ReadonlyMap<string, Result>;
  /** What all lines cost, also those that do not count any more; undefined while no line has a cost. */
  readonly spentUsd: number | undefined;
  /** The line is on the disk when this resolves. */
  append(result: Result): Promise<void>;
  appendAll(results: readonly Result[]): Promise<void>;
  writeSummary(summary: unknown): Promise<void>;
  close(): Promise<void>;
}

interface ResultsStoreOptions<Result extends StoredResult> {
  readonly isResult: ResultCheck<Result>;
  readonly force?: boolean | undefined;
  /** Of a new run. Default: a random one. */
  readonly runId?: string | undefined;
  /** What is kept of a result in memory. Default: all of it. */
  readonly keep?: ((result: Result) => Result) | undefined;
  readonly now: () => number;
}

/**
 * Opens the folder of a run, new or begun. A last line that was torn by a crash is cut off; its question is asked
 * again.
 *
 * @throws AskemaError `CONFIG_INVALID` when the run was begun with another configuration or other questions and `force`
 * is not set; `JOURNAL_INVALID` when its files are no such files; `JOURNAL_LOCKED` while another process writes there.
 */
export async function openResultsStore<Result extends StoredResult>(
  directory: string,
  dataset: RunRecord['dataset'],
  configuration: Readonly<Record<string, JsonValue>>,
  options: ResultsStoreOptions<Result>,
): Promise<ResultsStore<Result>> {
  await mkdir(directory, { recursive: true });
  const lock = await lockFolder(directory);
  try {
    const run = await openRun(directory, dataset, configuration, options);
    const known = new KnownResults(options.keep);
    const lines = await openResultLines(fileOfRun(directory, RESULTS_FILE), options.isResult, known.add);
    return createStore(directory, run, known, lines, lock.release);
  } catch (thrown) {
    await lock.release();
    throw thrown;
  }
}

function fileOfRun(directory: string, name: string): string {
  return fileWithin(directory, path.join(directory, name), 'JOURNAL_INVALID');
}

/**
 * What a run has on the disk, without its lock: another process may be writing there.
 *
 * @throws AskemaError `JOURNAL_INVALID` when there is no run, or its files are no such files.
 */
export async function readStoredRun<Result extends StoredResult>(
  directory: string,
  isResult: ResultCheck<Result>,
): Promise<{ readonly run: RunRecord; readonly results: ReadonlyMap<string, Result> }> {
  const { run, lines } = await readStoredLines(directory, isResult);
  return { run, results: new Map(lines.map((line) => [line.id, line])) };
}

/**
 * The same with every line, also those of attempts that a later one replaced.
 *
 * @throws AskemaError as {@link readStoredRun}.
 */
export async function readStoredLines<Result extends StoredResult>(
  directory: string,
  isResult: ResultCheck<Result>,
): Promise<{ readonly run: RunRecord; readonly lines: readonly Result[] }> {
  const run = await readRun(fileOfRun(directory, RUN_FILE));
  if (run === undefined)
    throw new AskemaError('JOURNAL_INVALID', `There is no ${RUN_FILE} in ${directory}; name the folder of a run.`);
  const lines: Result[] = [];
  for await (const { result } of storedResults(fileOfRun(directory, RESULTS_FILE), isResult)) lines.push(result);
  return { run, lines };
}

/** What was written as the summary of a run; undefined when there is none that can be read. */
export async function readStoredSummary(directory: string): Promise<unknown> {
  const file = fileOfRun(directory, SUMMARY_FILE);
  try {
    return JSON.parse((await readIfThere(file)) ?? '') as unknown;
  } catch {
    return undefined;
  }
}

/** The results of a run as far as they are known here. */
class KnownResults<Result extends StoredResult> {
  readonly results = new Map<string, Result>();
  readonly #keep: (result: Result) => Result;
  spentUsd: number | undefined;

  constructor(keep: ((result: Result) => Result) | undefined) {
    this.#keep = keep ?? ((result) => result);
  }

  readonly add = (result: Result): void => {
    this.results.set(result.id, this.#keep(result));
    if (typeof result.costUsd === 'number') this.spentUsd = (this.spentUsd ?? 0) + result.costUsd;
  };
}

function createStore<Result extends StoredResult>(
  directory: string,
  run: RunRecord,
  known: KnownResults<Result>,
  lines: ResultLines<Result>,
  release: () => Promise<void>,
): ResultsStore<Result> {
  return {
    run,
    results: known.results,
    get spentUsd() {
      return known.spentUsd;
    },
    append: (result) => lines.append([result]),
    appendAll: (results) => lines.append(results),
    writeSummary: (summary) => replaceFile(path.join(directory, SUMMARY_FILE), asJson(summary)),
    async close() {
      await lines.close();
      await release();
    },
  };
}

async function openRun(
  directory: string,
  dataset: RunRecord['dataset'],
  configuration: Readonly<Record<string, JsonValue>>,
  options: Pick<ResultsStoreOptions<StoredResult>, 'force' | 'now' | 'runId'>,
): Promise<RunRecord> {
  const file = fileOfRun(directory, RUN_FILE);
  const known = await readRun(file);
  const differences = known === undefined ? [] : differencesOf(known, dataset, configuration);
  if (known !== undefined && differences.length === 0) return known;
  if (known !== undefined && options.force !== true) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `The run in ${directory} was begun with something else: ${differences.join('; ')}. Choose another output folder, or force it to go on with both in one run.`,
    );
  }
  const run: RunRecord = {
    schemaVersion: 1,
    runId: known?.runId ?? options.runId ?? `eval-${randomUUID()}`,
    dataset: { name: dataset.name, fingerprint: dataset.fingerprint },
    configuration,
    startedAt: known?.startedAt ?? new Date(options.now()).toISOString(),
    versions: known === undefined ? ownVersions() : known.versions,
    ...(known === undefined ? {} : { replaced: [...(known.replaced ?? []), known.configuration] }),
  };
  await replaceFile(file, asJson(run));
  return run;
}

function differencesOf(
  known: RunRecord,
  dataset: RunRecord['dataset'],
  configuration: Readonly<Record<string, JsonValue>>,
): readonly string[] {
  const differences: string[] = [];
  if (known.dataset.fingerprint !== dataset.fingerprint)
    differences.push(`the questions of ${known.dataset.name} differ from those of ${dataset.name}`);
  for (const key of new Set([...Object.keys(known.configuration), ...Object.keys(configuration)])) {
    const before = canonicalJson(known.configuration[key]);
    const now = canonicalJson(configuration[key]);
    if (before !== now) differences.push(`${key} was ${before ?? 'not set'} and is ${now ?? 'not set'}`);
  }
  return differences;
}

/** JSON with the keys of objects in one order, so that equal values have equal texts. */
export function canonicalJson(value: JsonValue | undefined): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

async function readRun(file: string): Promise<RunRecord | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  try {
    const run = JSON.parse(text) as Partial<RunRecord> | null;
    if (run?.schemaVersion === 1 && typeof run.runId === 'string' && run.dataset && run.configuration)
      return run as RunRecord;
  } catch {
    // Falls through to the error below.
  }
  throw new AskemaError('JOURNAL_INVALID', `${file} is no record of a run; choose another output folder.`);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function asJson(content: unknown): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

const LOCK_FILE = 'run.lock';

/**
 * Keeps two processes from writing one run. The lock of a process that was killed is taken over at once, also where
 * nobody has reaped it yet; that of one on another machine after 30 seconds without a sign of life.
 *
 * @throws AskemaError `JOURNAL_LOCKED` while another process holds the folder.
 */
async function lockFolder(directory: string): Promise<{ readonly release: () => Promise<void> }> {
  return acquireFileLock(
    path.join(directory, LOCK_FILE),
    (holder) =>
      new AskemaError(
        'JOURNAL_LOCKED',
        `${directory} is in use by ${holder}. Wait for it, or choose another output folder.`,
        { retryable: true },
      ),
  );
}

/**
 * The versions that a run is begun with: of Node, and of this package where its manifest can be found (a bundler may
 * have left it behind).
 */
export function ownVersions(): Readonly<Record<string, string>> {
  const own = ownPackage('@askema/eval', import.meta.url)?.version;
  return { node: process.versions.node, ...(own === undefined ? {} : { '@askema/eval': own }) };
}
