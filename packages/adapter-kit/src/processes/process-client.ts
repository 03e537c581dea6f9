import {
  AskemaError,
  type CallLimitsOptions,
  type ResultColumn,
  type ResultEvent,
  type Row,
  startLimits,
} from '@askema/core';
import type { DriverTalk, ProcessAnswer } from '@askema/core/node';
import { Inbox } from './inbox.ts';
import type { Lease, ProcessPool } from './process-pool.ts';

/** How one adapter asks its processes. `timeoutMs` is from the call to the last part of the answer, waiting included. */
interface ProcessRequest<T extends DriverTalk> extends CallLimitsOptions {
  readonly request: T['request'];
  /** Makes the error of a failure that the process reports. */
  readonly explain: (failure: T['failure']) => Error | Promise<Error>;
}

/** The parts of an answer that a caller sees. */
type VisibleAnswer<T extends DriverTalk> = Exclude<ProcessAnswer<T>, { type: 'failed' | 'prepared' }>;

/**
 * Makes a request of a process, and yields the parts of the answer; a failure is thrown as the error that `explain`
 * makes.
 *
 * The deadline, the caller's abort and the closing of the pool end the request, and the caller hears of it at once.
 * From the moment at which a change is committed they no longer count: the caller learns how it ended.
 */
async function* runRequest<T extends DriverTalk>(
  pool: ProcessPool<T>,
  { request, explain, ...about }: ProcessRequest<T>,
): AsyncGenerator<VisibleAnswer<T>, void, void> {
  const limits = startLimits(about);
  let inbox: Inbox<T> | undefined;
  let isSecondTry = false;
  /** Answers that were seen: a second try sends its columns again, and none is made behind anything else. */
  const seen = new Set<ProcessAnswer<T>['type']>();
  const open = async (): Promise<Inbox<T>> => {
    const lease = await pool.lease(limits.signal).catch((thrown: unknown) => {
      throw limits.error()?.code === 'QUERY_TIMEOUT' ? waitedError(pool, about) : thrown;
    });
    return openInbox(pool, lease, () => new Inbox(pool, lease, request, limits, about));
  };
  try {
    inbox = await open();
    for (;;) {
      const answer = await inbox.next();
      if (answer.type === 'failed') {
        const left = pool.options.starves?.(answer.failure) === true ? inbox.besideLeft : undefined;
        const hasBegun = [...seen].some((type) => type !== 'columns');
        if (left === undefined || isSecondTry || hasBegun) throw await explain(answer.failure);
        isSecondTry = true;
        await inbox.close();
        await left;
        inbox = await open();
        continue;
      }
      const isRepeated = answer.type === 'columns' && seen.has('columns');
      seen.add(answer.type);
      if (answer.type !== 'prepared' && !isRepeated) yield answer;
      if (answer.type === 'end') return;
      if (answer.type === 'rows') inbox.more();
    }
  } finally {
    await inbox?.close();
    limits.release();
  }
}

function openInbox<T extends DriverTalk>(pool: ProcessPool<T>, lease: Lease<T>, open: () => Inbox<T>): Inbox<T> {
  try {
    return open();
  } catch (thrown) {
    // A parameter that no message can carry: nothing was sent.
    pool.release(lease);
    throw thrown;
  }
}

/** Waiting for a place took all the time: that is no fault of the statement. */
function waitedError<T extends DriverTalk>(
  { options: { processes, perProcess } }: ProcessPool<T>,
  { what, timeoutMs, sql }: CallLimitsOptions,
): AskemaError {
  return new AskemaError(
    'QUERY_TIMEOUT',
    `${what} waited ${timeoutMs} ms, its time limit, for a free place: all ${processes * perProcess} were busy or starting. Try again, or raise \`poolSize\` or \`timeoutMs\`.`,
    { details: { sql, errorClass: 'timeout' }, retryable: true },
  );
}

/** The processes of one adapter, as its parts ask them. */
export interface ProcessClient<T extends DriverTalk> {
  /** The value that answers a request. */
  value<Value>(request: T['request'], limits: CallLimitsOptions): Promise<Value>;
  /** The rows of a statement, as they come. */
  rows(request: T['request'], limits: CallLimitsOptions): AsyncIterable<readonly Row[]>;
  /** The events of a statement. @param toColumn makes the column that a caller sees. */
  events(
    request: T['request'],
    limits: CallLimitsOptions,
    toColumn: (column: T['column']) => ResultColumn,
  ): AsyncIterable<ResultEvent>;
}

/** @param explain makes the error of a failure that a process reports of a request. */
export function createProcessClient<T extends DriverTalk>(
  pool: ProcessPool<T>,
  explain: (failure: T['failure'], sql: string | undefined) => Error | Promise<Error>,
): ProcessClient<T> {
  const ask = (request: T['request'], limits: CallLimitsOptions) =>
    runRequest(pool, { ...limits, request, explain: (failure) => explain(failure, limits.sql) });
  return {
    async value<Value>(request: T['request'], limits: CallLimitsOptions): Promise<Value> {
      let found: { readonly value: unknown } | undefined;
      for await (const answer of ask(request, limits)) if (answer.type === 'value') found = answer;
      if (found !== undefined) return found.value as Value;
      throw new AskemaError('INTERNAL', `The database's process gave no value (${limits.what}).`);
    },
    async *rows(request, limits) {
      for await (const answer of ask(request, limits)) if (answer.type === 'rows') yield answer.rows;
    },
    async *events(request, limits, toColumn) {
      for await (const answer of ask(request, limits)) {
        if (answer.type === 'columns') yield { type: 'columns', columns: answer.columns.map(toColumn) };
        else if (answer.type !== 'value') yield answer;
      }
    },
  };
}
