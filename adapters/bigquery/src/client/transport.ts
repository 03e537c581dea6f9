import { AskemaError, type CallLimits } from '@askema/core';
import { isTransient, type RestFailure, RestFailureError, readFailure } from '../errors/rest-failure.ts';
import type { ResolvedOptions } from '../options.ts';
import { pause } from './pause.ts';
import { createSender, type Sender } from './sender.ts';

interface RestRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/bigquery/v2`, one name a part. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  readonly limits: CallLimits;
  /** Of one try. Default: that of the options. */
  readonly timeoutMs?: number | undefined;
  /** Default: that of the options. */
  readonly maxRetries?: number | undefined;
}

/** Requests to the REST interface. */
export interface Transport {
  /**
   * Sends a request until it is answered: what may pass (429, 5xx, a broken connection) is sent again after a growing pause, as often as the options
   * say and never beyond the limits. So send only what may arrive twice.
   *
   * Rejects with a `RestFailureError`, the error of the limits, `DEPENDENCY_MISSING` or `CONFIG_INVALID`.
   */
  request<T>(request: RestRequest): Promise<T>;
  credentialsProject(limits: CallLimits): Promise<string | undefined>;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 8_000;

/** Nothing is loaded or connected before the first request. */
export function createTransport(options: ResolvedOptions, createOne: typeof createSender = createSender): Transport {
  let sender: Promise<Sender> | undefined;
  const open = (): Promise<Sender> => {
    sender ??= createOne(options).catch((error: unknown) => {
      sender = undefined;
      throw error;
    });
    return sender;
  };
  const domain = options.universeDomain ?? 'googleapis.com';
  const base = `${options.apiEndpoint ?? `https://bigquery.${domain}`}/bigquery/v2`;
  return {
    async request<T>(request: RestRequest): Promise<T> {
      const { limits } = request;
      const url = addressOf(base, request);
      const mostRetries = request.maxRetries ?? options.maxRetries;
      for (let attempt = 1; ; attempt++) {
        limits.throwIfOver();
        const failure = await tryOnce(await limits.race(open()), url, request, attempt, options.requestTimeoutMs);
        if ('answer' in failure) return failure.answer as T;
        limits.throwIfOver();
        const pauseMs = pauseBefore(attempt, failure);
        if (!isTransient(failure) || attempt > mostRetries || pauseMs >= limits.remainingMs())
          throw new RestFailureError(failure);
        await limits.race(pause(pauseMs, limits.signal));
      }
    },
    async credentialsProject(limits) {
      const opened = await limits.race(open());
      try {
        return await limits.race(opened.credentialsProject());
      } catch (thrown) {
        limits.throwIfOver();
        throw new RestFailureError(readFailure(thrown, 1));
      }
    },
  };
}

async function tryOnce(
  sender: Sender,
  url: string,
  { method, body, limits, timeoutMs }: RestRequest,
  attempt: number,
  defaultTimeoutMs: number,
): Promise<RestFailure | { readonly answer: unknown }> {
  const own = new AbortController();
  const milliseconds = timeoutMs ?? defaultTimeoutMs;
  const timer = setTimeout(() => own.abort(), milliseconds);
  const stop = (): void => own.abort();
  limits.signal.addEventListener('abort', stop, { once: true });
  try {
    const sent = sender.send({ method, url, body, signal: own.signal });
    // A login that hangs does not hear the signal.
    return { answer: await raceAbort(sent, own.signal) };
  } catch (thrown) {
    limits.throwIfOver();
    if (!own.signal.aborted) return readFailure(thrown, attempt);
    const message = `There was no answer within ${milliseconds} ms.`;
    return { status: undefined, reason: 'REQUEST_TIMEOUT', message, retryAfterMs: undefined, attempts: attempt };
  } finally {
    clearTimeout(timer);
    limits.signal.removeEventListener('abort', stop);
  }
}

async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined);
  let stop = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('aborted'));
    signal.addEventListener('abort', stop, { once: true });
  });
  over.catch(() => undefined);
  try {
    return await Promise.race([promise, over]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Twice as long each time, and never the same for two callers. */
function pauseBefore(attempt: number, { retryAfterMs }: RestFailure): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return Math.max(retryAfterMs ?? 0, pause * (0.75 + Math.random() / 2));
}

function addressOf(base: string, { path, query = {} }: RestRequest): string {
  const wrong = path.find((part) => part === '' || part === '.' || part === '..');
  if (wrong !== undefined)
    throw new AskemaError('INPUT_INVALID', `The name ${JSON.stringify(wrong)} is none that BigQuery has.`);
  const parameters = Object.entries({ ...query, prettyPrint: false })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return `${base}/${path.map(encodeURIComponent).join('/')}?${parameters.join('&')}`;
}
