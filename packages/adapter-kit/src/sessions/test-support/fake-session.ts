import { type Connection, type ConnectionHandle, watchConnection } from '../connection.ts';
import { createSessionPool, type PooledSession, type SessionPoolOptions } from '../session-pool.ts';

/** A session of no server: it notes what is done to it. */
export interface FakeSession extends PooledSession {
  readonly id: number;
  readonly done: string[];
}

/** A pool over such sessions, and all that it has opened. */
export function fakePool(
  options: Partial<SessionPoolOptions<FakeSession>> = {},
  handle: Partial<ConnectionHandle> = {},
) {
  const opened: FakeSession[] = [];
  const pool = createSessionPool<FakeSession>({
    name: 'shop',
    size: 2,
    idleTimeoutMs: 60_000,
    connect: async () => {
      const done: string[] = [];
      const connection: Connection = watchConnection({
        cancel: async () => void done.push('cancel'),
        end: async () => void done.push('end'),
        cut: () => void done.push('cut'),
        hold: (keep) => void done.push(keep ? 'hold' : 'let go'),
        ...handle,
      });
      const session = { id: opened.length, done, connection };
      opened.push(session);
      return session;
    },
    ...options,
  });
  return { pool, opened };
}
