import {
  AskemaError,
  type ErrorCode,
  type ErrorDetails,
  isAskemaError,
  type Logger,
  type Outcome,
  toAskemaError,
} from '@askema/core';
import type { DesignOutcome } from '@askema/text2schema';

/** The status of each code. What the server itself got wrong is 500, what stands behind it 502 to 504. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  INPUT_INVALID: 400,
  CONFIG_INVALID: 500,
  CAPABILITY_UNSUPPORTED: 501,
  DEPENDENCY_MISSING: 500,
  CONTRACT_MISMATCH: 500,
  DATABASE_NOT_FOUND: 404,
  DATABASE_INVALID: 502,
  DATABASE_CORRUPT: 502,
  DATABASE_LOCKED: 503,
  DATABASE_UNAVAILABLE: 503,
  DATABASE_CLOSED: 503,
  QUERY_FAILED: 422,
  QUERY_TIMEOUT: 504,
  QUERY_NOT_READ_ONLY: 403,
  QUERY_REFUSED: 403,
  ANSWER_UNCONFIRMED: 409,
  SCHEMA_INVALID: 422,
  KNOWLEDGE_INVALID: 422,
  METRIC_REFUSED: 422,
  MODEL_AUTHENTICATION: 502,
  MODEL_CONTENT_FILTERED: 422,
  MODEL_CONTEXT_TOO_LONG: 422,
  MODEL_NOT_FOUND: 502,
  MODEL_OUTPUT_INVALID: 502,
  MODEL_RATE_LIMITED: 503,
  MODEL_REQUEST_FAILED: 502,
  MODEL_REQUEST_INVALID: 502,
  MODEL_TIMEOUT: 504,
  MODEL_UNAVAILABLE: 503,
  BUDGET_EXCEEDED: 429,
  RECORDING_MISSING: 500,
  TASK_UNSUPPORTED: 501,
  FLOW_INVALID: 500,
  FLOW_STEP_LIMIT: 500,
  FLOW_CHANGED: 409,
  FLOW_NOT_DETERMINISTIC: 500,
  FLOW_SUSPENDED: 409,
  JOURNAL_INVALID: 500,
  JOURNAL_LOCKED: 409,
  DATASET_INVALID: 422,
  CALLER_UNKNOWN: 401,
  CALLER_UNCHECKED: 503,
  CALLER_REFUSED: 403,
  LIMIT_EXCEEDED: 429,
  ROUTE_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  REQUEST_CONFLICT: 409,
  REQUEST_TOO_LARGE: 413,
  SERVER_CLOSING: 503,
  // Nginx's number for a client that went away: nobody reads it.
  ABORTED: 499,
  INTERNAL: 500,
};

/** The HTTP status for an error of this code. */
export function statusOf(code: ErrorCode): number {
  return STATUS[code];
}

/** What a caller is told of an error. */
interface PublicError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly requestId: string;
}

/** Details that a caller may want. Others may name files, hosts or accounts. */
const TOLD = [
  'position',
  'nearestNames',
  'errorClass',
  'vendorCode',
  'retryAfterMs',
  'limit',
  'issues',
] as const satisfies readonly (keyof ErrorDetails)[];

/** Codes above 499 whose words are ours and of use to a caller. */
const OWN_WORDS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'CALLER_UNCHECKED',
  'CAPABILITY_UNSUPPORTED',
  'QUERY_TIMEOUT',
  'SERVER_CLOSING',
  'TASK_UNSUPPORTED',
]);

/**
 * An error as a caller sees it: never a stack, a cause or a path. Where the server or what stands behind it failed, the
 * message only says so; the log has the rest under the same request id.
 */
export function publicError(thrown: unknown, requestId: string): PublicError {
  const error = toAskemaError(thrown);
  const known = Object.hasOwn(STATUS, error.code) ? error.code : 'INTERNAL';
  const isOurs = statusOf(known) < 500 || OWN_WORDS.has(known);
  const details = isOurs ? toldDetails(error) : {};
  return {
    code: known,
    message: isOurs ? publicMessage(known, error.message) : behindMessage(known),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    requestId,
  };
}

function toldDetails({ details }: AskemaError): Readonly<Record<string, unknown>> {
  const told = TOLD.filter((name) => details[name] !== undefined);
  return Object.fromEntries(told.map((name) => [name, details[name]]));
}

function behindMessage(code: ErrorCode): string {
  const what = code.startsWith('DATABASE_')
    ? 'The database cannot be used now'
    : code.startsWith('MODEL_')
      ? 'The model cannot be used now'
      : 'The server could not do this';
  return `${what}. Whoever runs the server finds the reason in its log, by the request id.`;
}

/** That there is no such route says the path that was sent, and routes that there are. */
function publicMessage(code: ErrorCode, message: string): string {
  return code === 'ROUTE_NOT_FOUND' ? message : withoutPaths(message);
}

/** Engines and the file system name files in their messages. */
function withoutPaths(text: string): string {
  return text
    .replace(/(^|[\s"'`(:=])(?:file:\/\/)?\/(?:[^\s"'`/)]{1,255}\/){1,64}[^\s"'`/),;]{0,255}/g, '$1[path]')
    .replace(/(^|[\s"'`(=])[A-Za-z]:\\[^\s"'`)]{1,1000}/g, '$1[path]');
}

/** An error as the log has it. Statements of callers stand in the audit, under the same request id and as that keeps them. */
export function loggedError(error: AskemaError): object {
  const { details, ...logged } = error.toJSON();
  const { sql: _, ...told } = details;
  return { ...logged, details: told };
}

/**
 * Logs an outcome that failed behind the server. It is no failed request, so nothing else does, but its caller is told
 * that the log has the reason.
 */
export function logFailure(
  outcome: Outcome | DesignOutcome,
  message: string,
  requestId: string | undefined,
  logger: Logger,
): void {
  if (outcome.type !== 'failed' || statusOf(outcome.error.code) < 500) return;
  logger.warn(message, { requestId, run: outcome.runId, error: loggedError(AskemaError.fromJSON(outcome.error)) });
}

/** The response for an error: `{ error: { code, message, details?, requestId } }`. */
export function errorResponse(thrown: unknown, requestId: string): Response {
  const error = publicError(thrown, requestId);
  const headers = new Headers();
  if (error.code === 'CALLER_UNKNOWN') headers.set('www-authenticate', 'Bearer');
  const wait = retryAfterMs(thrown, error.code);
  if (wait !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(wait / 1000))));
  return Response.json({ error }, { status: statusOf(error.code), headers });
}

function retryAfterMs(thrown: unknown, code: ErrorCode): number | undefined {
  const asked = isAskemaError(thrown) ? thrown.details.retryAfterMs : undefined;
  if (asked !== undefined) return asked;
  return [429, 503].includes(statusOf(code)) ? 1_000 : undefined;
}
