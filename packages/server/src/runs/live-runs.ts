import { type EventSink, iterateEvents, type Outcome } from '@askema/core';
import type { EventIteration } from './event-iteration.ts';

/** What a run is begun with. */
export interface LiveRunParts {
  /** Fires when nobody reads any more, and when the run is cancelled. */
  readonly signal: AbortSignal;
  readonly onEvent: EventSink;
  /** Called once the run will outlive the process; what goes wrong before is no outcome. */
  readonly accepted: () => void;
}

/** A reader of a run. */
export interface RunReader<T = Outcome> {
  /** Resolves when the run was accepted; rejects with why it was not. */
  readonly accepted: Promise<void>;
  /** From now on. */
  readonly events: EventIteration<T>;
  readonly result: Promise<T>;
}

interface LiveRun<T> {
  readonly controller: AbortController;
  readonly listeners: Set<EventSink>;
  readonly accepted: Promise<void>;
  readonly result: Promise<T>;
  readers: number;
  isCancelled: boolean;
}

/** The runs that are under way in this process. Several may read one; when all have gone, it is stopped. */
export class LiveRuns<T = Outcome> {
  readonly #runs = new Map<string, LiveRun<T>>();

  /** Joins the run of this key, or starts it. The reader leaves when `signal` fires. */
  join(key: string, signal: AbortSignal, start: (parts: LiveRunParts) => Promise<T>): RunReader<T> {
    const known = this.#runs.get(key);
    // One that is being stopped because all had left is no answer for who comes back: it goes on behind that.
    const isLeft = known?.controller.signal.aborted === true && !known.isCancelled;
    const run = known === undefined || isLeft ? this.#start(key, start, known?.result) : known;
    run.readers += 1;
    const leave = (): void => {
      run.readers -= 1;
      if (run.readers === 0) run.controller.abort();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    const forget = (): void => signal.removeEventListener('abort', leave);
    run.result.then(forget, forget);
    const events = iterateEvents((onEvent) => {
      run.listeners.add(onEvent);
      return run.result.finally(() => run.listeners.delete(onEvent));
    });
    // Whoever does not look at the events looks at the result.
    events.result.catch(() => undefined);
    return { accepted: run.accepted, result: run.result, events };
  }

  isRunning(key: string): boolean {
    return this.#runs.has(key);
  }

  /** Stops a run and waits for what it comes to; undefined where it does not run here. */
  async cancel(key: string): Promise<T | undefined> {
    const run = this.#runs.get(key);
    if (run === undefined) return undefined;
    run.isCancelled = true;
    run.controller.abort();
    return run.result;
  }

  /** Whether somebody has said that it shall stop, rather than left. */
  isCancelled(key: string): boolean {
    return this.#runs.get(key)?.isCancelled === true;
  }

  get count(): number {
    return this.#runs.size;
  }

  #start(key: string, start: (parts: LiveRunParts) => Promise<T>, behind: Promise<unknown> | undefined): LiveRun<T> {
    const controller = new AbortController();
    const listeners = new Set<EventSink>();
    const { promise: accepted, resolve, reject } = Promise.withResolvers<void>();
    const onEvent: EventSink = (event) => {
      for (const listener of listeners) listener(event);
    };
    const result = (async () => {
      await behind?.catch(() => undefined);
      return start({ signal: controller.signal, onEvent, accepted: resolve });
    })();
    result.then(() => resolve(), reject);
    accepted.catch(() => undefined);
    const run: LiveRun<T> = { controller, listeners, accepted, result, readers: 0, isCancelled: false };
    this.#runs.set(key, run);
    const over = (): void => {
      if (this.#runs.get(key) === run) this.#runs.delete(key);
    };
    result.then(over, over);
    return run;
  }
}
