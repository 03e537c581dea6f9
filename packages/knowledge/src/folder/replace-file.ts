import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { AskemaError, isAskemaError } from '@askema/core';
import { linkOutOf } from '@askema/core/node';

/**
 * Puts a file into the folder: beside its place first and then there, so that nobody reads half of it.
 *
 * @param path Relative to the folder, with `/`.
 * @throws AskemaError `KNOWLEDGE_INVALID` for a place that is not in the folder, or that cannot be written.
 */
export async function replaceFile(folder: string, path: string, text: string): Promise<void> {
  const file = placeIn(folder, path);
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(beside, text, { flag: 'wx' });
    await rename(beside, file);
  } catch (thrown) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw unwritable(folder, path, thrown);
  }
}

export async function removeFile(folder: string, path: string): Promise<void> {
  try {
    await rm(placeIn(folder, path));
  } catch (thrown) {
    throw isAskemaError(thrown) ? thrown : unwritable(folder, path, thrown);
  }
}

/** What a folder that cannot be written is told as. */
export function unwritable(folder: string, path: string, cause: unknown): AskemaError {
  const { code = 'unknown' } = (cause ?? {}) as NodeJS.ErrnoException;
  return new AskemaError(
    'KNOWLEDGE_INVALID',
    `${path} cannot be written in ${folder} (${code}). See that you may write there, and that no file stands where a folder should.`,
    { cause, details: { file: path } },
  );
}

/**
 * The place of a file in the folder.
 *
 * @throws AskemaError `KNOWLEDGE_INVALID` for one that is not in it, or that a link leads out of.
 */
export function placeIn(folder: string, path: string): string {
  const file = join(folder, path);
  const problem = linkOutOf(folder, file);
  const isOutside = relative(folder, file).split(sep)[0] === '..';
  if (problem !== undefined || isOutside)
    throw new AskemaError('KNOWLEDGE_INVALID', problem ?? `${path} leads out of the folder of knowledge.`, {
      details: { file: path },
    });
  return file;
}
