import type { EventSink, RunEvent } from './run-event.ts';

/** Stands where events were dropped, because whoever iterates was slower than the run. */
interface EventsDropped {
  readonly type: 'events-dropped';
  /** How many, in a row. */
  readonly count: number;
}

export interface IterateEventsOptions {
  /** Events that wait at most; 1000 by default. Beyond it the oldest ones are dropped. */
  readonly limit?: number | undefined;
}

/** The events of a run, to be iterated once, and what the run resolves with. */
export interface EventIteration<T> extends AsyncIterable<RunEvent | EventsDropped> {
  readonly result: Promise<T>;
}

/**
 * Starts a run and gives its events one by one. The run never waits for the loop: at most `limit` events are kept, and
 * where some were dropped, the loop is told how many. A run that rejects ends the loop with its error, after its last
 * event. Leaving the loop does not stop the run; its signal does.
 *
 * ```ts
 * const run = iterateEvents((onEvent) => flow.run(state, deps, { onEvent }));
 * for await (const event of run) render(event);
 * const result = await run.result;
 * ```
 */
export function iterateEvents<T>(
  start: (onEvent: EventSink) => Promise<T>,
  options: IterateEventsOptions = {},
): EventIteration<T> {
  const buffer = new EventBuffer(options.limit ?? 1000);
  const result = start((event) => buffer.push(event));
  result.then(
    () => buffer.finish(undefined),
    (error: unknown) => buffer.finish({ error }),
  );
  return { result, [Symbol.asyncIterator]: () => buffer.iterate() };
}

/** A queue with a limit, and at most one reader. */
class EventBuffer {
  readonly #limit: number;
  #events: (RunEvent | undefined)[] = [];
  /** The first event that has not been read. */
  #head = 0;
  #dropped = 0;
  #left = false;
  #finished: { readonly failure: { readonly error: unknown } | undefined } | undefined;
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  push(event: RunEvent): void {
    if (this.#left) return;
    this.#events.push(event);
    if (this.#events.length - this.#head > this.#limit) {
      this.#take();
      this.#dropped += 1;
    }
    this.#wake?.();
  }

  finish(failure: { readonly error: unknown } | undefined): void {
    this.#finished = { failure };
    this.#wake?.();
  }

  async *iterate(): AsyncGenerator<RunEvent | EventsDropped, void, undefined> {
    try {
      for (;;) {
        if (this.#dropped > 0) {
          const count = this.#dropped;
          this.#dropped = 0;
          yield { type: 'events-dropped', count };
        } else if (this.#head < this.#events.length) {
          const event = this.#take();
          if (event !== undefined) yield event;
        } else if (this.#finished !== undefined) {
          if (this.#finished.failure !== undefined) throw this.#finished.failure.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.#left = true;
      this.#events = [];
      this.#head = 0;
    }
  }

  /** Takes the oldest event out; the array is cut now and then, so that taking costs the same however long it is. */
  #take(): RunEvent | undefined {
    const event = this.#events[this.#head];
    this.#events[this.#head] = undefined;
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
    return event;
  }
}
