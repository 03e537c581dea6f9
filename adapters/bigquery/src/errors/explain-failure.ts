import { AskemaError, certificateProblem, type ErrorDetails, statementError } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { failureOf, type RestFailure } from './rest-failure.ts';
import { offsetOfPlace, placeIn, withoutPlace } from './statement-position.ts';

/** The request that failed. */
export interface FailedRequest {
  /** The statement, if it was about one; the error is then `QUERY_FAILED` where the statement is to blame. */
  readonly sql?: string | undefined;
  /** Begins the sentence: "The query", "Reading the dataset shop". */
  readonly what: string;
  /** The ceiling that was sent with it. */
  readonly maximumBytesBilled?: number | undefined;
  /** Names that exist, for a name that does not. */
  readonly names?: readonly string[] | undefined;
}

/** A thrown value as the error that the caller gets: a failure of a request by what it says, everything else as it is. */
export function explainThrown(thrown: unknown, request: FailedRequest): unknown {
  const failure = failureOf(thrown);
  return failure === undefined ? thrown : explainFailure(failure, request);
}

/**
 * What a failed request means. BigQuery's own words stay; what to do is added for what no change of the statement mends: login, permission to run jobs,
 * quotas, billing, the cost ceiling, places. Sources: https://cloud.google.com/bigquery/docs/error-messages and
 * https://cloud.google.com/bigquery/docs/troubleshoot-quotas.
 */
export function explainFailure(failure: RestFailure, request: FailedRequest): AskemaError {
  const { reason, status } = failure;
  const certificate = certificateProblem(reason);
  if (certificate !== undefined) return databaseError('CONFIG_INVALID', failure, request, certificate, false);
  if (isLogin(failure)) return unavailable(failure, request, LOGIN, false);
  if (reason === 'bytesBilledLimitExceeded' || /limit for bytes billed/i.test(failure.message))
    return tooDear(failure, request);
  if (reason === 'quotaExceeded') return unavailable(failure, request, QUOTA, false);
  if (reason === 'rateLimitExceeded' || reason === 'jobRateLimitExceeded' || status === 429)
    return unavailable(failure, request, RATE, true);
  if (reason === 'billingNotEnabled' || /billing has not been enabled|requires billing/i.test(failure.message))
    return unavailable(failure, request, BILLING, false);
  if (reason === 'accessNotConfigured' || reason === 'SERVICE_DISABLED')
    return unavailable(failure, request, SERVICE, false);
  if (status === undefined || status >= 500 || reason === 'backendError' || reason === 'internalError')
    return unavailable(failure, request, attemptsText(failure), true);
  if (request.sql !== undefined && !/not found: project/i.test(failure.message))
    return refused(failure, request, request.sql);
  if (status === 404 || reason === 'notFound')
    return databaseError('DATABASE_NOT_FOUND', failure, request, 'Check project, dataset and location.', false);
  if (status === 403) return unavailable(failure, request, PERMISSION, false);
  return unavailable(failure, request, '', false);
}

const LOGIN =
  'The login has expired or is missing: run `gcloud auth application-default login`, or renew the key or token that the options name.';
const QUOTA = 'A quota of the project is used up: wait until it is filled again, or raise it in the console.';
const RATE = 'BigQuery asks for fewer requests at a time: lower `concurrency`, or try again later.';
const BILLING = 'The project that pays has no billing account: link one, or name another project with `projectId`.';
const SERVICE = 'Enable the interface in the project that pays: gcloud services enable bigquery.googleapis.com';
const PERMISSION = 'Grant roles/bigquery.jobUser on the project that pays and roles/bigquery.dataViewer on the data.';

/** Reasons of the login servers, and the words of the library when it finds no credentials. */
function isLogin({ status, reason, message }: RestFailure): boolean {
  if (status === 401) return true;
  if (reason !== undefined && LOGIN_REASONS.has(reason)) return true;
  return (
    status === undefined &&
    /could not load the default credentials|could not refresh access token|invalid_rapt/i.test(message)
  );
}

const LOGIN_REASONS = new Set(
  'authError invalid_grant invalid_client invalid_rapt unauthorized_client UNAUTHENTICATED'.split(' '),
);

function refused(failure: RestFailure, request: FailedRequest, sql: string): AskemaError {
  const place = placeIn(failure.message);
  const message = withoutPlace(failure.message);
  const suggested = /Did you mean ([^\s?]{1,300})\?/.exec(message)?.[1];
  const names = [...(request.names ?? []), ...(suggested === undefined ? [] : [suggested])];
  const error = statementError(bigqueryDialect, {
    sql,
    message: message + adviceFor(failure),
    vendorCode: failure.reason,
    offset: place === undefined ? undefined : offsetOfPlace(sql, place),
    names: names.length === 0 ? undefined : names,
  });
  if (failure.reason !== 'timeout') return error;
  return new AskemaError('QUERY_TIMEOUT', error.message, { details: error.details });
}

/** What stands behind BigQuery's words where they leave out what to do. */
function adviceFor({ reason, message }: RestFailure): string {
  if (/was not found in location/i.test(message))
    return '. Where the name is right, the data is in another place: set `location` to that of the dataset';
  if (reason === 'accessDenied' && /bigquery\.jobs\.create/i.test(message))
    return ' (grant roles/bigquery.jobUser on the project that pays)';
  if (reason === 'responseTooLarge') return '. Narrow the query or aggregate';
  return '';
}

function tooDear(failure: RestFailure, request: FailedRequest): AskemaError {
  const ceiling =
    request.maximumBytesBilled === undefined ? '' : ` (\`maximumBytesBilled\` is ${request.maximumBytesBilled})`;
  return new AskemaError(
    'QUERY_REFUSED',
    `${request.what} costs more than the ceiling allows${ceiling}: ${failure.message} Read fewer columns or partitions, or raise the ceiling.`,
    { details: detailsOf(failure, request) },
  );
}

function unavailable(failure: RestFailure, request: FailedRequest, advice: string, retryable: boolean): AskemaError {
  return databaseError('DATABASE_UNAVAILABLE', failure, request, advice, retryable);
}

function databaseError(
  code: 'CONFIG_INVALID' | 'DATABASE_UNAVAILABLE' | 'DATABASE_NOT_FOUND',
  failure: RestFailure,
  request: FailedRequest,
  advice: string,
  retryable: boolean,
): AskemaError {
  const words = failure.message.trim().replace(/\.$/, '');
  const status = failure.status === undefined ? (failure.reason ?? '') : `HTTP ${failure.status}`;
  const details = detailsOf(failure, request);
  return new AskemaError(
    code,
    `${request.what} failed: ${words}${status === '' ? '' : ` (${status})`}.${advice === '' ? '' : ` ${advice}`}`,
    { retryable, details },
  );
}

function attemptsText({ attempts }: RestFailure): string {
  return attempts > 1 ? `It was tried ${attempts} times; try again later.` : 'Try again later.';
}

function detailsOf({ status, reason, retryAfterMs }: RestFailure, { sql }: FailedRequest): ErrorDetails {
  const permission = status === 403 && reason === 'accessDenied';
  return {
    sql,
    status,
    vendorCode: reason,
    retryAfterMs,
    ...(permission ? { errorClass: 'permission' as const } : {}),
  };
}
