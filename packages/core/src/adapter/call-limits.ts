import { AskemaError, abortedError } from '../errors/askema-error.ts';
import { MAX_TIMER_MS } from '../errors/check-option.ts';

export interface CallLimitsOptions {
  /** The whole call; undefined for none, 0 for over before it begins. */
  readonly timeoutMs?: number | undefined;
  /** The caller's. */
  readonly signal?: AbortSignal | undefined;
  /** Begins the messages: "The query". */
  readonly what: string;
  /** The statement that runs, for the error. Without one, no advice speaks of statements. */
  readonly sql?: string | undefined;
  /** `sql` is planned and does not run: a filter or a LIMIT would not help. */
  readonly onlyPlans?: boolean | undefined;
}

/** The two things that end a call early, as one: the caller's abort and the call's own deadline. */
export interface CallLimits {
  /** Fires at the deadline or on abort, whichever comes first; its reason is the {@link AskemaError} to throw. */
  readonly signal: AbortSignal;
  /** `ABORTED` or `QUERY_TIMEOUT` once one of the two has happened. */
  error(): AskemaError | undefined;
  /** Throws {@link CallLimits.error} once there is one. */
  throwIfOver(): void;
  /**
   * Rejects with {@link CallLimits.error} when that is there already or comes before `promise` is settled; what
   * `promise` does later is nobody's concern.
   */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Milliseconds that are left, at least 0; Infinity without a deadline. */
  remainingMs(): number;
  /** Calls `stop` once, when the limits are over; at once when they already are. What it throws is dropped. */
  onOver(stop: () => void): void;
  /** Forgets timer and listeners. Must be called. */
  release(): void;
}

/**
 * Starts the clock of a call. What an adapter runs is stopped on the server by `onOver`; the caller hears `ABORTED`
 * (the caller's signal) or `QUERY_TIMEOUT` (the own deadline), as `QueryExecutor` promises.
 */
export function startLimits(options: CallLimitsOptions): CallLimits {
  const { timeoutMs, signal, what } = options;
  const controller = new AbortController();
  const started = performance.now();
  const end = (error: AskemaError): void => controller.abort(error);
  const onAbort = (): void => end(abortedError(what, signal?.reason));
  const timer =
    timeoutMs === undefined || timeoutMs <= 0 || timeoutMs > MAX_TIMER_MS
      ? undefined
      : setTimeout(() => end(timeoutError(timeoutMs, options)), timeoutMs);
  if (signal?.aborted) onAbort();
  else if (timeoutMs !== undefined && timeoutMs <= 0) end(timeoutError(timeoutMs, options));
  else signal?.addEventListener('abort', onAbort);
  const error = (): AskemaError | undefined => controller.signal.reason as AskemaError | undefined;
  return {
    signal: controller.signal,
    error,
    throwIfOver: () => {
      if (controller.signal.aborted) throw error();
    },
    race: (promise) => raceSignal(promise, controller.signal),
    remainingMs: () =>
      timeoutMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, timeoutMs - (performance.now() - started)),
    onOver: (stop) => {
      const stopQuietly = (): void => {
        try {
          stop();
        } catch {
          // The caller hears of the limit; thrown in a listener this would end the process.
        }
      };
      if (controller.signal.aborted) stopQuietly();
      else controller.signal.addEventListener('abort', stopQuietly, { once: true });
    },
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** The error of an own deadline. */
export function timeoutError(
  timeoutMs: number,
  { what, sql, onlyPlans = false }: Omit<CallLimitsOptions, 'timeoutMs' | 'signal'>,
): AskemaError {
  const advice =
    sql === undefined || onlyPlans
      ? 'Allow more time with `timeoutMs`.'
      : 'Narrow it with a filter or a LIMIT, or allow more time with `timeoutMs`.';
  return new AskemaError('QUERY_TIMEOUT', `${what} did not end within ${timeoutMs} ms and was given up. ${advice}`, {
    details: { sql, errorClass: 'timeout' },
  });
}

/**
 * Rejects with the reason of the signal when that has fired or fires first. Unlike `Promise.race` with a promise that
 * lives long, it keeps nothing of a `promise` that was settled.
 */
export function raceSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    // In this order: what is over stays over, even for a promise that is settled already.
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener('abort', stop);
        resolve(value);
      },
      (reason: unknown) => {
        signal.removeEventListener('abort', stop);
        reject(reason);
      },
    );
  });
}
