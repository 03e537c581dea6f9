import { closedError, type DriverProcess, type DriverTalk, within } from '@askema/core/node';

export interface ProcessPoolOptions<T extends DriverTalk> {
  /** The adapter's name, for messages. */
  readonly name: string;
  /** Processes at most. */
  readonly processes: number;
  /** Requests that one process answers side by side. */
  readonly perProcess: number;
  /**
   * A request that is stopped is told so, and has this long to end before its process is replaced. 0: its process is
   * killed at once, because nothing interrupts the driver.
   */
  readonly stopGraceMs: number;
  /** A request whose caller leaves it early is waited for so long. */
  readonly leaveMs: number;
  /**
   * A process that does not stop is killed with all its requests, because no other could open the database beside it.
   * Default: it ends those first, and takes no more.
   */
  readonly isExclusive?: boolean | undefined;
  /** Whether a failure leaves its process of no use: it is killed, with the requests that it has beside. Default: never. */
  readonly breaks?: ((failure: T['failure']) => boolean) | undefined;
  /**
   * Whether a failure means that the process ran out of something that its requests share, such as memory. If another
   * request was being stopped beside it, that one may still have held it: the failed one is made once more when the
   * other is gone. Default: never.
   */
  readonly starves?: ((failure: T['failure']) => boolean) | undefined;
  /** A process without work is dismissed after this time. */
  readonly idleTimeoutMs: number;
  /** Looks at what shall be opened, and starts a process. Rejects when there is nothing to open. */
  readonly start: () => DriverProcess<T> | Promise<DriverProcess<T>>;
}

/** The right to make one request of a process. It holds its place, whether or not the process still lives. */
export interface Lease<T extends DriverTalk> {
  readonly process: DriverProcess<T>;
  /** Set once its request is being stopped; resolves when that is over. */
  leaving?: Promise<void>;
}

/** Processes with a driver in them. */
export interface ProcessPool<T extends DriverTalk> {
  readonly options: ProcessPoolOptions<T>;
  /** Fires when the pool is closed; its reason is the error to throw. */
  readonly closing: AbortSignal;
  /** Process ids of those that live. */
  readonly pids: readonly number[];
  /** Starts the first process, where none is yet. Whether that went well, the first request learns. */
  warmUp(): void;
  /** Waits for a place, in order. `signal` ends the waiting with its reason. Give it back by `release` or `giveUp`. */
  lease(signal: AbortSignal): Promise<Lease<T>>;
  /** Requests of its process that are being stopped; none where failures have nothing to do with them. */
  leavingBeside(lease: Lease<T>): readonly Promise<void>[];
  /** The request of the lease is over. */
  release(lease: Lease<T>): void;
  /** The request of the lease does not stop: its process is replaced. */
  giveUp(lease: Lease<T>): void;
  /** Closing waits for `done`, so that a change which its caller is about to be told of is not torn. */
  holdClose(done: Promise<unknown>): void;
  /** Stops everything within a bounded time. Closing twice is allowed. */
  close(): Promise<void>;
}

/** Closing waits so long for a change that is being committed, and for processes to be gone. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Beside the first process others are started when requests have waited without a break for as long as its start took,
 * within these bounds. A few short requests are over sooner.
 */
const CROWDED_MS = { least: 100, most: 1_000 } as const;

/** A killed process is waited for at most so long. */
export const KILL_WAIT_MS = 1_000;

/** A process of the pool. */
interface Member<T extends DriverTalk> {
  readonly process: DriverProcess<T>;
  readonly leases: Set<Lease<T>>;
  isReady: boolean;
  idle: NodeJS.Timeout | undefined;
}

