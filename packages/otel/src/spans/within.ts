import { type Context, context } from '@opentelemetry/api';
import type { Watcher } from './watch.ts';

/** Calls with a context active, so that what the call does stands below its span. */
export function callWithin<T>(active: Context | undefined, call: () => Promise<T>, watcher?: Watcher<T>): Promise<T> {
  return watcher === undefined ? within(active, call) : watched(() => within(active, call), watcher);
}

async function watched<T>(call: () => Promise<T>, watcher: Watcher<T>): Promise<T> {
  try {
    const result = await call();
    watcher.seen?.(result);
    return result;
  } catch (error) {
    watcher.failed(error);
    throw error;
  } finally {
    watcher.end();
  }
}

/** The same for what is read bit by bit. Written by hand: a generator around a generator takes longer than all the rest. */
export function readWithin<T>(
  active: Context | undefined,
  open: () => AsyncIterable<T>,
  watcher?: Watcher<T>,
): AsyncIterator<T> {
  if (active === undefined && watcher === undefined) return open()[Symbol.asyncIterator]();
  let inner: AsyncIterator<T> | undefined;
  const next = (): Promise<IteratorResult<T>> =>
    within(active, () => {
      inner ??= open()[Symbol.asyncIterator]();
      return inner.next();
    });
  const leave = async (): Promise<IteratorResult<T>> =>
    (await within(active, () => inner?.return?.())) ?? { done: true, value: undefined };
  if (watcher === undefined) return { next, return: leave };
  let isOver = false;
  const end = (): void => {
    if (!isOver) watcher.end();
    isOver = true;
  };
  const told = async (work: () => Promise<IteratorResult<T>>): Promise<IteratorResult<T>> => {
    try {
      const result = await work();
      if (result.done === true) end();
      else watcher.seen?.(result.value);
      return result;
    } catch (error) {
      if (!isOver) watcher.failed(error);
      end();
      throw error;
    }
  };
  return { next: () => told(next), return: () => told(leave) };
}

function within<T>(active: Context | undefined, call: () => T): T {
  return active === undefined ? call() : context.with(active, call);
}
