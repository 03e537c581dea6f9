import { type Connection, type ConnectionHandle, watchConnection } from '../connection.ts';
import { createSessionPool, type PooledSession, type SessionPoolOptions } from '../session-pool.ts';

/** A session of no server: it notes what is done to it. */
export interface FakeSession extends PooledSession {
  readonly id: number;
  readonly done: string[];
}

/** A pool over such sessions, and all that it has opened. */
export function fakePool(
  { connect, ...options }: Partial<SessionPoolOptions> & { readonly connect?: () => Promise<FakeSession> } = {},
  handle: Partial<ConnectionHandle> = {},
) {
  const opened: FakeSession[] = [];
  const openSession = async (): Promise<FakeSession> => {
    const done: string[] = [];
    const connection: Connection = watchConnection({
      driver: { on: () => undefined },
      socket: {
        destroy: () => done.push('cut'),
        ref: () => done.push('hold'),
        unref: () => done.push('let go'),
      },
      cancel: async () => done.push('cancel'),
      end: async () => done.push('end'),
      ...handle,
    });
    const session = { id: opened.length, done, connection };
    opened.push(session);
    return session;
  };
  const pool = createSessionPool(
    { name: 'shop', poolSize: 2, idleTimeoutMs: 60_000, ...options },
    connect ?? openSession,
  );
  return { pool, opened };
}
