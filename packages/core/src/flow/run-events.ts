import type { EventBase, EventSink, RunEvent } from '../events/run-event.ts';
import type { Clock } from '../ports/runtime.ts';

/** Where an event belongs: ids count up within one process's part of a run. */
export interface RunSpan {
  readonly id: string;
  readonly parent: RunSpan | undefined;
  readonly path: string;
}

type Payload<Event> = Event extends EventBase ? Omit<Event, keyof EventBase> : never;

/** An event without what the engine adds to it. */
export type EventPayload = Payload<RunEvent>;

/** Sends events of one run to its sink. Only made when somebody listens. */
export class RunEvents {
  readonly #runId: string;
  readonly #sink: EventSink;
  readonly #clock: Clock;
  #spans = 0;

  constructor(runId: string, sink: EventSink, clock: Clock) {
    this.#runId = runId;
    this.#sink = sink;
    this.#clock = clock;
  }

  open(path: string, parent: RunSpan | undefined): RunSpan {
    this.#spans += 1;
    return { id: String(this.#spans), parent, path };
  }

  now(): number {
    return this.#clock.now();
  }

  emit(span: RunSpan, payload: EventPayload): void {
    const { id, parent, path } = span;
    const runId = this.#runId;
    const at = this.#clock.now();
    const base: EventBase =
      parent === undefined ? { runId, spanId: id, path, at } : { runId, spanId: id, parentSpanId: parent.id, path, at };
    // Measured: a third of the time that a literal with two spreads takes.
    const event: RunEvent = Object.assign(base, payload);
    try {
      const returned: unknown = this.#sink(event);
      // A sink may be an async function: its rejection must not end the process.
      if (returned instanceof Promise) returned.catch(() => {});
    } catch {
      // A listener that fails must not change what it listens to.
    }
  }
}
