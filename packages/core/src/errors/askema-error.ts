import { shortened } from '../text/shortened.ts';
import type { ErrorClass, ErrorCode } from './error-code.ts';
import { isSecretField, redactSecrets } from './redact-secrets.ts';

const MARKER = Symbol.for('askema.error');

/** What an error knows beyond its message. All of it is plain JSON and free of secrets. */
export interface ErrorDetails {
  /** The statement that failed, as it was sent. */
  readonly sql?: string | undefined;
  /** Where in `sql`: 0-based offset in UTF-16 code units, and 1-based line and column. */
  readonly position?: { readonly offset: number; readonly line: number; readonly column: number } | undefined;
  /** Names that exist and are nearest to the one that does not. */
  readonly nearestNames?: readonly string[] | undefined;
  readonly errorClass?: ErrorClass | undefined;
  /** The vendor's own code, for example `SQLITE_ERROR` or `002003`. */
  readonly vendorCode?: string | undefined;
  /** HTTP status, where the failure came over HTTP. */
  readonly status?: number | undefined;
  /** How long the vendor asks us to wait before the next try, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly [key: string]: unknown;
}

export interface AskemaErrorOptions {
  readonly retryable?: boolean | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
}

/** The JSON form of an {@link AskemaError}; carries it through IPC, journals and files. */
export interface SerializedError {
  readonly askemaError: 1;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly details: ErrorDetails;
  readonly cause?: string | undefined;
}

/**
 * The one error class of Askema. The message says what failed, with which value, and what to do next; `code` is from a
 * closed list; `retryable` says whether the same call may succeed later. On construction secrets are redacted, and a
 * message above 4,000 characters is cut in its middle.
 *
 * Recognise it with {@link isAskemaError}, never with `instanceof`: two installed copies of the package agree on the
 * `Symbol.for` marker.
 */
export class AskemaError extends Error {
  override readonly name = 'AskemaError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details: ErrorDetails;
  readonly [MARKER] = true;

  constructor(code: ErrorCode, message: string, options: AskemaErrorOptions = {}) {
    super(toldOf(message), options.cause === undefined ? undefined : { cause: redactCause(options.cause) });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.details = redactDetails(options.details ?? {});
  }

  toJSON(): SerializedError {
    const cause = this.cause instanceof Error ? this.cause.message : undefined;
    return {
      askemaError: 1,
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      details: this.details,
      ...(cause === undefined ? {} : { cause }),
    };
  }

  /** Rebuilds an error from {@link AskemaError.toJSON}. */
  static fromJSON(json: SerializedError): AskemaError {
    return new AskemaError(json.code, json.message, {
      retryable: json.retryable,
      details: json.details,
      ...(json.cause === undefined ? {} : { cause: new Error(json.cause) }),
    });
  }
}

/** True for an {@link AskemaError} of any installed copy of this package. */
export function isAskemaError(value: unknown): value is AskemaError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[MARKER] === true;
}

/** True for the value that {@link AskemaError.toJSON} returns. */
export function isSerializedError(value: unknown): value is SerializedError {
  if (typeof value !== 'object' || value === null) return false;
  const json = value as Readonly<Record<keyof SerializedError, unknown>>;
  return json.askemaError === 1 && typeof json.code === 'string' && typeof json.message === 'string';
}

/** Any thrown value as an AskemaError: one of ours as it is, an abort as `ABORTED`, everything else as `INTERNAL`. */
export function toAskemaError(thrown: unknown): AskemaError {
  if (isAskemaError(thrown)) return thrown;
  if (thrown instanceof Error && thrown.name === 'AbortError') return abortedError('The operation', thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AskemaError('INTERNAL', `An unexpected error: ${message}`, { cause: thrown });
}

/** The error of a caller's own abort. `what` begins the sentence: "The query". */
export function abortedError(what: string, cause?: unknown): AskemaError {
  return new AskemaError('ABORTED', `${what} was stopped by its caller.`, cause === undefined ? {} : { cause });
}

/** Throws `ABORTED` if the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw abortedError(what, signal.reason);
}

/** Names, cells and replies of models stand in messages, and may be of any length. */
const MAX_MESSAGE = 4_000;
/** What is kept of a longer one, so that with its note it is no longer than that. The end says what to do next. */
const KEPT = { begin: 2_900, end: 1_000 } as const;

/** Looking for secrets takes a second for a million characters: of more than this only the ends are looked through. */
const SEARCHED = 20_000;

function ends(text: string): readonly string[] {
  return text.length <= 2 * SEARCHED ? [text] : [text.slice(0, SEARCHED), text.slice(-SEARCHED)];
}

/** Without secrets, and of a long message without its middle, with how much of it is left out. */
function toldOf(message: string): string {
  const parts = ends(message).map(redactSecrets);
  const whole = parts.join('');
  if (whole.length <= MAX_MESSAGE) return whole;
  const begin = shortened(whole, KEPT.begin);
  const end = whole.slice(-KEPT.end).replace(/^[\udc00-\udfff]/, '');
  const unsearched = parts.length === 1 ? 0 : message.length - 2 * SEARCHED;
  const left = whole.length - (begin.length - 1) - end.length + unsearched;
  return `${begin} [${left.toLocaleString('en')} characters left out] …${end}`;
}

function redactCause(cause: unknown): Error {
  const source = cause instanceof Error ? cause : new Error(String(cause));
  const copy = new Error(toldOf(source.message));
  copy.name = source.name;
  if (source.stack !== undefined) copy.stack = toldOf(source.stack);
  return copy;
}

/** Deeper than any detail of ours. */
const MAX_DETAIL_DEPTH = 12;

function redactDetails(details: ErrorDetails): ErrorDetails {
  const redacted = redactFields(details, []);
  // The statement stays as it was sent: it is made from the question and the schema, and positions refer to it.
  return details.sql === undefined ? redacted : { ...redacted, sql: details.sql };
}

function redactFields(record: object, around: readonly object[]): ErrorDetails {
  const inside = [...around, record];
  return Object.fromEntries(
    Object.entries(record)
      .filter(([, value]) => value !== undefined && typeof value !== 'function' && typeof value !== 'symbol')
      .map(([key, value]) => [
        key,
        typeof value === 'string' && isSecretField(key, value) ? '[redacted]' : plain(value, inside),
      ]),
  );
}

/** The value as JSON that says as much: bigint as text, an error as its name and message, bytes as their length. */
function plain(value: unknown, around: readonly object[]): unknown {
  if (typeof value === 'string') return redactSecrets(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return null;
  if (around.includes(value)) return '[circular]';
  if (around.length > MAX_DETAIL_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => plain(item, [...around, value]));
  if (isAskemaError(value)) return value.toJSON();
  if (value instanceof Error) return redactSecrets(`${value.name}: ${value.message}`);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (value instanceof Set) return [...value].map((item) => plain(item, [...around, value]));
  if (value instanceof Map) return redactFields(Object.fromEntries(value), around);
  return redactFields(value, around);
}
