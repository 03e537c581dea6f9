import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AskemaError, isAskemaError } from '../errors/askema-error.ts';
import { chooseRunIds, type Journal, type JournalEntry, journalLocked, type RunIdsOptions } from '../flow/journal.ts';
import { acquireFileLock, type FileLock } from './file-lock.ts';
import { openJsonlWriter } from './jsonl-writer.ts';
import { hasLine, readJsonl } from './read-jsonl.ts';
import { isMissing, withFileSystem } from './with-file-system.ts';

/** Where {@link jsonlJournal} keeps its runs: one file each in a directory, or a single run in a file. */
export type JsonlJournalOptions = {
  /**
   * Waits until the disk has each entry, so that it survives a power failure too; true by default. Without it an entry
   * still survives the death of the process.
   */
  readonly fsync?: boolean | undefined;
} & (
  | { readonly directory: string; readonly file?: undefined }
  | { readonly file: string; readonly directory?: undefined }
);

/**
 * A journal of JSON lines, one file per run, one entry per line. Directories are made when they are missing.
 *
 * A line that was cut off by the death of its process is dropped; anything else that cannot be read is
 * `JOURNAL_INVALID`, with file and line. While a run is open, `FILE.lock` keeps other processes out (`JOURNAL_LOCKED`);
 * the lock of a dead process does not count.
 *
 * Its methods reject with `INTERNAL` when the file system refuses, with its reason, and with `INPUT_INVALID` for a run
 * id that is too long for a file name, or that is not the one which `file` holds.
 */
export function jsonlJournal(options: JsonlJournalOptions): Journal {
  const fileOf = (runId: string): string => options.file ?? join(options.directory, fileNameOf(runId));
  return {
    async open(runId) {
      const file = fileOf(runId);
      const lock = await lockRun(file, runId);
      try {
        const { entries, validBytes, bytes } = await readJsonl(file);
        checkRunId(entries, runId, file);
        const writer = openJsonlWriter(file, {
          fsync: options.fsync ?? true,
          truncateTo: validBytes < bytes ? validBytes : undefined,
          check: lock.check,
        });
        return {
          entries,
          append: writer.append,
          async close() {
            await writer.close();
            await lock.release();
          },
          async remove() {
            lock.check();
            await writer.close();
            await withFileSystem(`remove the journal ${file}`, () => rm(file, { force: true }));
            await lock.release();
          },
        };
      } catch (thrown) {
        await lock.release();
        throw thrown;
      }
    },
    async read(runId) {
      const file = fileOf(runId);
      const { entries } = await readJsonl(file);
      // A file of its own holds one run; asked for another, it has nothing.
      if (options.file !== undefined && runIdOf(entries) !== runId) return [];
      checkRunId(entries, runId, file);
      return entries;
    },
    async runIds(chosen) {
      if (options.file === undefined) return listRuns(options.directory, chosen);
      const runId = runIdOf((await readJsonl(options.file)).entries);
      return chooseRunIds(runId === undefined ? [] : [runId], chosen);
    },
  };
}

/** Makes the directory where it is missing. */
async function lockRun(file: string, runId: string): Promise<FileLock> {
  const lock = (): Promise<FileLock> => acquireFileLock(`${file}.lock`, (holder) => journalLocked(runId, holder));
  try {
    return await lock();
  } catch (thrown) {
    if (!isAskemaError(thrown) || !MISSING.has(thrown.details.vendorCode)) throw thrown;
    await withFileSystem(`make a directory for ${file}`, () => mkdir(dirname(file), { recursive: true }));
    return lock();
  }
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

const EXTENSION = '.jsonl';
/** Common file systems allow 255 bytes; lock files need some of them. */
const LONGEST_NAME = 150;

/** Run ids may hold anything; what is not safe in a file name on every system is percent-encoded. */
function fileNameOf(runId: string): string {
  const safe = encodeURIComponent(runId).replace(
    /[!'()*]|^\./g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (safe.length > 0 && safe.length <= LONGEST_NAME) return `${safe}${EXTENSION}`;
  throw new AskemaError(
    'INPUT_INVALID',
    `Run id \`${runId.slice(0, 40)}\` makes a file name of ${safe.length} characters; it must have 1 to ${LONGEST_NAME}.`,
  );
}

/** By their names first: no file is opened but of those that were chosen. */
async function listRuns(directory: string, options: RunIdsOptions = {}): Promise<readonly string[]> {
  return withFileSystem(`list the journals in ${directory}`, async () => {
    const names = await readdir(directory).catch((thrown: unknown) => {
      if (isMissing(thrown)) return [];
      throw thrown;
    });
    const nameOf = new Map(
      names
        .filter((name) => name.endsWith(EXTENSION))
        .map((name) => [decodeURIComponent(name.slice(0, -EXTENSION.length)), name]),
    );
    const { last } = options;
    const runIds: string[] = [];
    // A run without a line yet does not count: those before it move up.
    for (const runId of chooseRunIds(
      nameOf.keys(),
      last === undefined ? options : { ...options, last: names.length },
    )) {
      if (last !== undefined && runIds.length >= last) break;
      if (await hasLine(join(directory, nameOf.get(runId) ?? ''))) runIds.push(runId);
    }
    return runIds;
  });
}

function runIdOf(entries: readonly JournalEntry[]): string | undefined {
  const first = entries[0];
  return first?.kind === 'run' ? first.runId : undefined;
}

function checkRunId(entries: readonly JournalEntry[], runId: string, file: string): void {
  const found = runIdOf(entries);
  if (found === undefined || found === runId) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `The journal ${file} holds run \`${found}\`, not \`${runId}\`; use another file, or a directory for several runs.`,
  );
}
