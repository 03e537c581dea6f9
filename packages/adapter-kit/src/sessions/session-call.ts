import { type AskemaError, type CallLimits, type CallLimitsOptions, isAskemaError, startLimits } from '@askema/core';
import type { PooledSession, SessionPool } from './session-pool.ts';

/** A call that has its session, and what was begun there. */
export interface OpenCall<S extends PooledSession, Begun> {
  readonly session: S;
  /** What {@link SessionCall.begin} gave. */
  readonly begun: Begun;
  readonly limits: CallLimits;
}

/** How an adapter opens, leaves and explains one call on a session. */
export interface SessionCall<S extends PooledSession, Begun> extends CallLimitsOptions {
  /** Begins on the session what the call runs in: a transaction, with its settings. */
  readonly begin: (session: S, limits: CallLimits) => Promise<Begun>;
  /**
   * Leaves nothing of the call on the session: ends what runs (`connection.settle`), rolls back what was not committed,
   * takes settings back. It is called once, also when `begin` failed, and must not reject.
   */
  readonly rest: (session: S) => Promise<void>;
  /**
   * Makes the error of what the driver throws. `open` is undefined when `begin` has failed or no session was found. It
   * is not asked about what has a reason already: limits that are over, an AskemaError, a pool that is closed.
   */
  readonly explain: (thrown: unknown, open: OpenCall<S, Begun> | undefined) => AskemaError | Promise<AskemaError>;
}

/**
 * Runs one call on a session of the pool and gives its result: waits for a session, begins, works, rests, gives the
 * session back. When the limits are over, the server is told to stop. A session that has been lying idle and turns out
 * to be gone is replaced once by a new one.
 *
 * Rejects with what ended the limits (`QUERY_TIMEOUT`, `ABORTED`), `DATABASE_CLOSED`, or what `explain` makes.
 */
export async function runCall<S extends PooledSession, Begun, T>(
  pool: SessionPool<S>,
  call: SessionCall<S, Begun>,
  work: (open: OpenCall<S, Begun>) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  for await (const value of streamCall(pool, call, async function* (open) {
    yield await work(open);
  }))
    result = { value };
  return (result as { readonly value: T }).value;
}

/**
 * As {@link runCall}, for work that yields as it goes: the events of a result. Leaving the iteration early ends the
 * work.
 */
export async function* streamCall<S extends PooledSession, Begun, T>(
  pool: SessionPool<S>,
  call: SessionCall<S, Begun>,
  work: (open: OpenCall<S, Begun>) => AsyncIterable<T>,
): AsyncGenerator<T, void, void> {
  const limits = startLimits(call);
  let open: OpenCall<S, Begun> | undefined;
  let leave: (() => Promise<void>) | undefined;
  try {
    const begun = await beginCall(pool, call, limits);
    open = begun.open;
    leave = begun.leave;
    yield* work(open);
  } catch (thrown) {
    const reason = limits.error() ?? reasonOf(thrown, pool) ?? (await call.explain(thrown, open));
    // Explaining may have taken its time.
    throw limits.error() ?? reason;
  } finally {
    await leave?.();
    limits.release();
  }
}

/** What is added to the deadline on the server, so that the call's own comes first. */
const SERVER_GRACE_MS = 250;

/** The longest that a setting of a server can be, with room for more time on top. */
const MAX_SETTING_MS = 2 ** 31 - 1 - 60_000;

/** The deadline of a call as a setting of the server, in whole milliseconds, for one that does not hear of an abort. */
export function serverDeadlineMs(limits: CallLimits): number {
  return Math.min(MAX_SETTING_MS, Math.max(1, Math.ceil(limits.remainingMs())) + SERVER_GRACE_MS);
}

async function beginCall<S extends PooledSession, Begun>(
  pool: SessionPool<S>,
  { begin, rest }: SessionCall<S, Begun>,
  limits: CallLimits,
): Promise<{ readonly open: OpenCall<S, Begun>; readonly leave: () => Promise<void> }> {
  for (let fresh = false; ; fresh = true) {
    const { session, reused } = await pool.acquire(limits, fresh);
    let isOurs = true;
    const leave = async (): Promise<void> => {
      await rest(session);
      // Later the session may work for another call, whose limits are not these.
      isOurs = false;
      await pool.release(session);
    };
    limits.onOver(() => {
      if (isOurs) void session.connection.stop();
    });
    try {
      const begun = await limits.race(begin(session, limits));
      return { open: { session, begun, limits }, leave };
    } catch (thrown) {
      await leave();
      if (!reused || !session.connection.gone || limits.error() !== undefined) throw thrown;
    }
  }
}

function reasonOf(
  thrown: unknown,
  pool: Pick<SessionPool<PooledSession>, 'closed' | 'closedError'>,
): AskemaError | undefined {
  if (isAskemaError(thrown)) return thrown;
  // Closing stops what runs.
  return pool.closed ? pool.closedError() : undefined;
}
