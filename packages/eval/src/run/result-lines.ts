import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AskemaError } from '@askema/core';
import { type ResultCheck, type StoredResult, storedResults } from './results-file.ts';

/** A file of results that grows line by line. */
export interface ResultLines<Result extends StoredResult> {
  /** The lines are on the disk when this resolves; lines of two calls never mix. */
  append(results: readonly Result[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file of results, new or begun; each result, of those that are there and of those that are appended, goes to
 * `add`. A last line that was torn by a crash is cut off. The caller holds the lock.
 *
 * @throws AskemaError `JOURNAL_INVALID` for a line in the middle that is no result, and for a link.
 */
export async function openResultLines<Result extends StoredResult>(
  name: string,
  isResult: ResultCheck<Result>,
  add: (result: Result) => void,
): Promise<ResultLines<Result>> {
  let length = 0;
  for await (const { result, bytes } of storedResults(name, isResult)) {
    add(result);
    length += bytes;
  }
  const file = await openForAppending(name);
  await file.truncate(length);
  // One write at a time, so that lines never mix.
  let writing: Promise<void> = Promise.resolve();
  return {
    append(added) {
      const write = writing.then(async () => {
        await file.appendFile(added.map((result) => `${JSON.stringify(result)}\n`).join(''));
        await file.datasync();
        for (const result of added) add(result);
      });
      writing = write.catch(() => undefined);
      return write;
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

/** A link is not followed: whoever wrote it would choose the file that is cut and written to. */
async function openForAppending(file: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  const isLink = () => new AskemaError('JOURNAL_INVALID', `${file} is a link; remove it, or choose another output.`);
  const opened = await open(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o666).catch(
    (thrown: NodeJS.ErrnoException) => {
      throw thrown.code === 'ELOOP' ? isLink() : thrown;
    },
  );
  // A second name of a file elsewhere.
  if ((await opened.stat()).nlink <= 1) return opened;
  await opened.close();
  throw isLink();
}
