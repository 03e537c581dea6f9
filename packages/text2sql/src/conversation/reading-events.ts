import type { CallEvent, Clock, EventSink, RunEvent, SerializedError } from '@askema/core';

/** The step that the events of reading a message tell of. */
const STEP = 'read-message';

/** Tells of the reading of one message, in the form of a step of a run. */
export interface ReadingEvents {
  call(event: CallEvent): void;
  started(): void;
  finished(kind: string): void;
  failed(error: SerializedError): void;
}

export function readingEvents(
  place: { readonly runId: string; readonly path: string; readonly turn: number },
  clock: Clock,
  listeners: readonly (EventSink | undefined)[],
): ReadingEvents {
  const { runId, path, turn } = place;
  const startedAt = clock.now();
  const span = 'read';
  let calls = 0;
  const emit = toAll(listeners);
  const base = () => ({ runId, path, spanId: span, at: clock.now() });
  const elapsedMs = (): number => clock.now() - startedAt;
  return {
    call({ type, data }) {
      calls += 1;
      emit({ ...base(), spanId: `${span}-${calls}`, parentSpanId: span, type: 'call', call: type, data });
    },
    started: () => emit({ ...base(), type: 'step-started', step: STEP, visit: turn }),
    finished: (action) =>
      emit({ ...base(), type: 'step-finished', step: STEP, action, elapsedMs: elapsedMs(), replayed: false }),
    failed: (error) => emit({ ...base(), type: 'step-failed', step: STEP, error, elapsedMs: elapsedMs() }),
  };
}

/** A listener that tells several ones. */
export function toAll(listeners: readonly (EventSink | undefined)[]): EventSink {
  return (event: RunEvent) => {
    for (const listener of listeners) {
      try {
        const returned: unknown = listener?.(event);
        if (returned instanceof Promise) returned.catch(() => undefined);
      } catch {
        // A listener that fails must not change what it listens to, nor what others hear.
      }
    }
  };
}
