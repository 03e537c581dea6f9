import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AskemaError } from '@askema/core';

/** More than any manual needs; keeps a wrong file from filling the memory. */
const MAX_TEXT_BYTES = 2_000_000;

/**
 * The text of a file; `what` names it in the error.
 *
 * @throws AskemaError `INPUT_INVALID` for a file that is not there, is longer than 2 MB, or holds no text in UTF-8.
 */
export async function readTextFile(file: string, cwd: string, what: string): Promise<string> {
  let content: Buffer;
  try {
    content = await readAtMost(resolve(cwd, file));
  } catch (error) {
    throw new AskemaError('INPUT_INVALID', `${what} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  try {
    if (content.includes(0)) throw new Error('NUL');
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new AskemaError('INPUT_INVALID', `${what} is no text in UTF-8. Convert it first, for example to Markdown.`);
  }
}

/** Never more than the limit is read, whatever the file says of its size. */
async function readAtMost(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    if ((await handle.stat()).isDirectory()) throw new Error('it is a folder');
    const buffer = Buffer.alloc(MAX_TEXT_BYTES + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > MAX_TEXT_BYTES) throw new Error(`it is longer than ${MAX_TEXT_BYTES / 1_000_000} MB`);
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}
