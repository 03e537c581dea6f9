import type { Outcome } from '@askema/core';
import { AskemaError } from '@askema/core';
import { answerOf, endOf } from '../../runs/run-record.ts';
import { idOfRun, readRun } from '../questions/question-runs.ts';
import type { RouteCall } from '../route.ts';

/**
 * What a run of the caller came to. Rejects with `RUN_NOT_FOUND` for one that is not theirs, and with `INPUT_INVALID`
 * for one that has not ended.
 */
export async function outcomeOfRun(
  call: RouteCall,
  run: string,
): Promise<{ readonly outcome: Outcome; readonly database: string }> {
  const record = await call.parts.records.find(call.caller, idOfRun(run), 'question');
  if (run !== record.id && answerOf(record, run) === undefined)
    throw new AskemaError('RUN_NOT_FOUND', `There is no run ${JSON.stringify(run.slice(0, 60))} of this caller.`);
  if (endOf(record, run) === undefined)
    throw new AskemaError('INPUT_INVALID', `The run ${run} has not ended; \`GET /v1/runs/${run}\` says how it stands.`);
  const database = await call.database(record.database, 'ask');
  const outcome = await readRun(call, { id: record.id, run, database }).result;
  return { outcome, database: record.database };
}
