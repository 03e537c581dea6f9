import { AskemaError, abortedError, isAskemaError } from '../../errors/askema-error.ts';
import { certificateProblem } from '../../errors/certificate-problem.ts';
import type { ErrorCode } from '../../errors/error-code.ts';
import type { CallDeadline } from './call-deadline.ts';
import { connectionFaultOf, isLoopbackUrl } from './connection-failure.ts';
import { FAILURE_RULES_BY_STATUS, type FailureRule } from './failure-rule.ts';

/** What a provider could read from a vendor's error. */
export interface VendorFailure {
  readonly status?: number | undefined;
  /** The vendor's codes and types, the most specific one first: `insufficient_quota`, `overloaded_error`. */
  readonly vendorCodes: readonly string[];
  /** The vendor's sentence. */
  readonly message: string;
  readonly headers?: Pick<Headers, 'get'> | undefined;
  readonly requestId?: string | undefined;
}

/** An error that a provider found inside an answer that HTTP calls a success. {@link modelFailure} knows it. */
export class VendorFailureError extends Error {
  override readonly name = 'VendorFailureError';
  readonly failure: VendorFailure;

  constructor(failure: VendorFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The call that failed. */
export interface FailedCall {
  /** `openai:gpt-5`: begins the message. */
  readonly model: string;
  readonly url: string;
  /** Where the request went, for a provider whose errors alone know it. Default: `url`. */
  readonly urlOf?: ((error: unknown) => string | undefined) | undefined;
  readonly timeoutMs: number;
  readonly deadline: CallDeadline;
  /** Values that must never stand in an error: the key, the values of custom headers. */
  readonly secrets: readonly string[];
  /** Tried before {@link FAILURE_RULES_BY_STATUS}. */
  readonly rules: readonly FailureRule[];
  /** Reads the vendor's error; undefined when `error` is none. */
  readonly readVendorError: (error: unknown) => VendorFailure | undefined;
}

/**
 * Any error of a provider's call as an AskemaError: `ABORTED` for the caller's signal, `MODEL_TIMEOUT` for the own
 * deadline, the code of the first rule that matches the vendor's error, `MODEL_UNAVAILABLE` for a broken connection,
 * `MODEL_REQUEST_FAILED` for an answer that is no JSON, and an error of ours as it is. What remains is `INTERNAL`.
 */
export function modelFailure(failed: FailedCall, error: unknown): AskemaError {
  const call = { ...failed, url: failed.urlOf?.(error) ?? failed.url };
  const stoppedBy = call.deadline.stoppedBy();
  if (stoppedBy === 'caller') return abortedError(`The call of ${call.model}`);
  if (stoppedBy === 'deadline') return timeoutError(call);
  if (isAskemaError(error)) return error;
  const vendor = error instanceof VendorFailureError ? error.failure : call.readVendorError(error);
  if (vendor !== undefined) return vendorError(call, vendor, error);
  return connectionError(call, error) ?? unreadableError(call, error) ?? unexpectedError(call, error);
}

function timeoutError(call: FailedCall): AskemaError {
  return new AskemaError(
    'MODEL_TIMEOUT',
    `${call.model} did not answer within ${call.timeoutMs} ms (${call.url}). Try again, ask for less, or raise \`timeoutMs\`.`,
    { retryable: true },
  );
}

function vendorError(call: FailedCall, vendor: VendorFailure, error: unknown): AskemaError {
  const rule = [...call.rules, ...FAILURE_RULES_BY_STATUS].find((candidate) => matches(candidate, vendor));
  const code = rule?.code ?? 'MODEL_REQUEST_FAILED';
  const status = vendor.status === undefined ? '' : ` (HTTP ${vendor.status})`;
  // SDKs put the status in front of a body that they could not read.
  const said = scrub(call, vendor.message.replace(new RegExp(`^${vendor.status} `), '')).trim();
  const advice = rule?.advice === undefined ? '' : ` ${rule.advice}`;
  const shouldRetry = vendor.headers?.get('x-should-retry');
  return failure(
    call,
    code,
    `${call.model} failed${status}: ${said}${/[.!?]$/.test(said) ? '' : '.'}${advice}`,
    error,
    {
      retryable: shouldRetry === 'false' ? false : (rule?.retryable ?? false),
      details: {
        ...(vendor.status === undefined ? {} : { status: vendor.status }),
        ...(vendor.vendorCodes[0] === undefined ? {} : { vendorCode: vendor.vendorCodes[0] }),
        ...(vendor.requestId === undefined ? {} : { requestId: vendor.requestId }),
        ...retryAfter(vendor),
      },
    },
  );
}

function retryAfter(vendor: VendorFailure): { retryAfterMs?: number } {
  const delayMs = retryAfterMs(vendor.headers);
  return delayMs === undefined ? {} : { retryAfterMs: delayMs };
}

function matches(rule: FailureRule, vendor: VendorFailure): boolean {
  if (rule.status !== undefined && (vendor.status === undefined || !inRange(vendor.status, rule.status))) return false;
  if (rule.vendorCode !== undefined && !vendor.vendorCodes.includes(rule.vendorCode)) return false;
  return rule.pattern === undefined || new RegExp(rule.pattern, 'i').test(vendor.message);
}

function inRange(status: number, range: number | readonly [number, number]): boolean {
  return typeof range === 'number' ? status === range : status >= range[0] && status <= range[1];
}

function connectionError(call: FailedCall, error: unknown): AskemaError | undefined {
  const found = connectionFaultOf(error);
  if (found === undefined) return undefined;
  const { fault, code: vendorCode } = found;
  const isLocal = isLoopbackUrl(call.url);
  const code = fault === 'timeout' ? 'MODEL_TIMEOUT' : 'MODEL_UNAVAILABLE';
  const isLasting = fault === 'unknown-host' || fault === 'certificate' || fault === 'bad-url';
  const retryable = !isLasting && !(fault === 'refused' && isLocal);
  return failure(call, code, connectionMessage(call, found, isLocal), error, { retryable, details: { vendorCode } });
}

function connectionMessage(
  call: FailedCall,
  { fault, code }: NonNullable<ReturnType<typeof connectionFaultOf>>,
  isLocal: boolean,
): string {
  const at = `${call.model} at ${call.url}`;
  switch (fault) {
    case 'refused':
      return isLocal
        ? `Nothing listens at ${call.url}: the model server may not be running. Start it, or correct \`baseURL\`.`
        : `${at} refused the connection. Check \`baseURL\`, or try again later.`;
    case 'unknown-host':
      return `${at} cannot be reached (${code}). Check \`baseURL\` and the network.`;
    case 'bad-url':
      return `${at} cannot be called (${code}): web clients refuse this URL. Correct \`baseURL\`.`;
    case 'certificate':
      return `The certificate of ${call.url} was not accepted (${code}). ${certificateProblem(code) ?? ''}`;
    case 'timeout':
      return `${at} did not answer in time (${code}). Try again.`;
    case 'reset':
    case 'temporary-dns':
      return `The connection to ${at} broke before the answer was complete (${code}). Try again.`;
  }
}

/** The body was no JSON, or half of one. */
function unreadableError(call: FailedCall, error: unknown): AskemaError | undefined {
  if (!(error instanceof SyntaxError)) return undefined;
  return failure(
    call,
    'MODEL_REQUEST_FAILED',
    `The answer of ${call.model} at ${call.url} is no valid JSON: ${error.message}. Try again; if it stays, check \`baseURL\`.`,
    error,
    { retryable: true },
  );
}

function unexpectedError(call: FailedCall, error: unknown): AskemaError {
  const message = error instanceof Error ? error.message : String(error);
  return failure(call, 'INTERNAL', `An unexpected error in the call of ${call.model}: ${message}`, error, {});
}

function failure(
  call: FailedCall,
  code: ErrorCode,
  message: string,
  cause: unknown,
  options: ConstructorParameters<typeof AskemaError>[2],
): AskemaError {
  return new AskemaError(code, scrub(call, message), { ...options, cause: scrubbedCause(call, cause) });
}

/** Name and message only: vendors' errors carry the request, its headers and the key. */
function scrubbedCause(call: FailedCall, cause: unknown): Error {
  const copy = new Error(scrub(call, cause instanceof Error ? cause.message : String(cause)));
  copy.name = cause instanceof Error ? cause.name : 'Error';
  delete copy.stack;
  return copy;
}

function scrub(call: FailedCall, text: string): string {
  return call.secrets
    .filter((secret) => secret.length >= 4)
    .reduce((scrubbed, secret) => scrubbed.replaceAll(secret, '[redacted]'), text);
}

/**
 * How long a server asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date
 * (RFC 9110, section 10.2.3). Undefined when it does not say.
 */
export function retryAfterMs(headers: Pick<Headers, 'get'> | undefined, now = Date.now()): number | undefined {
  const milliseconds = positive(headers?.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const header = headers?.get('retry-after');
  const seconds = positive(header);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  // `Date.parse` takes bare numbers for years, so a date must look like one.
  const date = header && /^[a-z]{3,}, /i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function positive(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
