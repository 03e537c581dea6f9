/** How long a server may take to answer after it was told to stop, and to take leave. */
const STOP_MS = 1_000;

/** What a driver can do with one connection to a server. */
export interface ConnectionHandle {
  /** Tells when the connection has failed or ended. */
  readonly driver: { on(event: 'error' | 'end', listener: () => void): unknown };
  /** `ref` and `unref`: whether the connection keeps the process alive. */
  readonly socket: { destroy(): unknown; ref?(): unknown; unref?(): unknown };
  /**
   * Tells the server to stop what runs here, over a connection of its own. Bounded in time. Where it rejects, the server
   * could not be told, and ends its statement by its own deadline.
   */
  cancel(): Promise<unknown>;
  /**
   * Ends the connection on the server, over one of its own, where a statement does not obey {@link cancel}. It may
   * reject as well.
   */
  terminate?(): Promise<unknown>;
  /** Takes leave of the server. It may reject or hang: it is waited for one second. */
  end(): Promise<unknown>;
}

/** One connection, and how it stands: at rest, at work, told to stop, in doubt, or gone. */
export interface Connection {
  /** False once it is gone, was told to stop, or nobody knows what the server still does on it. */
  readonly usable: boolean;
  /** Nothing more will come: the driver has reported an error of the connection, or its end. */
  readonly gone: boolean;
  /** It is of no use any more, though the driver has not reported it yet. */
  lost(): void;
  /** Remembers what runs, so that {@link Connection.settle} can wait for it. Gives the same promise back. */
  track<T>(running: Promise<T>): Promise<T>;
  /**
   * Tells the server to stop whatever runs here; once, however often it is called. The connection is not used again:
   * the request may still hit its next statement.
   */
  stop(): Promise<void>;
  /** Waits for what runs, at most one second; a connection that does not come to rest by then is stopped. */
  settle(running?: Promise<unknown>): Promise<void>;
  /** Whether it keeps the process alive. */
  hold(keep: boolean): void;
  /**
   * Closes it: politely when it is at rest, else at once. What was told to stop, and still runs, is ended on the server
   * first. Bounded in time, and never rejects.
   */
  close(): Promise<void>;
}

/** Watches one connection of a driver. The session of an adapter holds it as `connection`, for the pool. */
export function watchConnection({ driver, socket, ...handle }: ConnectionHandle): Connection {
  let gone = false;
  let doubtful = false;
  let stopping: Promise<unknown> | undefined;
  let lastRunning: Promise<unknown> = Promise.resolve();
  const connection: Connection = {
    get usable() {
      return !gone && !doubtful && stopping === undefined;
    },
    get gone() {
      return gone;
    },
    lost() {
      gone = true;
    },
    track(running) {
      lastRunning = running;
      running.catch(() => undefined);
      return running;
    },
    async stop() {
      stopping ??= handle.cancel().catch(() => undefined);
      await stopping;
    },
    async settle(running = lastRunning) {
      running.catch(() => undefined);
      if (gone || (await settledWithin(STOP_MS, running))) return;
      doubtful = true;
      await connection.stop();
    },
    hold: (keep) => (keep ? socket.ref?.() : socket.unref?.()),
    async close() {
      // Who waits for it must not find the process ended before.
      connection.hold(true);
      if (connection.usable) await settledWithin(STOP_MS, handle.end());
      await stopping;
      const isStubborn = !gone && stopping !== undefined && (doubtful || !(await settledWithin(STOP_MS, lastRunning)));
      if (isStubborn && handle.terminate !== undefined) await settledWithin(STOP_MS, handle.terminate());
      socket.destroy();
    },
  };
  driver.on('error', connection.lost);
  driver.on('end', connection.lost);
  return connection;
}

/** Whether a promise is settled, in one way or the other, within so many milliseconds. */
async function settledWithin(milliseconds: number, running: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const settled = running.then(
    () => true,
    () => true,
  );
  const isSettled = await Promise.race([settled, late]);
  clearTimeout(timer);
  return isSettled;
}
