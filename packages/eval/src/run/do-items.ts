import {
  AskemaError,
  checkWhole,
  inProcessRunner,
  invalidOption,
  isAskemaError,
  type JobHandle,
  type Jobs,
  type Runner,
} from '@askema/core';
import type { StoredResult } from './results-store.ts';

interface ItemsOptions<Item, Result extends StoredResult> {
  /** Those without a result, in the order in which they are to be done. */
  readonly items: readonly Item[];
  readonly enqueue: (item: Item) => Promise<JobHandle<Result>>;
  /** The result of an item whose job failed itself: a worker that died with it too often, for example. */
  readonly failed: (item: Item, thrown: unknown) => Result;
  /** Puts a result on the disk. */
  readonly write: (result: Result) => Promise<void>;
  /** Items that are enqueued and have no result yet, at most. */
  readonly ahead: number;
  readonly spentUsd: () => number;
  readonly budgetUsd: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Does items through a runner, and writes their results as they come. Resolves with why it ended early: `budget` when
 * what is spent reached the budget before all were begun (those that were are waited for), `signal` when it was told to
 * stop.
 *
 * @throws what `enqueue` and `write` throw, after the items that were begun have ended: a queue or a disk that is gone
 * ends a run.
 */
export async function doItems<Item, Result extends StoredResult>(
  options: ItemsOptions<Item, Result>,
): Promise<'budget' | 'signal' | undefined> {
  const { signal } = options;
  const underWay = new Set<Promise<void>>();
  let broken: { readonly thrown: unknown } | undefined;
  const stop = abortOf(signal);

  const finish = async (item: Item, handle: JobHandle<Result>): Promise<void> => {
    let result: Result;
    try {
      result = await stop.orEnd(handle.result);
    } catch (thrown) {
      // Somebody stopped the job: it has no result, and the next start does it.
      if (signal?.aborted || (isAskemaError(thrown) && thrown.code === 'ABORTED')) return;
      result = options.failed(item, thrown);
    }
    await options.write(result);
  };
  const begin = async (item: Item): Promise<void> => {
    const handle = await options.enqueue(item);
    const work = finish(item, handle)
      .catch((thrown: unknown) => {
        broken ??= { thrown };
      })
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };

  let stopped: 'budget' | 'signal' | undefined;
  try {
    for (const item of options.items) {
      while (underWay.size >= options.ahead) await Promise.race(underWay);
      if (broken !== undefined || signal?.aborted) break;
      if (options.budgetUsd !== undefined && options.spentUsd() >= options.budgetUsd) {
        stopped = 'budget';
        break;
      }
      await begin(item);
    }
  } catch (thrown) {
    if (!signal?.aborted) broken ??= { thrown };
  }
  await Promise.all(underWay);
  stop.end();
  if (broken !== undefined) throw broken.thrown;
  return signal?.aborted ? 'signal' : stopped;
}

/**
 * The runner of a run: the one that is asked for, or one in this process that keeps no results, because the folder
 * does.
 */
export async function openRunner<Known extends Jobs>(
  jobs: Known,
  make: ((jobs: Known, concurrency: number) => Promise<Runner<Known>>) | undefined,
  concurrency: number,
): Promise<Runner<Known>> {
  if (make !== undefined) return make(jobs, concurrency);
  return inProcessRunner({ jobs, concurrency, remember: false });
}

/**
 * How many items are enqueued ahead. In this process no more than are done at a time. A durable queue gets all at once,
 * so that others can work on when this process is gone; with a budget a few rounds, because what is queued is not taken
 * back.
 */
export function aheadOf(options: {
  readonly concurrency: number;
  readonly durable: boolean;
  readonly budgetUsd: number | undefined;
}): number {
  if (!options.durable) return options.concurrency;
  return options.budgetUsd === undefined ? Number.POSITIVE_INFINITY : options.concurrency * 4;
}

/** @throws AskemaError `CONFIG_INVALID`. */
export function checkRunOptions(options: {
  readonly concurrency: number;
  readonly budgetUsd: number | undefined;
  readonly runId: string | undefined;
}): void {
  const { concurrency, budgetUsd, runId } = options;
  checkWhole('concurrency', concurrency);
  if (budgetUsd !== undefined && !(Number.isFinite(budgetUsd) && budgetUsd > 0))
    throw invalidOption(`\`budgetUsd\` is ${budgetUsd}; it must be a number of dollars above 0.`);
  if (runId !== undefined && !/^[A-Za-z0-9._-]{1,100}$/.test(runId))
    throw invalidOption('`runId` must be 1 to 100 of these characters: letters, digits, `.`, `_` and `-`.');
}

/**
 * Lets go of what is waited for when the signal fires. One race with a promise that lasts as long as the run would keep
 * every result.
 */
function abortOf(signal: AbortSignal | undefined): { orEnd<T>(pending: Promise<T>): Promise<T>; end(): void } {
  const waiting = new Set<(error: AskemaError) => void>();
  const onAbort = (): void => {
    for (const reject of waiting) reject(new AskemaError('ABORTED', 'The run was stopped.'));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    orEnd: (pending) =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        pending.then(resolve, reject).finally(() => waiting.delete(reject));
        if (signal?.aborted) onAbort();
      }),
    end: () => signal?.removeEventListener('abort', onAbort),
  };
}

/** How long a run takes until its end, at the pace that it has had since this start. */
interface Pace {
  /** One more is done. */
  step(): void;
  read(): { readonly elapsedMs: number; readonly remainingMs: number | undefined };
}

/** `left` is how many are to be done in this start. */
export function startPace(left: number, now: () => number): Pace {
  const started = now();
  let done = 0;
  return {
    step() {
      done += 1;
    },
    read() {
      const elapsedMs = now() - started;
      if (left === 0) return { elapsedMs, remainingMs: 0 };
      const remainingMs = done === 0 ? undefined : Math.round((elapsedMs / done) * Math.max(0, left - done));
      return { elapsedMs, remainingMs };
    },
  };
}

/**
 * The same on every start and every machine; a further attempt has another one, so that its failure is not found again.
 */
export function jobId(runId: string, itemId: string, attempt: number): string {
  return `${runId}-${itemId}${attempt === 1 ? '' : `-attempt-${attempt}`}`;
}

/**
 * Closes the runner when the signal fires, or when it is told to; once. One that cannot be closed is no reason to lose
 * what was done.
 */
export function stopsWith<Known extends Jobs>(
  signal: AbortSignal | undefined,
  runner: Runner<Known>,
): { close(): Promise<void> } {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= runner.close().catch(() => {});
    return closing;
  };
  const onAbort = (): void => void close();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    close() {
      signal?.removeEventListener('abort', onAbort);
      return close();
    },
  };
}
