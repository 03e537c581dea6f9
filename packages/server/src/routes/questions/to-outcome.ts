import { AskemaError, addUsage, isAskemaError, type Outcome } from '@askema/core';
import { type AskOptions, decodeOutcome, encodeOutcome } from '@askema/text2sql';
import type { LiveRunParts } from '../../runs/live-runs.ts';
import {
  answerOf,
  askedRun,
  endOf,
  placeOf,
  type RunMark,
  type RunRecord,
  type RunRequest,
} from '../../runs/run-record.ts';
import type { OpenRecord } from '../../runs/run-records.ts';
import { whenFree } from '../../runs/when-free.ts';
import type { AskingCall } from '../route.ts';
import { placeQuestion } from './place-question.ts';
import { databaseOf, type QuestionRun } from './question-runs.ts';

/** The outcome of a run that has ended without rows. @throws AskemaError `REQUEST_CONFLICT` for one that was stopped. */
export function keptOutcome(record: RunRecord | undefined, run: string): Outcome | undefined {
  const end = record && endOf(record, run);
  if (end?.json !== undefined) return decodeOutcome(end.json);
  if (end?.outcome !== 'cancelled') return undefined;
  throw new AskemaError('REQUEST_CONFLICT', 'This question was stopped. Ask it anew, under another key.');
}

/** How a run ended. Rows stay in the run. */
export function endMark(run: string, outcome: Outcome): RunMark {
  const hasRows = 'result' in outcome && outcome.result !== undefined;
  const ended = { type: 'ended', run, outcome: outcome.type } as const;
  if (hasRows) return { ...ended, elapsedMs: outcome.elapsedMs };
  return { ...ended, json: encodeOutcome(outcome) };
}

/** Asks, or goes on from an answer, behind what the run's journal holds. */
export async function toOutcome(
  call: AskingCall,
  run: QuestionRun,
  record: Pick<OpenRecord, 'before' | 'mark'>,
  parts: LiveRunParts,
): Promise<Outcome> {
  const { before } = record;
  const { signal } = parts;
  const onEvent: LiveRunParts['onEvent'] = (event) => {
    parts.accepted();
    parts.onEvent(event);
  };
  const given = run.answer ?? (before && answerOf(before, run.run));
  const request = requestIn(before ?? run.request);
  const known = run.database ?? (before && (await databaseOf(call, before)));
  const found =
    known === undefined
      ? await placeQuestion(call, { run: run.run, question: request.text, answer: given?.answer, signal })
      : { database: known, placed: placeOf(before) };
  if ('outcome' in found) return found.outcome;
  const { database, placed } = found;
  if (run.answer !== undefined) await record.mark({ type: 'answered', ...run.answer, next: run.run });
  if (known === undefined && placed !== undefined) await record.mark(placed);
  if (before === undefined || given === undefined || placed?.run === run.run) {
    const options = request.options as AskOptions | undefined;
    const outcome = await database.text2sql.ask(request.text, { ...options, runId: run.id, signal, onEvent });
    return withPlace(outcome, run.run, placed);
  }
  try {
    const { answer } = given;
    const outcome = await database.text2sql.resume(askedRun(before, given.run), { answer, signal, onEvent });
    return withPlace(outcome, run.run, undefined);
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'INPUT_INVALID' && run.answer !== undefined)
      await record.mark({ type: 'withdrawn', next: run.run });
    throw thrown;
  }
}

/** With the id of the run that the caller knows, and what it cost to find its database. */
function withPlace(outcome: Outcome, runId: string, placed: ReturnType<typeof placeOf>): Outcome {
  const { usage = {}, calls = 0 } = placed ?? {};
  if (calls === 0 && outcome.runId === runId) return outcome;
  return { ...outcome, runId, usage: addUsage(outcome.usage, usage), calls: outcome.calls + calls };
}

/** What there is to ask: of a record, or what a new one begins with. */
export function requestIn(request: RunRequest | undefined): RunRequest {
  if (request !== undefined) return request;
  throw new AskemaError('INTERNAL', 'A run without a record has nothing to ask.');
}

/** As {@link toOutcome}, where another server may still be letting go of the run. */
export function outcomeWhenFree(...given: Parameters<typeof toOutcome>): Promise<Outcome> {
  const [{ parts }, , , { signal }] = given;
  const once = async (): Promise<Outcome> => {
    const outcome = await toOutcome(...given);
    if (outcome.type === 'failed' && outcome.error.code === 'JOURNAL_LOCKED') throw AskemaError.fromJSON(outcome.error);
    return outcome;
  };
  return whenFree(parts.runtime, once, signal);
}
