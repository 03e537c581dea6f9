import { AskemaError, abortedError, type CallLimitsOptions } from '@askema/core';
import { type ProcessExit, processEndedError, unknownOutcomeError } from '@askema/core/node';
import type { WorkerPool } from './worker-pool.ts';

/** `timeoutMs` is from the call to the last part of the answer, waiting for a free worker included. */
export type RequestLimits = CallLimitsOptions & { readonly timeoutMs: number };

/** A commit cannot be taken back; one that takes longer than this is given up without knowing how it ended. */
const COMMIT_TIMEOUT_MS = 60_000;

/** Everything that can end a request before its time, as one signal whose reason is the error. */
export interface Stop {
  readonly signal: AbortSignal;
  /** A worker has been found: the deadline now is the statement's own fault. */
  started(): void;
  /** A commit is under way: neither the deadline nor the caller's abort count any more. */
  committing(): void;
  readonly isCommitting: boolean;
  /** The worker has ended. */
  workerEnded(exit: ProcessExit): void;
  release(): void;
}

/** Watches the deadline, the caller's signal and the closing of the pool. */
export function createStop(pool: WorkerPool, limits: RequestLimits): Stop {
  const { timeoutMs, signal } = limits;
  const controller = new AbortController();
  let phase: 'waiting' | 'running' | 'committing' = 'waiting';
  const end = (error: unknown): void => controller.abort(error);
  const onAbort = (): void => end(abortedError(limits.what, signal?.reason));
  const onClosing = (): void => end(pool.closing.reason);
  let timer = setTimeout(() => end(timeoutError(limits, phase === 'waiting' ? pool.size : undefined)), timeoutMs);
  const release = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    pool.closing.removeEventListener('abort', onClosing);
  };
  signal?.addEventListener('abort', onAbort);
  pool.closing.addEventListener('abort', onClosing);
  if (signal?.aborted) onAbort();
  else if (pool.closing.aborted) onClosing();
  return {
    signal: controller.signal,
    started() {
      phase = 'running';
    },
    committing() {
      release();
      phase = 'committing';
      const how = `did not end within ${COMMIT_TIMEOUT_MS} ms`;
      timer = setTimeout(() => end(unknownOutcomeError(how, limits.sql)), COMMIT_TIMEOUT_MS);
    },
    get isCommitting() {
      return phase === 'committing';
    },
    workerEnded(exit) {
      end(
        phase === 'committing'
          ? unknownOutcomeError(`was cut off (${exit.description})`, limits.sql)
          : exitError(exit, limits),
      );
    },
    release,
  };
}

function timeoutError({ what, timeoutMs, sql }: RequestLimits, poolSize: number | undefined): AskemaError {
  const message =
    poolSize !== undefined
      ? `${what} waited ${timeoutMs} ms, its time limit, for a free worker: all ${poolSize} were busy or starting. Try again, or raise \`poolSize\` or \`timeoutMs\`.`
      : `${what} was stopped at its time limit of ${timeoutMs} ms. Let it read less (filters, fewer joins, LIMIT inside subqueries), or raise \`timeoutMs\`.`;
  return new AskemaError('QUERY_TIMEOUT', message, {
    details: { sql, errorClass: 'timeout' },
    retryable: poolSize !== undefined,
  });
}

function exitError({ reason, description }: ProcessExit, { what, sql }: RequestLimits): AskemaError {
  if (reason === 'memory')
    return new AskemaError(
      'QUERY_FAILED',
      `${what} was stopped because it needed more memory than \`maxMemoryBytes\` allows. Let it sort, group or build less, or raise \`maxMemoryBytes\`.`,
      { details: { sql, errorClass: 'other' } },
    );
  return processEndedError(description, sql);
}
