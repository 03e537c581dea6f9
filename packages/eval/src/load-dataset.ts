import { AskemaError } from '@askema/core';
import type { Dataset } from './dataset.ts';

/**
 * Reads `questions.jsonl` and finds `databases/<db_id>.sqlite`.
 *
 * @throws AskemaError `DATASET_INVALID` when there is no such file, or nothing in it can be read.
 */
export async function loadDataset(directory: string): Promise<Dataset> {
  throw new AskemaError('INTERNAL', `loadDataset(${directory}) is not there yet.`);
}
