import { MAX_TIMER_MS } from '../../errors/check-option.ts';

/** One signal for one call of a provider: it fires when the caller aborts or when the call's own time is over. */
export interface CallDeadline {
  readonly signal: AbortSignal;
  /** Why the signal fired; undefined while it has not. The first reason wins. */
  stoppedBy(): 'caller' | 'deadline' | 'end' | undefined;
  /**
   * Fires the signal, so that whatever still runs is stopped, and lets go of timer and listener. Call it when the call
   * is over.
   */
  end(): void;
}

/**
 * Starts the clock of a call. `timeoutMs` covers the whole call, from the first byte sent to the last one received;
 * about 25 days or more, and `Infinity`, mean no deadline.
 */
export function startCallDeadline(options: {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}): CallDeadline {
  const controller = new AbortController();
  let reason: 'caller' | 'deadline' | 'end' | undefined;
  const stop = (why: 'caller' | 'deadline' | 'end') => {
    reason ??= why;
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
    controller.abort();
  };
  const onAbort = () => stop('caller');
  const timer = options.timeoutMs < MAX_TIMER_MS ? setTimeout(() => stop('deadline'), options.timeoutMs) : undefined;
  if (options.signal?.aborted) stop('caller');
  else options.signal?.addEventListener('abort', onAbort, { once: true });
  return { signal: controller.signal, stoppedBy: () => reason, end: () => stop('end') };
}
