import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import { fileReason } from '../../terminal/file-reason.ts';

/**
 * Writes a file for a user: beside, and renamed once it is whole. A file or link that was there is replaced then, and
 * stays where writing fails. Rejects with what `parts` reject with.
 *
 * @throws AskemaError `INPUT_INVALID`: `what`, and why it cannot be written.
 */
export async function writeWhole(
  what: string,
  { cwd, file }: { readonly cwd: string; readonly file: string },
  parts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const path = resolve(cwd, file);
  // A name of its own, because that of the file may be as long as names can be.
  const beside = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  const orSay = <T>(done: Promise<T>): Promise<T> =>
    done.catch((error: unknown) => {
      throw new AskemaError('INPUT_INVALID', `${what} cannot be written: ${fileReason(error)}`, { cause: error });
    });
  const handle = await orSay(open(beside, 'wx'));
  try {
    for await (const part of parts) await orSay(handle.writeFile(part));
    await orSay(handle.close());
    await orSay(rename(beside, path));
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(beside, { force: true });
    throw error;
  }
}
