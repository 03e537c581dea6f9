import { existsSync } from 'node:fs';
import path from 'node:path';
import { AskemaError, decodeValue, type JsonValue } from '@askema/core';
import { storedResults } from '../run/results-file.ts';
import type { BatchResult } from './batch-options.ts';

/** Whether a line of `results.jsonl` is one of a batch. */
export function isBatchResult(line: Partial<BatchResult<JsonValue>>): boolean {
  return line.status === 'done' || line.status === 'failed';
}

/**
 * The results of a batch, one by one in the order in which they ended, also while it runs. An item that was done again after it failed comes with each
 * attempt, the last one counts.
 *
 * @throws AskemaError `JOURNAL_INVALID` when the folder has no results, or a line that is none.
 */
export async function* readBatch<Output>(directory: string): AsyncGenerator<BatchResult<Output>> {
  const file = path.join(directory, 'results.jsonl');
  if (!existsSync(file)) throw new AskemaError('JOURNAL_INVALID', `There is no ${file}; name the folder of a batch.`);
  for await (const { result } of storedResults<BatchResult<JsonValue>>(file, isBatchResult)) {
    const { output, ...rest } = result;
    yield output === undefined ? rest : { ...rest, output: decodeValue(output) as Output };
  }
}
