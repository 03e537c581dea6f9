import { AskemaError, abortedError, decodeValue, type JsonValue } from '@askema/core';
import type { DBOS } from '@dbos-inc/dbos-sdk';
import { readJobError } from './job-error.ts';

/** Workflows asked for in one statement. */
const CHUNK = 500;

interface Waiting {
  readonly job: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly promise: Promise<unknown>;
}

/** The results that callers of this process wait for: asked for together, one statement for many. */
export class AwaitedResults {
  readonly #waiting = new Map<string, Waiting>();

  /** Settles when a call of `collect` finds the workflow ended. */
  of(workflowId: string, job: string): Promise<unknown> {
    const known = this.#waiting.get(workflowId);
    if (known !== undefined) return known.promise;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    promise.catch(() => {});
    this.#waiting.set(workflowId, { job, resolve, reject, promise });
    return promise;
  }

  async collect(dbos: typeof DBOS): Promise<void> {
    const ids = [...this.#waiting.keys()];
    for (let start = 0; start < ids.length; start += CHUNK) {
      const ended = await dbos.listWorkflows({
        workflowIDs: ids.slice(start, start + CHUNK),
        status: ['SUCCESS', 'ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'],
        loadInput: false,
      });
      for (const { workflowID, status, output, error } of ended) {
        const waiting = this.#waiting.get(workflowID);
        this.#waiting.delete(workflowID);
        if (waiting !== undefined) settle(waiting, status, output, error);
      }
    }
  }

  /** Rejects the one who waits for this workflow, if there is one. */
  fail(workflowId: string, error: AskemaError): void {
    this.#waiting.get(workflowId)?.reject(error);
    this.#waiting.delete(workflowId);
  }

  failAll(error: AskemaError): void {
    for (const id of [...this.#waiting.keys()]) this.fail(id, error);
  }
}

function settle({ job, resolve, reject }: Waiting, status: string, output: unknown, error: unknown): void {
  if (status === 'SUCCESS') {
    try {
      resolve(decodeValue(JSON.parse(String(output)) as JsonValue));
    } catch (thrown) {
      reject(new AskemaError('JOURNAL_INVALID', `The result of job \`${job}\` cannot be read.`, { cause: thrown }));
    }
  } else if (status === 'CANCELLED') reject(abortedError(`Job \`${job}\``));
  else if (status === 'ERROR') reject(readJobError(error, job));
  else
    reject(
      new AskemaError(
        'INTERNAL',
        `Job \`${job}\` was given up: one process after the other ended while doing it. Look at their logs; enqueue it again to try once more.`,
      ),
    );
}
