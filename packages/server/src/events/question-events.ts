import type { Outcome } from '@askema/core';
import { type Json, publicOutcome } from '../errors/public-outcome.ts';
import type { EventIteration } from '../runs/event-iteration.ts';
import type { RunReader } from '../runs/live-runs.ts';
import type { ServerEvent } from './event-stream.ts';

/** Rows in one event. */
const BATCH = 500;

/**
 * The events of a question: `started`, a `step` for each step, then what it came to: a `candidate` for each statement
 * that was considered, `rows` in batches, and `outcome` last.
 */
export async function* questionEvents(
  reader: RunReader,
  started: { readonly run: string; readonly database: string | undefined },
): AsyncGenerator<ServerEvent, void, undefined> {
  yield { event: 'started', data: started };
  yield* stepsOf(reader.events);
  yield* outcomeEvents(await reader.result);
}

/** The steps of a run, as they come. */
export async function* stepsOf(events: AsyncIterable<StepSource>): AsyncGenerator<ServerEvent, void, undefined> {
  for await (const event of events) {
    const data = stepData(event);
    if (data !== undefined) yield { event: 'step', data };
  }
}

/**
 * What a question came to. The rows are told before the outcome, which then has `rowCount` in the place of `rows`: nobody
 * takes it for a result without rows.
 */
export function* outcomeEvents(outcome: Outcome): Generator<ServerEvent, void, undefined> {
  const { result, candidates, ...json } = publicOutcome(outcome);
  if (Array.isArray(candidates)) for (const candidate of candidates) yield { event: 'candidate', data: candidate };
  if (result === undefined) return yield { event: 'outcome', data: { ...json, candidates } };
  const { rows, columns, ...figures } = result as Json & { readonly rows: readonly unknown[] };
  for (let at = 0; at === 0 || at < rows.length; at += BATCH)
    yield { event: 'rows', data: { ...(at === 0 ? { columns } : {}), rows: rows.slice(at, at + BATCH) } };
  yield { event: 'outcome', data: { ...json, candidates, result: { columns, rowCount: rows.length, ...figures } } };
}

type StepSource = EventIteration<unknown> extends AsyncIterable<infer Item> ? Item : never;

/** Names, numbers and codes: what calls tell is for whoever runs the server. */
function stepData(event: StepSource): object | undefined {
  if (event.type === 'events-dropped') return { status: 'left-out', count: event.count };
  const { path } = event;
  switch (event.type) {
    case 'step-started':
      return { step: event.step, status: 'started', path };
    case 'step-finished':
      return { step: event.step, status: 'finished', path, action: event.action, elapsedMs: event.elapsedMs };
    case 'step-retried':
      return { step: event.step, status: 'retried', path, code: event.error.code, delayMs: event.delayMs };
    case 'step-failed':
      return { step: event.step, status: 'failed', path, code: event.error.code, elapsedMs: event.elapsedMs };
    default:
      return undefined;
  }
}
