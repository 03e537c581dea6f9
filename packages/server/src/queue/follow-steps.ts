import type { EventSink, Journal, JournalEntry, RunEvent, Runtime } from '@askema/core';

const PAUSE_MS = 500;

/** Steps of a run, told as they appear in its journal. */
export interface FollowedSteps {
  /** Tells no more. */
  stop(): void;
  /** Tells what is left, and then no more. */
  end(): Promise<void>;
}

/**
 * Tells the finished steps of a run that another server works on. A journal that cannot be read is tried again: whoever
 * waits for the outcome hears of it.
 */
export function followSteps(
  journal: Journal,
  run: string,
  { onEvent, runtime }: { readonly onEvent: EventSink; readonly runtime: Pick<Runtime, 'sleep'> },
): FollowedSteps {
  const stopped = new AbortController();
  const { signal } = stopped;
  let told = 0;
  const tell = async (): Promise<void> => {
    const entries = await journal.read(run).catch(() => []);
    if (signal.aborted) return;
    const behind = told;
    told = Math.max(told, entries.length);
    let since = 0;
    for (const [index, entry] of entries.entries()) {
      if (entry.kind === 'step' && index >= behind) onEvent(finished(run, entry, since));
      if (entry.kind === 'step' || entry.kind === 'run') since = entry.at;
    }
  };
  const telling = (async () => {
    while (!signal.aborted) {
      await tell();
      await runtime.sleep(PAUSE_MS, signal).catch(() => undefined);
    }
  })();
  return {
    stop: () => stopped.abort(),
    async end() {
      if (signal.aborted) return;
      await tell();
      stopped.abort();
      await telling;
    },
  };
}

function finished(
  runId: string,
  { path, at, action }: Extract<JournalEntry, { readonly kind: 'step' }>,
  since: number,
): RunEvent {
  const [, step = path] = /([^/]+)#\d+$/.exec(path) ?? [];
  return { type: 'step-finished', runId, spanId: path, path, at, step, action, elapsedMs: at - since, replayed: false };
}
