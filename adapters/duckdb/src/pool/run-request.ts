import { type CallLimitsOptions, startLimits } from '@askema/core';
import type { Answer, Failure, WorkerRequest } from '../protocol.ts';
import type { EnginePool } from './engine-pool.ts';
import { Inbox } from './inbox.ts';

/** `timeoutMs` is from the call to the last part of the answer, waiting for room included. */
export type RequestLimits = CallLimitsOptions & { readonly timeoutMs: number };

/** The parts of an answer that a caller sees. */
export type VisibleAnswer = Exclude<Answer, { type: 'failed' | 'prepared' }>;

/**
 * Runs a request on the engine and yields the parts of the answer; a `failed` is thrown as the error that `explain`
 * makes of it.
 *
 * The deadline, the caller's abort and the closing of the pool interrupt the statement, and the caller hears of it at
 * once. From the moment at which a change is committed they no longer count: the caller learns how it ended.
 */
export async function* runRequest(
  pool: EnginePool,
  request: WorkerRequest,
  { timeoutMs, signal, sql, what }: RequestLimits,
  explain: (failure: Failure) => Error,
): AsyncGenerator<VisibleAnswer, void, void> {
  const limits = startLimits({ timeoutMs, signal, what, sql });
  let inbox: Inbox | undefined;
  try {
    limits.throwIfOver();
    const lease = await pool.lease(limits.signal);
    try {
      inbox = new Inbox(pool, lease, request, limits, { what, sql });
    } catch (thrown) {
      // A parameter that no message can carry: nothing was sent.
      pool.release(lease);
      throw thrown;
    }
    for (;;) {
      const answer = await inbox.next();
      if (answer.type === 'failed') throw explain(answer.failure);
      if (answer.type !== 'prepared') yield answer;
      if (answer.type === 'end') return;
      if (answer.type === 'rows') inbox.more();
    }
  } finally {
    await inbox?.close();
    limits.release();
  }
}

/** The `value` that answers a request. */
export async function requestValue<T>(
  pool: EnginePool,
  request: WorkerRequest,
  limits: RequestLimits,
  explain: (failure: Failure) => Error,
): Promise<T | undefined> {
  let value: T | undefined;
  for await (const answer of runRequest(pool, request, limits, explain))
    if (answer.type === 'value') value = answer.value as T;
  return value;
}
