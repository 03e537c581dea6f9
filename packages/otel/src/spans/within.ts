import { type Context, context } from '@opentelemetry/api';

/** Reads an iterable with a context active, so that what the reading does nests below its span. */
export function within<T>(active: Context, open: () => AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const inner = context.with(active, () => open()[Symbol.asyncIterator]());
      return {
        next: () => context.with(active, () => inner.next()),
        return: async (value) =>
          (await context.with(active, () => inner.return?.(value))) ?? { done: true, value: undefined },
      };
    },
  };
}
