import { abortedError, type CallContext } from '@askema/core';

/** Work that several callers wait for: each by its own signal. It stops when the last of them has been stopped. */
export type SharedWork<T> = (context: CallContext) => Promise<T>;

/** Begins it, with the context of the first. `onStop` is called when nobody waits for it any more. */
export function shareWork<T>(
  context: CallContext,
  begin: (context: CallContext) => Promise<T>,
  onStop: () => void,
): SharedWork<T> {
  const stop = new AbortController();
  const work = begin({ ...context, signal: stop.signal });
  work.catch(() => undefined);
  let waiting = 0;
  return ({ signal }) => {
    if (signal === undefined) {
      waiting = Number.POSITIVE_INFINITY;
      return work;
    }
    waiting += 1;
    const aborted = Promise.withResolvers<never>();
    const leave = (): void => {
      waiting -= 1;
      if (waiting === 0) {
        onStop();
        stop.abort(signal.reason);
      }
      aborted.reject(abortedError('Reading the catalog', signal.reason));
    };
    signal.addEventListener('abort', leave, { once: true });
    return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', leave));
  };
}
