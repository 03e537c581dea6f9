import { publicOutcome } from '../../errors/public-outcome.ts';
import { EVENT_STREAM, eventStream } from '../../events/event-stream.ts';
import { questionEvents } from '../../events/question-events.ts';
import { accepts } from '../accepts.ts';
import type { RouteCall } from '../route.ts';
import { type QuestionRun, recordOfRun } from './question-runs.ts';
import { readRun } from './read-run.ts';

/** Reads a run for a response: the outcome as JSON, or its events where the request asks for those. */
export async function answerWith(call: RouteCall, run: QuestionRun) {
  const left = new AbortController();
  const signal = AbortSignal.any([call.signal, left.signal]);
  const isFollowed = accepts(call.request, EVENT_STREAM);
  const reader = readRun({ ...call, signal }, { ...run, isFollowed });
  await reader.accepted;
  if (!isFollowed) return publicOutcome(await reader.result);
  // By now it was found, or is asked back.
  const database = run.database?.name ?? (await recordOfRun(call, run.run)).database;
  const events = questionEvents(reader, { run: run.run, database });
  return eventStream(events, { requestId: call.requestId, onLeft: () => left.abort() });
}
