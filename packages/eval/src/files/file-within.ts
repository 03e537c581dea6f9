import { statSync } from 'node:fs';
import { AskemaError } from '@askema/core';
import { linkOutOf } from '@askema/core/node';

/**
 * A file of a folder that may come from anybody: a dataset, predictions, a run.
 *
 * @throws AskemaError with `code` for one that a link leads to, out of the folder.
 */
export function fileWithin(
  folder: string,
  file: string,
  code: 'DATASET_INVALID' | 'JOURNAL_INVALID' = 'DATASET_INVALID',
): string {
  const problem = linkOutOf(folder, file);
  if (problem !== undefined) throw new AskemaError(code, problem);
  // Whoever reads a pipe waits for somebody who writes to it.
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isDirectory())
    throw new AskemaError(code, `${file} is no regular file. Move it away, or name another folder.`);
  return file;
}
