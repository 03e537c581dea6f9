import { AskemaError, type CallLimits } from '@askema/core';
import type { ResolvedServerOptions } from '../options/server-address.ts';
import type { Connection } from './connection.ts';

/** What a pool must know of an adapter's session: it wraps one connection, and serves one call at a time. */
export interface PooledSession {
  readonly connection: Connection;
}

/** Of the options of an adapter: its name for messages, sessions at most, and when one without work is closed. */
export type SessionPoolOptions = Pick<ResolvedServerOptions, 'name' | 'poolSize' | 'idleTimeoutMs'>;

/** Sessions that are opened when they are needed, used again, and closed when nobody has needed them for a while. */
export interface SessionPool<S extends PooledSession> {
  /** Sessions that are open or being opened. */
  readonly size: number;
  readonly closed: boolean;
  /**
   * A session for one call; a call waits when all are busy. `fresh`: not one that has been lying idle, which the server
   * may have ended meanwhile. Rejects with what ends the limits, `DATABASE_CLOSED`, or why none can be opened.
   */
  acquire(limits: CallLimits, fresh?: boolean): Promise<{ readonly session: S; readonly reused: boolean }>;
  /** Gives a session back: one that is usable is kept, any other closed. */
  release(session: S): Promise<void>;
  /** Stops what runs on the server and closes all sessions, within a bounded time. Closing twice is allowed. */
  close(): Promise<void>;
  /** `DATABASE_CLOSED` */
  closedError(): AskemaError;
}

/**
 * A pool of sessions for one adapter. Nothing is opened before the first call.
 *
 * @param openSession opens a session. Rejects with `DATABASE_UNAVAILABLE`, `DATABASE_NOT_FOUND`, `CONFIG_INVALID` or
 * `DEPENDENCY_MISSING`.
 */
export function createSessionPool<S extends PooledSession>(
  options: SessionPoolOptions,
  openSession: () => Promise<S>,
): SessionPool<S> {
  const idle: { readonly session: S; readonly timer: NodeJS.Timeout }[] = [];
  const busy = new Set<S>();
  const waiting: (() => void)[] = [];
  let open = 0;
  let closing: Promise<void> | undefined;

  const closedError = (): AskemaError =>
    new AskemaError(
      'DATABASE_CLOSED',
      `The adapter ${JSON.stringify(options.name)} is closed; open it again to use it.`,
    );

  const leave = (): void => {
    open -= 1;
    waiting.shift()?.();
  };

  const discard = async (session: S): Promise<void> => {
    leave();
    await session.connection.close();
  };

  const takeIdle = (): S | undefined => {
    for (let entry = idle.pop(); entry !== undefined; entry = idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.session.connection.usable) return entry.session;
      void discard(entry.session);
    }
    return undefined;
  };

  const hire = (session: S, reused: boolean) => {
    session.connection.hold(true);
    busy.add(session);
    return { session, reused };
  };

  const connect = async (limits: CallLimits): Promise<S> => {
    open += 1;
    const connecting = openSession();
    try {
      const session = await limits.race(connecting);
      if (closing === undefined) return session;
    } catch (error) {
      // The session that nobody waits for any more is closed as soon as it is there.
      connecting.then(discard, leave);
      throw error;
    }
    await discard(await connecting);
    throw closedError();
  };

  const turn = async (limits: CallLimits): Promise<void> => {
    const { promise, resolve: wake } = Promise.withResolvers<void>();
    waiting.push(wake);
    try {
      await limits.race(promise);
    } catch (error) {
      const index = waiting.indexOf(wake);
      if (index >= 0) waiting.splice(index, 1);
      // It was its turn already: the next one is woken in its place.
      else waiting.shift()?.();
      throw error;
    }
  };

  const closeAll = async (): Promise<void> => {
    for (const wake of waiting.splice(0)) wake();
    const resting = idle.splice(0);
    for (const { timer } of resting) clearTimeout(timer);
    await Promise.all([
      ...resting.map(({ session }) => discard(session)),
      ...[...busy].map(async ({ connection }) => {
        await connection.stop();
        await connection.close();
      }),
    ]);
  };

  return {
    get size() {
      return open;
    },
    get closed() {
      return closing !== undefined;
    },
    closedError,
    async acquire(limits, fresh = false) {
      for (let isTurn = false; ; isTurn = true) {
        // Whose limits are over when it is his turn passes it on.
        if (isTurn && limits.signal.aborted) waiting.shift()?.();
        limits.throwIfOver();
        if (closing !== undefined) throw closedError();
        const resting = fresh ? undefined : takeIdle();
        if (resting !== undefined) return hire(resting, true);
        if (open < options.poolSize) return hire(await connect(limits), false);
        const oldest = fresh ? takeIdle() : undefined;
        if (oldest !== undefined) await discard(oldest);
        else await turn(limits);
      }
    },
    async release(session) {
      busy.delete(session);
      if (!session.connection.usable || closing !== undefined) {
        await discard(session);
        return;
      }
      session.connection.hold(false);
      const timer = setTimeout(() => {
        const index = idle.findIndex((entry) => entry.session === session);
        if (index >= 0) idle.splice(index, 1);
        void discard(session);
      }, options.idleTimeoutMs);
      timer.unref();
      idle.push({ session, timer });
      waiting.shift()?.();
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
