import pLimit from 'p-limit';
import { abortedError } from '../errors/askema-error.ts';
import type { Runtime } from '../ports/runtime.ts';
import { systemRuntime } from '../ports/system-runtime.ts';
import { encodeValue } from '../values/encode-value.ts';
import { CancelScope } from './cancel-scope.ts';
import type { Journal } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';
import { openResultLog, type ResultLog } from './result-log.ts';
import {
  type Job,
  type JobContext,
  type JobHandle,
  type Jobs,
  otherInputError,
  type Runner,
  unknownJobError,
} from './runner.ts';

export interface InProcessRunnerOptions<Known extends Jobs> {
  readonly jobs: Known;
  /** Jobs that run at once; 1 by default. */
  readonly concurrency?: number | undefined;
  /** Remembers results and signals across processes; without one they last as long as the runner. */
  readonly journal?: Journal | undefined;
  /**
   * Under which run id the journal keeps them; `runner` by default. Runners that share a journal need different ones.
   */
  readonly runId?: string | undefined;
  /**
   * Whether results are kept once they are handed over. False for those who keep them elsewhere: memory stays flat
   * then. Default: true.
   */
  readonly remember?: boolean | undefined;
  readonly runtime?: Partial<Runtime> | undefined;
}

interface ActiveJob {
  readonly key: string;
  readonly scope: CancelScope;
  readonly handle: JobHandle<unknown>;
}

/**
 * The {@link Runner} of one process. It opens its part of the journal at once and keeps it until `close`, so it rejects
 * with `JOURNAL_LOCKED` while another process has it.
 */
export async function inProcessRunner<const Known extends Jobs>(
  options: InProcessRunnerOptions<Known>,
): Promise<Runner<Known>> {
  const { clock } = systemRuntime(options.runtime);
  const log = await openResultLog(options.journal ?? memoryJournal(), options.runId ?? 'runner', clock);
  const limit = pLimit(options.concurrency ?? 1);
  const active = new Map<string, ActiveJob>();
  const root = new CancelScope();
  const shared = shareRunning(log);

  const start = (id: string, key: string, job: Job<never, unknown>, input: unknown): ActiveJob => {
    const scope = new CancelScope(root);
    const context = createJobContext(id, scope, log, shared);
    const throwIfCancelled = (): void => {
      if (scope.error !== undefined) throw scope.error;
    };
    const work = async (): Promise<unknown> => {
      throwIfCancelled();
      if (options.remember === false) return job(input as never, context);
      return log.run(jobPath(id), key, async () => job(input as never, context), throwIfCancelled);
    };
    const result = scope.guard(limit(work)).finally(() => {
      if (active.get(id)?.scope === scope) active.delete(id);
      scope.abandon(() => abortedError(`Job \`${id}\``));
    });
    result.catch(() => {});
    return { key, scope, handle: { id, result } };
  };

  const runner: Runner<Jobs> = {
    run: (path, key, work) => shared(`run/${path}`, key, work),
    async enqueue(name, input, { id }) {
      const job = Object.hasOwn(options.jobs, name) ? options.jobs[name] : undefined;
      if (job === undefined) throw unknownJobError(name, Object.keys(options.jobs));
      if (root.error !== undefined) throw root.error;
      const key = `${name} ${JSON.stringify(encodeValue(input))}`;
      const running = active.get(id);
      if (running !== undefined && running.key !== key) throw otherInputError(id);
      const started = running ?? start(id, key, job, input);
      active.set(id, started);
      return started.handle as never;
    },
    signal: (id, value) => log.send(jobPath(id), value),
    async cancel(id) {
      active.get(id)?.scope.cancel(abortedError(`Job \`${id}\``));
      active.delete(id);
    },
    async close() {
      const results = [...active.values()].map((job) => job.handle.result);
      root.cancel(abortedError('The runner'));
      await Promise.allSettled(results);
      await log.close();
    },
  };
  return runner as unknown as Runner<Known>;
}

/** `run` of a log, where the same work that is going on is not begun a second time. */
function shareRunning(log: ResultLog): JobContext['run'] {
  const running = new Map<string, Promise<unknown>>();
  return <T>(path: string, key: string, work: () => Promise<T>): Promise<T> => {
    const at = JSON.stringify([path, key]);
    const begun = running.get(at) ?? log.run(path, key, work).finally(() => running.delete(at));
    running.set(at, begun);
    return begun as Promise<T>;
  };
}

function createJobContext(id: string, scope: CancelScope, log: ResultLog, shared: JobContext['run']): JobContext {
  const path = jobPath(id);
  let received = 0;
  return {
    id,
    get signal() {
      return scope.signal;
    },
    run: (inner, key, work) => shared(`${path}/${inner}`, key, work),
    receive: <T>() => {
      received += 1;
      return scope.guard(log.received(path, received - 1)) as Promise<T>;
    },
  };
}

function jobPath(id: string): string {
  return `job/${encodeURIComponent(id)}`;
}
