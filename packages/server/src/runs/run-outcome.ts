import { AskemaError, type EventSink, type Outcome, type Runtime } from '@askema/core';
import { type AskOptions, decodeOutcome, encodeOutcome, type Text2Sql } from '@askema/text2sql';
import { endOf, type RunMark, type RunRecord, type RunRequest } from './run-record.ts';
import { whenFree } from './when-free.ts';

/** What a run goes on from. */
export interface RunAnswer {
  readonly run: string;
  readonly answer: string;
}

/** Asks, or goes on from an answer; behind what the run's journal holds. */
export function workOnRun(
  text2sql: Text2Sql,
  { id, request, answer }: { id: string; request: RunRequest; answer?: RunAnswer | undefined },
  given: { readonly signal: AbortSignal; readonly onEvent: EventSink },
): Promise<Outcome> {
  if (answer !== undefined) return text2sql.resume(answer.run, { answer: answer.answer, ...given });
  return text2sql.ask(request.text, { ...(request.options as AskOptions), runId: id, ...given });
}

/** As {@link workOnRun}, where another process may still be letting go of the run. */
export function workWhenFree(
  runtime: Pick<Runtime, 'clock' | 'sleep'>,
  ...[text2sql, work, given]: Parameters<typeof workOnRun>
): Promise<Outcome> {
  const once = async (): Promise<Outcome> => {
    const outcome = await workOnRun(text2sql, work, given);
    if (outcome.type === 'failed' && outcome.error.code === 'JOURNAL_LOCKED') throw AskemaError.fromJSON(outcome.error);
    return outcome;
  };
  return whenFree(runtime, once, given.signal);
}

/** Of one that has ended without rows. */
export function keptOutcome(record: RunRecord | undefined, run: string): Outcome | undefined {
  const end = record && endOf(record, run);
  if (end?.json !== undefined) return decodeOutcome(end.json);
  if (end?.outcome !== 'cancelled') return undefined;
  throw new AskemaError('REQUEST_CONFLICT', 'This question was stopped. Ask it anew, under another key.');
}

export function endMark(run: string, outcome: Outcome): RunMark {
  const hasRows = 'result' in outcome && outcome.result !== undefined;
  const json = JSON.parse(JSON.stringify(encodeOutcome(outcome)));
  return { type: 'ended', run, outcome: outcome.type, ...(hasRows ? { elapsedMs: outcome.elapsedMs } : { json }) };
}
