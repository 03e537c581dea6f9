import type { RestError } from '../rest-types.ts';

/** What a request came to when it did not succeed; made into an `AskemaError` by who knows what was asked. */
export interface RestFailure {
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** BigQuery's reason (`invalidQuery`, `quotaExceeded`, …), or the code of a broken connection (`ECONNRESET`). */
  readonly reason: string | undefined;
  readonly message: string;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** How often the request was sent. */
  readonly attempts: number;
}

const MARKER = Symbol('askema.bigquery.failure');

/** Carries a {@link RestFailure} through promises; never leaves the package. */
export class RestFailureError extends Error {
  readonly failure: RestFailure;
  readonly [MARKER] = true;

  constructor(failure: RestFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The failure that was thrown, if it was one. */
export function failureOf(thrown: unknown): RestFailure | undefined {
  return thrown instanceof RestFailureError ? thrown.failure : undefined;
}

/** Reads what a client of google-auth-library throws: an answer with an error status, a broken connection, or a login that failed. */
export function readFailure(thrown: unknown, attempts: number): RestFailure {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ThrownByClient;
  const response = error.response;
  const cause = error.cause;
  const code = [error.code, cause?.code].find((part) => typeof part === 'string' && /^[A-Z][A-Z0-9_]+$/.test(part));
  if (response === undefined || typeof response.status !== 'number')
    return {
      status: undefined,
      reason: typeof code === 'string' ? code : undefined,
      message: textOf(error.message) ?? String(thrown),
      retryAfterMs: undefined,
      attempts,
    };
  const { message, reason } = readBody(response.data);
  return {
    status: response.status,
    reason,
    message: message ?? `HTTP ${response.status}`,
    retryAfterMs: readRetryAfter(response.headers),
    attempts,
  };
}

interface ThrownByClient {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: { readonly code?: unknown } | undefined;
  readonly response?:
    | {
        readonly status?: unknown;
        readonly data?: unknown;
        readonly headers?: { readonly get?: (name: string) => string | null } | undefined;
      }
    | undefined;
}

/** `{ error: { message, errors: [{ reason }], status } }` of the API, or `{ error, error_description }` of a login. */
function readBody(data: unknown): { readonly message?: string | undefined; readonly reason?: string | undefined } {
  const body = typeof data === 'string' ? parse(data) : data;
  if (typeof body !== 'object' || body === null) return {};
  const { error, error_description: description } = body as { error?: unknown; error_description?: unknown };
  if (typeof error === 'string') return { reason: error, message: textOf(description) ?? error };
  if (typeof error !== 'object' || error === null) return {};
  const { message, errors, status } = error as { message?: unknown; errors?: readonly RestError[]; status?: unknown };
  const first = Array.isArray(errors) ? errors[0] : undefined;
  return { message: textOf(message) ?? textOf(first?.message), reason: textOf(first?.reason) ?? textOf(status) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readRetryAfter(headers: { readonly get?: (name: string) => string | null } | undefined): number | undefined {
  const seconds = Number(headers?.get?.('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}

/** Answers that another try may change. */
export function isTransient({ status, reason }: RestFailure): boolean {
  if (status === undefined) return reason !== undefined && BROKEN.has(reason);
  if (status === 403) return reason === 'rateLimitExceeded' || reason === 'jobRateLimitExceeded';
  return status === 408 || status === 429 || status >= 500;
}

/** Node's and the client's codes of a connection that broke, or an answer that did not come. */
const BROKEN = new Set(
  'ECONNRESET ECONNREFUSED ECONNABORTED EPIPE ETIMEDOUT EAI_AGAIN ENETUNREACH EHOSTUNREACH ERR_STREAM_PREMATURE_CLOSE UND_ERR_SOCKET REQUEST_TIMEOUT BROKEN_ANSWER'.split(
    ' ',
  ),
);
