import { AskemaError, type Outcome } from '@askema/core';
import { endOf } from '../../runs/run-record.ts';
import { recordOfRun } from '../caller-runs.ts';
import { databaseOf } from '../questions/question-runs.ts';
import { readRun } from '../questions/read-run.ts';
import type { RouteCall } from '../route.ts';

/**
 * What a run of the caller came to. Rejects with `RUN_NOT_FOUND` for one that is not theirs, and with `INPUT_INVALID`
 * for one that has not ended.
 */
export async function outcomeOfRun(
  call: RouteCall,
  run: string,
): Promise<{ readonly outcome: Outcome; readonly database: string | undefined }> {
  const record = await recordOfRun(call, run, 'question');
  if (endOf(record, run) === undefined)
    throw new AskemaError('INPUT_INVALID', `The run ${run} has not ended. Look at the run to see how it stands.`);
  const database = await databaseOf(call, record);
  const outcome = await readRun(call, { id: record.id, run, database }).result;
  return { outcome, database: record.database };
}
