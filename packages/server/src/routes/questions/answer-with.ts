import { publicOutcome } from '../../errors/public-outcome.ts';
import { EVENT_STREAM, eventStream } from '../../events/event-stream.ts';
import { questionEvents } from '../../events/question-events.ts';
import type { RunReader } from '../../runs/live-runs.ts';
import { accepts } from '../accepts.ts';
import { recordOfRun } from '../caller-runs.ts';
import { leavingWith } from '../leaving.ts';
import type { RouteCall } from '../route.ts';
import type { QuestionRun } from './question-runs.ts';
import { readRun } from './read-run.ts';

/** Reads a run for a response: the outcome as JSON, or its events where the request asks for those. */
export async function answerWith(call: RouteCall, run: QuestionRun) {
  const left = leavingWith(call.signal);
  const { signal } = left;
  const isFollowed = accepts(call.request, EVENT_STREAM);
  const reader = readRunInScope({ ...call, signal }, { ...run, isFollowed });
  await reader.accepted;
  if (!isFollowed) return publicOutcome(await reader.result);
  // By now it was found, or is asked back.
  const database = run.database?.name ?? (await recordOfRun(call, run.run, 'question')).database;
  const events = questionEvents(reader, { run: run.run, database });
  return eventStream(events, { requestId: call.requestId, onLeft: () => left.abort() });
}

/**
 * Another token of the caller, or one from before, may have had more databases: what the same request came to there is
 * not for this one.
 */
function readRunInScope(call: RouteCall, run: QuestionRun): RunReader {
  const reader = readRun(call, run);
  if (run.database !== undefined) return reader;
  const result = reader.result.then(async (outcome) => {
    await recordOfRun(call, run.run, 'question');
    return outcome;
  });
  // Whoever reads the events hears of it behind them.
  result.catch(() => undefined);
  return { ...reader, result };
}
