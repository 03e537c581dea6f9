import type { Answer, Failure, WorkerRequest } from '../protocol.ts';
import { Inbox } from './inbox.ts';
import { createStop, type RequestLimits } from './stop.ts';
import type { WorkerPool } from './worker-pool.ts';

/** The parts of an answer that a caller sees. */
export type VisibleAnswer = Exclude<Answer, { type: 'failed' | 'prepared' }>;

/**
 * Runs a request on a worker and yields the parts of the answer; a `failed` is thrown as the error that `explain` makes
 * of it.
 *
 * The deadline, the caller's abort and the closing of the pool kill the worker, and with it whatever it does. From the
 * moment at which a change is committed they no longer count: the caller learns how it ended.
 */
export async function* runRequest(
  pool: WorkerPool,
  request: WorkerRequest,
  limits: RequestLimits,
  explain: (failure: Failure) => Promise<Error>,
): AsyncGenerator<VisibleAnswer> {
  const stop = createStop(pool, limits);
  let inbox: Inbox | undefined;
  try {
    const worker = await pool.acquire(stop.signal);
    stop.started();
    try {
      inbox = new Inbox(pool, worker, request, stop);
    } catch (thrown) {
      // A parameter that no message can carry: nothing was sent.
      pool.release(worker);
      throw thrown;
    }
    for (;;) {
      const answer = await inbox.next();
      if (answer.type === 'failed') throw await explain(answer.failure);
      if (answer.type !== 'prepared') yield answer;
      if (answer.type === 'end') return;
      if (answer.type === 'rows') inbox.more();
    }
  } finally {
    await inbox?.close();
    stop.release();
  }
}
