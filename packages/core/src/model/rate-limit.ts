import { AskemaError, abortedError, throwIfAborted } from '../errors/askema-error.ts';
import { checkWhole } from '../errors/check-option.ts';
import type { Runtime } from '../ports/runtime.ts';
import { systemRuntime } from '../ports/system-runtime.ts';
import { type RateDelay, RateWindow, type SentCall } from './rate-window.ts';

/** What `createRateLimit` and `withRateLimit` take. */
export interface RateLimitOptions {
  /** Calls in any 60 seconds. */
  readonly requestsPerMinute?: number | undefined;
  /** Input and output tokens in any 60 seconds. */
  readonly tokensPerMinute?: number | undefined;
  readonly runtime?: Partial<Pick<Runtime, 'clock' | 'sleep'>> | undefined;
}

/**
 * What a vendor lets through in a minute, counted over all models and calls that share it. Made by
 * {@link createRateLimit}.
 */
export interface RateLimit {
  /**
   * Waits for its turn, first come, first served, and until a call of about so many tokens fits. `onWait` is told once
   * for each reason. Rejects with `ABORTED` as soon as the signal fires.
   */
  enter(tokens: number, signal: AbortSignal | undefined, onWait: (delay: RateDelay) => void): Promise<EnteredCall>;
  /** No further call is sent for so long: the vendor asked for it. */
  pause(delayMs: number): void;
}

/** A call that may be sent. It must be settled when it has ended, however it ended. */
export interface EnteredCall {
  readonly waitedMs: number;
  settle(inputTokens: number, outputTokens: number): void;
}

/**
 * A limit that several models share because the vendor counts them together: pass it to {@link withRateLimit} for each.
 * Keep it for as long as the models are used; it knows what was sent only of this process.
 *
 * @throws AskemaError `CONFIG_INVALID` without a limit, or for one that is not a whole number from 1.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { requestsPerMinute, tokensPerMinute } = options;
  if (requestsPerMinute === undefined && tokensPerMinute === undefined)
    throw new AskemaError('CONFIG_INVALID', 'A rate limit needs `requestsPerMinute` or `tokensPerMinute`.');
  for (const [name, value] of Object.entries({ requestsPerMinute, tokensPerMinute }))
    if (value !== undefined) checkWhole(`withRateLimit.${name}`, value);
  const { clock, sleep } = systemRuntime(options.runtime);
  const window = new RateWindow({ requestsPerMinute, tokensPerMinute });
  const changes = new Changes();
  let lastTurn: Promise<void> = Promise.resolve();

  const admit = async (tokens: number, signal: AbortSignal | undefined, onWait: (delay: RateDelay) => void) => {
    const told = new Set<RateDelay['limit']>();
    for (;;) {
      throwIfAborted(signal, 'The wait for the rate limit');
      const delay = window.delay(tokens, clock.now());
      if (delay === undefined) return window.send(tokens, clock.now());
      if (!told.has(delay.limit)) onWait(delay);
      told.add(delay.limit);
      await changes.orAfter(delay.delayMs, sleep, signal);
    }
  };

  return {
    async enter(tokens, signal, onWait) {
      const from = clock.now();
      const turn = takeTurn(lastTurn);
      lastTurn = turn.over;
      try {
        await untilAborted(turn.mine, signal);
        const sent: SentCall = await admit(tokens, signal, onWait);
        return {
          waitedMs: clock.now() - from,
          settle(inputTokens, outputTokens) {
            sent.settle(inputTokens, outputTokens, clock.now());
            changes.tell();
          },
        };
      } finally {
        turn.end();
      }
    },
    pause(delayMs) {
      window.pauseUntil(clock.now() + delayMs);
      changes.tell();
    },
  };
}

/**
 * A place behind those that came before: `mine` resolves when it is reached, `over` when it and all before it have
 * ended.
 */
function takeTurn(before: Promise<void>): { readonly mine: Promise<void>; readonly over: Promise<void>; end(): void } {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { mine: before, over: before.then(() => ended), end };
}

/** Wakes who sleeps when a call has ended: there may be room sooner than was thought. */
class Changes {
  readonly #sleepers = new Set<() => void>();

  tell(): void {
    for (const wake of this.#sleepers) wake();
  }

  /** Rejects with `ABORTED` when the signal fires. */
  async orAfter(delayMs: number, sleep: Runtime['sleep'], signal: AbortSignal | undefined): Promise<void> {
    const awake = new AbortController();
    const wake = (): void => awake.abort();
    this.#sleepers.add(wake);
    signal?.addEventListener('abort', wake, { once: true });
    try {
      if (delayMs === Number.POSITIVE_INFINITY)
        await new Promise<void>((resolve) => awake.signal.addEventListener('abort', () => resolve()));
      else await sleep(delayMs, awake.signal);
    } catch (thrown) {
      if (!awake.signal.aborted) throw thrown;
    } finally {
      this.#sleepers.delete(wake);
      signal?.removeEventListener('abort', wake);
    }
    throwIfAborted(signal, 'The wait for the rate limit');
  }
}

async function untilAborted(pending: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return pending;
  throwIfAborted(signal, 'The wait for the rate limit');
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(abortedError('The wait for the rate limit', signal.reason));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([pending, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
