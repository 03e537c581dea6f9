import { AskemaError } from '@askema/core';
import type { BatchOptions, BatchSummary } from './batch-options.ts';

/**
 * Does a list of items, each once: every finished item is one line of `results.jsonl` and on the disk at once; a second start does only
 * what is missing. An item that throws is `failed` and never ends the run. The results are read with `readBatch`.
 *
 * @throws AskemaError as `runEvaluation`.
 */
export async function runBatch<Input, Output>(options: BatchOptions<Input, Output>): Promise<BatchSummary> {
  throw new AskemaError('INTERNAL', options.out);
}
