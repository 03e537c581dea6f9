import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { AskemaError } from '@askema/core';

/** A document as `createText2Sql` takes it. */
export interface NamedDocument {
  readonly name: string;
  readonly text: string;
}

/** More than any manual needs; keeps a wrong file from filling the memory. */
const MAX_DOCUMENT_BYTES = 2_000_000;

/**
 * The files of `--document`, each named after its file.
 *
 * @throws AskemaError `INPUT_INVALID` for a file that is not there, is too big, or holds no text.
 */
export async function readDocuments(files: readonly string[], cwd: string): Promise<readonly NamedDocument[]> {
  const documents: NamedDocument[] = [];
  for (const file of files) documents.push({ name: basename(file), text: await readText(file, cwd) });
  return documents;
}

async function readText(file: string, cwd: string): Promise<string> {
  let content: Buffer;
  try {
    content = await readAtMost(resolve(cwd, file));
  } catch (error) {
    throw new AskemaError('INPUT_INVALID', `--document ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  try {
    if (content.includes(0)) throw new Error('NUL');
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new AskemaError(
      'INPUT_INVALID',
      `--document ${file} is no text in UTF-8. Convert it first, for example to Markdown.`,
    );
  }
}

/** Never more than the limit is read, whatever the file says of its size. */
async function readAtMost(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    if ((await handle.stat()).isDirectory()) throw new Error('it is a folder');
    const buffer = Buffer.alloc(MAX_DOCUMENT_BYTES + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > MAX_DOCUMENT_BYTES) throw new Error(`it is longer than ${MAX_DOCUMENT_BYTES / 1_000_000} MB`);
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}
