import { abortedError, throwIfAborted } from '../errors/askema-error.ts';
import { MAX_TIMER_MS } from '../errors/check-option.ts';
import type { Logger, Runtime } from './runtime.ts';

/**
 * The clock, timers and randomness of this machine, and a logger that says nothing. What is given in `overrides`
 * replaces its part.
 */
export function systemRuntime(overrides: Partial<Runtime> = {}): Runtime {
  return {
    clock: overrides.clock ?? { now: () => Date.now() },
    sleep: overrides.sleep ?? sleepOnTimer,
    random: overrides.random ?? Math.random,
    logger: overrides.logger ?? SILENT,
  };
}

const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {} };

async function sleepOnTimer(delayMs: number, signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal, 'The wait');
  let remainingMs = delayMs;
  while (remainingMs > MAX_TIMER_MS) {
    await timer(MAX_TIMER_MS, signal);
    remainingMs -= MAX_TIMER_MS;
  }
  if (remainingMs > 0) await timer(remainingMs, signal);
}

function timer(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(handle);
      reject(abortedError('The wait', signal?.reason));
    };
    const handle = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
