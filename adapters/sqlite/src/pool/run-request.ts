import type { Answer, Failure, WorkerRequest } from '../protocol.ts';
import { createDeferred, within } from './deferred.ts';
import { createStop, type RequestLimits, type Stop } from './stop.ts';
import type { WorkerPool } from './worker-pool.ts';
import type { WorkerProcess } from './worker-process.ts';

/** A worker that is asked to stop has so long before it is killed. */
const STOP_GRACE_MS = 50;

/** A killed worker is waited for at most so long. */
const KILL_WAIT_MS = 1_000;

/** The parts of an answer that a caller sees. */
export type VisibleAnswer = Exclude<Answer, { type: 'failed' | 'prepared' }>;

/**
 * Runs a request on a worker and yields the parts of the answer; a `failed` is thrown as the error that `explain` makes of it.
 *
 * The deadline, the caller's abort and the closing of the pool kill the worker, and with it whatever it does. From the moment at which
 * a change is committed they no longer count: the caller learns how it ended.
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
    inbox = openInbox(pool, worker, request, stop);
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

interface Inbox {
  /** The next part of the answer; rejects when the request was stopped. */
  next(): Promise<Answer>;
  /** One batch of rows was taken. */
  more(): void;
  /** Gives the worker back, or kills it when it does not come to an end by itself. Closing twice is allowed. */
  close(): Promise<void>;
}

function openInbox(pool: WorkerPool, worker: WorkerProcess, request: WorkerRequest, stop: Stop): Inbox {
  const arrived: Answer[] = [];
  const ended = createDeferred<void>();
  let state: 'open' | 'over' | 'killed' = 'open';
  let wake = (): void => undefined;
  // The worker is free at once, also when the caller takes its time with what has arrived, or never comes back.
  const finish = (): void => {
    if (state !== 'open') return;
    state = 'over';
    stop.release();
    pool.release(worker);
    ended.resolve();
  };
  const kill = (): void => {
    if (state !== 'open') return;
    state = 'killed';
    worker.kill();
  };
  const say = worker.request(request, (answer) => {
    if (answer.type === 'prepared' && !stop.signal.aborted) {
      stop.committing();
      pool.holdClose(ended.promise);
      say('commit');
    }
    if (answer.type === 'end' || answer.type === 'failed') finish();
    arrived.push(answer);
    wake();
  });
  // Also while the caller is busy with something else and asks for nothing.
  const onStop = (): void => {
    kill();
    wake();
  };
  stop.signal.addEventListener('abort', onStop);
  if (stop.signal.aborted) onStop();
  void worker.exited.then((exit) => {
    ended.resolve();
    if (state === 'open') stop.workerEnded(exit);
  });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    if (state === 'open') {
      say('stop');
      await (stop.isCommitting ? ended.promise : within(STOP_GRACE_MS, ended.promise));
    }
    stop.signal.removeEventListener('abort', onStop);
    kill();
    if (state === 'killed') await within(KILL_WAIT_MS, worker.exited);
  };
  return {
    async next() {
      for (;;) {
        if (state !== 'over') stop.signal.throwIfAborted();
        const answer = arrived.shift();
        if (answer !== undefined) return answer;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    more: () => {
      if (state === 'open') say('more');
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}
