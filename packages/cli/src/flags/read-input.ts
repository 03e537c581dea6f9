import { open, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import type { InputStream } from '../process/host.ts';

/** More than any question or definition needs; keeps a wrong file or pipe from filling the memory. */
const MAX_INPUT_BYTES = 1_000_000;

/**
 * The question as it was written, or, for `-`, what stands on stdin.
 *
 * @throws AskemaError `INPUT_INVALID` when there is none.
 */
export async function readQuestion(text: string, stdin: InputStream): Promise<string> {
  const question = (text === '-' ? await readAll(stdin, 'question') : text).trim();
  if (question !== '') return question;
  throw new AskemaError(
    'INPUT_INVALID',
    'The question is empty. Write it in quotes behind the database: askema ask DATABASE "How many customers are there?"',
  );
}

/**
 * Everything that stands on stdin; `what` names it in the error.
 *
 * @throws AskemaError `INPUT_INVALID` when it is longer than 1 MB.
 */
export async function readAll(stdin: InputStream, what: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk as Uint8Array | string);
    bytes += part.length;
    if (bytes > MAX_INPUT_BYTES) throw new AskemaError('INPUT_INVALID', `The ${what} on stdin is longer than 1 MB.`);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The value of `--evidence`: the text itself, or what stands in the file behind `@`.
 *
 * @throws AskemaError `INPUT_INVALID` when the file cannot be read.
 */
export async function readEvidence(text: string | undefined, cwd: string): Promise<string | undefined> {
  if (text === undefined || !text.startsWith('@')) return text;
  const file = resolve(cwd, text.slice(1));
  try {
    const content = await readFile(file);
    if (content.length > MAX_INPUT_BYTES) throw new Error('it is longer than 1 MB');
    return content.toString('utf8');
  } catch (error) {
    throw new AskemaError('INPUT_INVALID', `--evidence ${text} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

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