interface Waiter<T extends DriverTalk> {
  /** Counts those who came. */
  readonly number: number;
  readonly give: (lease: Lease<T>) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * A pool of processes that are started when they are needed, used again, and replaced when they end. How a driver is
 * stopped is its policy: SQLite has several processes with one statement each, which are killed; DuckDB has one with
 * several statements, which are interrupted.
 */
export function createProcessPool<T extends DriverTalk>(options: ProcessPoolOptions<T>): ProcessPool<T> {
  const members = new Set<Member<T>>();
  const waiting: Waiter<T>[] = [];
  const committing = new Set<Promise<unknown>>();
  const closing = new AbortController();
  /** Starts that are under way, and those of them whose process is not there yet. */
  let starting = 0;
  let forking = 0;
  /** Set while requests wait; when it runs out, it is crowded. */
  let waitTimer: NodeJS.Timeout | undefined;
  let isCrowded = false;
  let crowdedMs: number = CROWDED_MS.least;
  let arrivals = 0;
  let closed: Promise<void> | undefined;

  const isBusy = ({ leases }: Member<T>): boolean => leases.size > 0;
  const memberOf = (lease: Lease<T>): Member<T> | undefined => [...members].find(({ leases }) => leases.has(lease));

  const serve = (): void => {
    if (closing.signal.aborted) return;
    for (let waiter = waiting[0]; waiter !== undefined; waiter = waiting[0]) {
      const used = [...members].reduce((count, { leases }) => count + leases.size, 0);
      if (used >= options.processes * options.perProcess) return;
      const free = [...members].findLast(
        ({ isReady, process, leases }) => isReady && process.isUsable && leases.size < options.perProcess,
      );
      if (free === undefined) break;
      waiting.shift();
      clearTimeout(free.idle);
      const lease: Lease<T> = { process: free.process };
      free.leases.add(lease);
      free.process.keepAlive(true);
      waiter.give(lease);
    }
    // One that is retired only ends what it has; one that was killed holds its place until it is gone.
    const taken = [...members].filter(({ process, leases }) => !(process.isRetired && leases.size > 0)).length;
    const room = options.processes - taken - forking;
    const wanted = Math.ceil(waiting.length / options.perProcess) - starting;
    noteWaiting();
    if (taken + forking > 0 && !isCrowded) return;
    for (let count = Math.min(room, wanted); count > 0; count -= 1) void start();
  };

  const noteWaiting = (): void => {
    if (waiting.length === 0) {
      clearTimeout(waitTimer);
      waitTimer = undefined;
      isCrowded = false;
    } else
      waitTimer ??= setTimeout(() => {
        isCrowded = true;
        serve();
      }, crowdedMs).unref();
  };

  const start = async (): Promise<void> => {
    starting += 1;
    const latest = arrivals;
    const begun = performance.now();
    try {
      const member = await fork();
      await member.process.ready;
      member.isReady = true;
      crowdedMs = Math.min(CROWDED_MS.most, Math.max(CROWDED_MS.least, performance.now() - begun));
      rest(member);
    } catch (thrown) {
      // None of those who waited would have more luck: the file or the driver is missing, or processes cannot be started.
      // Who has come since then has a start of his own.
      while ((waiting[0]?.number ?? Number.POSITIVE_INFINITY) <= latest) waiting.shift()?.fail(thrown);
    }
    starting -= 1;
    serve();
  };

  const fork = async (): Promise<Member<T>> => {
    forking += 1;
    try {
      const process = await options.start();
      const member: Member<T> = { process, leases: new Set(), isReady: false, idle: undefined };
      members.add(member);
      if (closing.signal.aborted) process.kill();
      void process.exited.then(() => {
        members.delete(member);
        clearTimeout(member.idle);
        serve();
      });
      return member;
    } finally {
      forking -= 1;
    }
  };

  /** It has no request: it does not keep the caller's process alive, and ends after a while. */
  const rest = (member: Member<T>): void => {
    member.process.keepAlive(false);
    clearTimeout(member.idle);
    member.idle = setTimeout(() => member.process.dismiss(), options.idleTimeoutMs);
    member.idle.unref();
  };

  const closeAll = async (): Promise<void> => {
    closing.abort(closedError(options.name));
    for (const waiter of waiting.splice(0)) waiter.fail(closing.signal.reason);
    if (committing.size > 0) await within(CLOSE_TIMEOUT_MS, Promise.allSettled(committing));
    const exits = [...members].map(({ process }) => process.exited);
    for (const member of members) {
      clearTimeout(member.idle);
      // One that rests closes its database in peace.
      if (isBusy(member) || !member.isReady) member.process.kill();
      else member.process.dismiss();
    }
    await within(CLOSE_TIMEOUT_MS, Promise.all(exits));
    for (const { process } of members) process.kill();
    await within(KILL_WAIT_MS, Promise.all(exits));
  };

  return {
    options,
    closing: closing.signal,
    get pids() {
      return [...members].flatMap(({ process: { pid } }) => (pid === undefined ? [] : [pid]));
    },
    warmUp() {
      if (members.size + starting === 0 && !closing.signal.aborted) void start();
    },
    async lease(signal) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Lease<T>>();
      arrivals += 1;
      const waiter = { number: arrivals, give: resolve, fail: reject };
      const leave = (): void => {
        const index = waiting.indexOf(waiter);
        if (index < 0) return;
        waiting.splice(index, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(waiter);
      serve();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
    leavingBeside(lease) {
      if (options.starves === undefined) return [];
      return [...(memberOf(lease)?.leases ?? [])].flatMap((other) =>
        other === lease || other.leaving === undefined ? [] : [other.leaving],
      );
    },
    release(lease) {
      const member = memberOf(lease);
      if (member === undefined) return;
      member.leases.delete(lease);
      if (!isBusy(member)) {
        if (member.process.isUsable && !closing.signal.aborted) rest(member);
        else member.process.kill();
      }
      serve();
    },
    giveUp(lease) {
      const member = memberOf(lease);
      if (member === undefined) return;
      member.leases.delete(lease);
      if (options.isExclusive === true || !isBusy(member)) member.process.kill();
      else member.process.retire();
      serve();
    },
    holdClose(done) {
      committing.add(done);
      void done.finally(() => committing.delete(done));
    },
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}
