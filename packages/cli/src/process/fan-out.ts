import type { EventSink } from '@askema/core';

/** Tells several listeners. One that fails, at once or later, neither keeps an event from the others nor ends the command. */
export function fanOut(sinks: readonly (EventSink | undefined)[]): EventSink {
  return (event) => {
    // An asynchronous function is taken for a listener, too.
    for (const sink of sinks) void (async (): Promise<unknown> => sink?.(event))().catch(() => undefined);
  };
}
