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
        handle = await open(file, 'a');
        if (options.truncateTo !== undefined) await handle.truncate(options.truncateTo);
        if (options.fsync) await syncDirectory(dirname(file));
      }
      await handle.appendFile(text);
      if (options.fsync) await handle.datasync();
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

/** Makes the file's name safe as well as its contents. Not every system can do that for directories. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
