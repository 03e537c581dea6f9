/** Work that is done again and again, the pause after it. */
export interface Repeated {
  /** Resolves when the work that is going on has ended. */
  stop(): Promise<void>;
}

/** Begins at once. What the work rejects with goes to `onError`, and the next time it is tried again. */
export function repeat(work: () => Promise<void>, pauseMs: number, onError: (thrown: unknown) => void): Repeated {
  const stopped = new AbortController();
  const going = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await work();
      } catch (thrown) {
        if (!stopped.signal.aborted) onError(thrown);
      }
      await pause(pauseMs, stopped.signal);
    }
  })();
  return {
    stop() {
      stopped.abort();
      return going;
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
