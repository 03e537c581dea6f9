import type { CallEvent, Clock, EventSink, RunEvent, SerializedError } from '@askema/core';

/** What a conversation does beside asking questions, as events name it. */
type TurnStep = 'read-message' | 'run-statement' | 'summarize';

/** Tells of one of these steps, in the form of a step of a run. */
export interface StepEvents {
  call(event: CallEvent): void;
  started(): void;
  finished(kind: string): void;
  failed(error: SerializedError): void;
}

export function stepEvents(
  step: TurnStep,
  place: { readonly runId: string; readonly path: string; readonly turn: number },
  clock: Clock,
  listeners: readonly (EventSink | undefined)[],
): StepEvents {
  const { runId, path, turn } = place;
  const startedAt = clock.now();
  let calls = 0;
  const emit = toAll(listeners);
  const base = () => ({ runId, path, spanId: step, at: clock.now() });
  const elapsedMs = (): number => clock.now() - startedAt;
  return {
    call({ type, data }) {
      calls += 1;
      emit({ ...base(), spanId: `${step}-${calls}`, parentSpanId: step, type: 'call', call: type, data });
    },
    started: () => emit({ ...base(), type: 'step-started', step, visit: turn }),
    finished: (action) =>
      emit({ ...base(), type: 'step-finished', step, action, elapsedMs: elapsedMs(), replayed: false }),
    failed: (error) => emit({ ...base(), type: 'step-failed', step, error, elapsedMs: elapsedMs() }),
  };
}

/** A listener that passes each event on to several. */
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
