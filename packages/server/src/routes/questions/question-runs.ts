import { AskemaError, addUsage, isAskemaError, type Outcome } from '@askema/core';
import { type AskOptions, decodeOutcome, encodeOutcome } from '@askema/text2sql';
import type { OpenDatabase } from '../../databases/database-pool.ts';
import type { LiveRunParts, RunReader } from '../../runs/live-runs.ts';
import { ownerKey } from '../../runs/owner-key.ts';
import { answerOf, askedRun, endOf, placeOf, type RunRecord, type RunRequest } from '../../runs/run-record.ts';
import type { OpenRecord } from '../../runs/run-records.ts';
import type { RouteCall } from '../route.ts';
import { placeQuestion } from './place-question.ts';

export interface QuestionRun {
  /** Of the record. */
  readonly id: string;
  /** `id`, or `id~2` for what goes on from an answer. */
  readonly run: string;
  /** Undefined where that has yet to be found. */
  readonly database: OpenDatabase | undefined;
  /** What a new record begins with. */
  readonly request?: RunRequest | undefined;
  /** An answer to what `run` goes on from. */
  readonly answer?: { readonly run: string; readonly answer: string } | undefined;
  /** Goes on also where it had ended without an answer. */
  readonly again?: boolean | undefined;
}

/** The record that a run of the caller belongs to. Rejects with `RUN_NOT_FOUND` for one that is not theirs. */
export async function recordOfRun({ caller, parts }: RouteCall, run: string): Promise<RunRecord> {
  const record = await parts.records.find(caller, run.replace(/~\d{1,4}$/, ''), 'question');
  // The first run has the id of the record; others begin with an answer.
  if (run === record.id || answerOf(record, run) !== undefined) return record;
  throw new AskemaError('RUN_NOT_FOUND', `There is no run ${JSON.stringify(run.slice(0, 60))} of this caller.`);
}

/** The run that goes on from an answer to this one, as text2sql names it. */
export function runBehind(run: string): string {
  const [id, number = '1'] = run.split('~');
  return `${id}~${Number(number) + 1}`;
}

/** The database of a record; undefined where that has yet to be found. Rejects as `RouteCall.database`. */
export async function databaseOf(call: RouteCall, { database }: RunRecord): Promise<OpenDatabase | undefined> {
  return database === undefined ? undefined : call.database(database, 'ask');
}

export function liveKey({ caller }: Pick<RouteCall, 'caller'>, run: string): string {
  return `${ownerKey(caller)}.${run}`;
}

/**
 * Begins a run, goes on with one that was broken off, or reads the outcome of one that has ended; joins it where it is
 * under way. `accepted` rejects with what forbids it: `LIMIT_EXCEEDED`, `JOURNAL_LOCKED`, `INPUT_INVALID`.
 */
export function readRun(call: RouteCall, run: QuestionRun): RunReader {
  const key = liveKey(call, run.run);
  const { records, live, metrics } = call.parts;
  return live.join(key, call.signal, (parts) =>
    records.whileOpen(call.caller, run.id, async (record) => {
      const ended = run.again === true ? undefined : keptOutcome(record.before, run.run);
      if (ended !== undefined) return ended;
      const isReplay = record.before !== undefined && endOf(record.before, run.run) !== undefined && run.again !== true;
      if (!isReplay) call.beginQuestion(textOf(record.before ?? run.request));
      if (record.before === undefined && run.request !== undefined) await record.begin(run.request);
      const outcome = await toOutcome(call, run, record, parts);
      // Who only left finds the question again; who has said that it shall stop does not.
      const isBrokenOff = outcome.type === 'cancelled' && !live.isCancelled(key);
      if (!isReplay && !isBrokenOff) {
        metrics.outcome(outcome.type);
        await record.mark(endMark(run.run, outcome));
      }
      return outcome;
    }),
  );
}

/** Of one that has ended without rows. */
function keptOutcome(record: RunRecord | undefined, run: string): Outcome | undefined {
  const end = record && endOf(record, run);
  if (end?.json !== undefined) return decodeOutcome(end.json);
  if (end?.outcome !== 'cancelled') return undefined;
  throw new AskemaError('REQUEST_CONFLICT', 'This question was stopped. Ask it anew, under another key.');
}

function endMark(run: string, outcome: Outcome) {
  const hasRows = 'result' in outcome && outcome.result !== undefined;
  const ended = { type: 'ended', run, outcome: outcome.type } as const;
  return hasRows ? ended : { ...ended, json: JSON.parse(JSON.stringify(encodeOutcome(outcome))) };
}

async function toOutcome(call: RouteCall, run: QuestionRun, record: OpenRecord, parts: LiveRunParts): Promise<Outcome> {
  const { before } = record;
  const { signal } = parts;
  const onEvent: LiveRunParts['onEvent'] = (event) => {
    parts.accepted();
    parts.onEvent(event);
  };
  const given = run.answer ?? (before && answerOf(before, run.run));
  const question = textOf(before ?? run.request);
  const known = run.database ?? (before && (await databaseOf(call, before)));
  const found =
    known === undefined
      ? await placeQuestion(call, { run: run.run, question, answer: given?.answer, signal })
      : { database: known, placed: placeOf(before) };
  if ('outcome' in found) return found.outcome;
  const { database, placed } = found;
  if (run.answer !== undefined) await record.mark({ type: 'answered', ...run.answer, next: run.run });
  if (known === undefined && placed !== undefined) await record.mark(placed);
  if (before === undefined || given === undefined || placed?.run === run.run) {
    const options = (before ?? run.request)?.options as AskOptions | undefined;
    const outcome = await database.text2sql.ask(question, { ...options, runId: run.id, signal, onEvent });
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

function textOf(request: RunRequest | undefined): string {
  if (request !== undefined) return request.text;
  throw new AskemaError('INTERNAL', 'A run without a record has nothing to ask.');
}
