import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AskemaError, toAskemaError } from '../errors/askema-error.ts';
import type { JournalEntry } from '../flow/journal.ts';
import { withFileSystem } from './with-file-system.ts';

export interface JsonlWriterOptions {
  readonly fsync: boolean;
  /** Cuts the file to so many bytes before the first entry: what is behind was never finished. */
  readonly truncateTo?: number | undefined;
  /** Throws when this process may no longer write. */
  readonly check: () => void;
}

export interface JsonlWriter {
  append(entries: readonly JournalEntry[]): Promise<void>;
  close(): Promise<void>;
}

/** Each write waits for the disk by itself, where the system can do that: one call in the place of two. */
const DURABLE: string | number =
  process.platform === 'linux' && constants.O_DSYNC !== undefined
    ? constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_DSYNC
    : 'a';

interface Waiting {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: AskemaError) => void;
}

/**
 * Appends lines to a file, which is made with the first one. What arrives while the disk is busy is written together,
 * so that many concurrent calls share one wait for the disk. After one failure nothing more is written: the file has no
 * gap.
 */
export function openJsonlWriter(file: string, options: JsonlWriterOptions): JsonlWriter {
  let handle: FileHandle | undefined;
  let broken: AskemaError | undefined;
  let closed = false;
  let queue: Waiting[] = [];
  let running: Promise<void> | undefined;

  const write = async (text: string): Promise<void> => {
    options.check();
    await withFileSystem(`write the journal ${file}`, async () => {
      if (handle === undefined) {
        handle = await open(file, options.fsync ? DURABLE : 'a');
        if (options.truncateTo !== undefined) await handle.truncate(options.truncateTo);
        if (options.fsync) await syncDirectory(dirname(file));
      }
      await handle.appendFile(text);
      if (options.fsync && DURABLE === 'a') await handle.datasync();
    });
  };
  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        if (broken !== undefined) throw broken;
        await write(batch.map((waiting) => waiting.text).join(''));
        for (const waiting of batch) waiting.resolve();
      } catch (thrown) {
        const error = toAskemaError(thrown);
        broken = error;
        for (const waiting of batch) waiting.reject(error);
      }
    }
    running = undefined;
  };
  return {
    append(entries) {
      if (closed) return Promise.reject(new AskemaError('INTERNAL', `The journal ${file} is closed.`));
      const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      return new Promise((resolve, reject) => {
        queue.push({ text, resolve, reject });
        running ??= drain();
      });
    },
    async close() {
      closed = true;
      await running;
      await handle?.close();
      handle = undefined;
    },
  };
}

/** Of each directory: the wait for the disk that is under way, and the next one, which all files made until then share. */
const syncing = new Map<string, Promise<void>>();
const waiting = new Map<string, Promise<void>>();

/** Makes the file's name safe as well as its contents. */
function syncDirectory(directory: string): Promise<void> {
  const known = waiting.get(directory);
  if (known !== undefined) return known;
  const next = (syncing.get(directory) ?? Promise.resolve()).then(() => {
    waiting.delete(directory);
    const sync = syncNow(directory).finally(() => {
      if (syncing.get(directory) === sync) syncing.delete(directory);
    });
    syncing.set(directory, sync);
    return sync;
  });
  waiting.set(directory, next);
  return next;
}

/** Not every system can do that for directories. */
async function syncNow(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
