import type { CallLimits } from '@askema/core';

/**
 * Limits that are over as well when the adapter is closed: `closing` fires then, with the error of its callers as its reason. Its `release` releases
 * the limits it was made of.
 */
export function untilClosed(limits: CallLimits, closing: AbortSignal): CallLimits {
  const controller = new AbortController();
  const { signal } = controller;
  const onClose = (): void => controller.abort(closing.reason);
  const onOver = (): void => controller.abort(limits.error());
  closing.addEventListener('abort', onClose, { once: true });
  limits.signal.addEventListener('abort', onOver, { once: true });
  if (limits.signal.aborted) onOver();
  if (closing.aborted) onClose();
  const throwIfOver = (): void => {
    if (signal.aborted) throw signal.reason;
  };
  return {
    signal,
    error: () => signal.reason,
    throwIfOver,
    race: async (promise) => {
      throwIfOver();
      let stop = (): void => undefined;
      const over = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
      });
      over.catch(() => undefined);
      promise.catch(() => undefined);
      try {
        return await Promise.race([over, promise]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    remainingMs: limits.remainingMs,
    onOver: (stop) => {
      const stopQuietly = (): void => {
        try {
          stop();
        } catch {
          // The caller hears why it is over.
        }
      };
      if (signal.aborted) stopQuietly();
      else signal.addEventListener('abort', stopQuietly, { once: true });
    },
    release: () => {
      closing.removeEventListener('abort', onClose);
      limits.signal.removeEventListener('abort', onOver);
      limits.release();
    },
  };
}
