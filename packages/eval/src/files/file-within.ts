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
  return file;
}
