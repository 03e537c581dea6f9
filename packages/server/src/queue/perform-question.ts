import { abortedError, isAskemaError, type Runtime } from '@askema/core';
import type { DatabasePool } from '../databases/database-pool.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { RunningWork } from '../running-work.ts';
import { endMark, workWhenFree } from '../runs/run-outcome.ts';
import { answerOf, endsOf, standingOf } from '../runs/run-record.ts';
import type { OpenRecord, RunRecords } from '../runs/run-records.ts';
import { forRequest } from '../statements/current-request.ts';
import type { QuestionJob } from './question-job.ts';
import type { PerformQuestion } from './run-queue.ts';

export interface PerformParts {
  readonly pool: DatabasePool;
  readonly records: RunRecords;
  readonly metrics: Metrics;
  readonly runtime: Runtime;
  readonly work: RunningWork;
  /** Whether somebody of this server waits for it. */
  readonly isAwaited: (key: string) => boolean;
}

/**
 * Works on questions of the queue, for whom they are: with their view of the database, in their name. What it came to
 * stands in the record. A server that is about to stop begins only what its own readers wait for.
 */
export function performQuestions(parts: PerformParts): PerformQuestion {
  const { pool, records, metrics, runtime, work } = parts;
  /** An answer that was none can be given again; whatever else failed can be gone on with. */
  const leave = async ({ caller, id, run, answer }: QuestionJob, thrown: unknown): Promise<void> => {
    const isNoAnswer = answer !== undefined && isAskemaError(thrown) && thrown.code === 'INPUT_INVALID';
    await records.update(caller, id, (open) =>
      open.mark(isNoAnswer ? { type: 'withdrawn', next: run } : { type: 'left', run }),
    );
  };
  return async (job, { key, signal, onEvent }) => {
    const { caller, id, run, request, answer } = job;
    if (work.isDraining && !parts.isAwaited(key)) await untilAborted(signal);
    const { over } = work.begin(signal);
    const current = { requestId: run, caller, route: 'POST /v1/ask', question: request.text };
    let release: () => void = () => undefined;
    try {
      const lease = await pool.lease(request.database, caller);
      release = lease.release;
      const { text2sql } = lease.database;
      if (!(await records.update(caller, id, (open) => begin(job, open)))) return;
      const outcome = await forRequest(current, () =>
        workWhenFree(runtime, text2sql, { id, request, answer }, { signal, onEvent }),
      );
      // Whoever has stopped it has written that down.
      if (signal.aborted) throw abortedError('The question');
      await records.update(caller, id, async (open) => {
        if (open.before === undefined || standingOf(open.before, run) === 'ended') return;
        await open.mark(endMark(run, outcome));
        metrics.outcome(outcome.type);
      });
    } catch (thrown) {
      if (!signal.aborted) await leave(job, thrown);
      throw thrown;
    } finally {
      release();
      over();
    }
  };
}

/** Writes down that it is worked on; false where it has ended meanwhile. */
async function begin({ run, attempt, request, answer }: QuestionJob, open: OpenRecord): Promise<boolean> {
  const { before } = open;
  if (before === undefined) await open.begin(request);
  if (before === undefined) return true;
  if (endsOf(before, run) > attempt) return false;
  if (answer !== undefined && answerOf(before, run) === undefined)
    await open.mark({ type: 'answered', ...answer, next: run });
  const standing = standingOf(before, run);
  if (standing === 'interrupted' || standing === 'ended') await open.mark({ type: 'resumed', run });
  return true;
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(abortedError('The question'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
