import { readFile } from 'node:fs/promises';
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
