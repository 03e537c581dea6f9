import { createHash, randomUUID } from 'node:crypto';
import { AskemaError, type CallContext, type CallLimits, type Parameter, startLimits } from '@askema/core';
import type { DatasetName } from '../dataset-name.ts';
import { failureOf, RestFailureError } from '../errors/rest-failure.ts';
import type { ResolvedOptions } from '../options.ts';
import type { RestJob, RestQueryResults } from '../rest-types.ts';
import { pause } from './pause.ts';
import { restParameters } from './query-parameters.ts';
import type { Transport } from './transport.ts';

/** One statement, as a job. */
export interface JobRequest {
  readonly project: string;
  readonly sql: string;
  readonly parameters?: readonly Parameter[] | Readonly<Record<string, Parameter>> | undefined;
  /** Types for parameters that are NULL, by position or name. */
  readonly nullTypes?: Readonly<Record<string, string>> | undefined;
  readonly dataset?: DatasetName | undefined;
  readonly location?: string | undefined;
  readonly context: CallContext;
  readonly limits: CallLimits;
  /** False for statements of our own about what may have changed since: their jobs are never found again. */
  readonly repeatable?: boolean | undefined;
}

/** A job that was started, or found. */
export interface StartedJob {
  readonly jobId: string;
  /** Where it runs, once the server has said so. */
  readonly location: string | undefined;
  /** Waits for its end, at most until the limits are over, and gives the first page. */
  firstPage(maxResults: number): Promise<RestQueryResults>;
  nextPage(pageToken: string, maxResults: number): Promise<RestQueryResults>;
  /** The job itself, for what its results leave out. */
  read(): Promise<RestJob>;
  /** Cancels it on the server unless it has ended; bounded, never rejects, may be called twice. */
  stop(): Promise<void>;
}

/** What jobs are run with. */
export interface JobHost {
  readonly transport: Transport;
  readonly options: ResolvedOptions;
  /** Jobs that may run on the server. */
  readonly running: Set<StartedJob>;
}

/** How often a job that was stopped or lost is replaced by a new one. */
const MOST_REPLACEMENTS = 5;

/** The longest that the server holds the answer back while a job runs. */
const POLL_MS = 10_000;

/** A cancel that is not answered within this time is left to `jobTimeoutMs`. */
const CANCEL_MS = 1_000;

/** Compiles a statement on the server: its kind, tables, columns, bytes. Costs nothing. Rejects with a `RestFailureError`. */
export async function dryRun(
  { transport, options }: JobHost,
  request: JobRequest,
  {
    without = 'nothing',
    maxRetries,
  }: { readonly without?: 'nothing' | 'null parameters'; readonly maxRetries?: number } = {},
): Promise<RestJob> {
  const configuration = { ...configurationOf(options, request, without), dryRun: true };
  const jobReference = { projectId: request.project, location: request.location };
  return transport.request<RestJob>({
    method: 'POST',
    path: ['projects', request.project, 'jobs'],
    body: { jobReference, configuration },
    limits: request.limits,
    maxRetries,
  });
}

/**
 * Starts a statement under the id that its call always has. Where a job of that id is there, it is the same call's: it is not run again, its result is
 * taken; only one that was stopped or that failed for a reason that may pass is replaced.
 *
 * Rejects with a `RestFailureError`, or the error of the limits; a job that may have started is cancelled then.
 */
export async function startJob(host: JobHost, request: JobRequest): Promise<StartedJob> {
  const configuration = configurationOf(host.options, request, 'nothing');
  const identity = {
    idempotencyKey: request.repeatable === false ? randomUUID() : request.context.idempotencyKey,
    sql: request.sql,
    parameters: configuration.query,
    settings: [request.project, host.options.access],
  };
  for (let attempt = 1; ; attempt++) {
    const job = new QueryJob(host, request, jobIdOf({ ...identity, attempt }));
    try {
      if ((await job.insert(configuration)) === 'started') return job;
      if (attempt > MOST_REPLACEMENTS || !(await job.isLost())) return job;
    } catch (thrown) {
      await job.stopUnlessRefused(thrown);
      throw thrown;
    }
    job.forget();
  }
}

function configurationOf(
  options: ResolvedOptions,
  { sql, parameters, nullTypes, dataset, context, limits }: JobRequest,
  without: 'nothing' | 'null parameters',
): { readonly query: object; readonly labels: object; readonly jobTimeoutMs?: string } {
  const { maximumBytesBilled, useQueryCache } = options;
  const remaining = limits.remainingMs();
  return {
    query: {
      query: sql,
      useLegacySql: false,
      ...(useQueryCache ? {} : { useQueryCache }),
      ...(maximumBytesBilled === Number.POSITIVE_INFINITY ? {} : { maximumBytesBilled: String(maximumBytesBilled) }),
      ...(dataset === undefined ? {} : { defaultDataset: { projectId: dataset.project, datasetId: dataset.dataset } }),
      ...restParameters(parameters, { types: nullTypes, leftOut: without === 'null parameters' }),
    },
    labels: jobLabels(options.labels, context),
    ...(remaining === Number.POSITIVE_INFINITY ? {} : { jobTimeoutMs: String(Math.max(1, Math.ceil(remaining))) }),
  };
}

class QueryJob implements StartedJob {
  readonly jobId: string;
  readonly #host: JobHost;
  readonly #request: JobRequest;
  #location: string | undefined;
  #ended = false;
  #stopping: Promise<void> | undefined;

  constructor(host: JobHost, request: JobRequest, jobId: string) {
    this.#host = host;
    this.#request = request;
    this.jobId = jobId;
    this.#location = request.location;
  }

  get location(): string | undefined {
    return this.#location;
  }

  async insert(configuration: object): Promise<'started' | 'found'> {
    const { project, limits } = this.#request;
    limits.throwIfOver();
    this.#host.running.add(this);
    const jobReference = { projectId: project, jobId: this.jobId, location: this.#location };
    try {
      const job = await this.#host.transport.request<RestJob>({
        method: 'POST',
        path: ['projects', project, 'jobs'],
        body: { jobReference, configuration },
        limits,
      });
      this.#location = job.jobReference?.location ?? this.#location;
      return 'started';
    } catch (thrown) {
      if (failureOf(thrown)?.status === 409) return 'found';
      throw thrown;
    }
  }

  /** True for a job that was found but gives no answer any more: stopped, or failed on the side of the server. */
  async isLost(): Promise<boolean> {
    const { sql } = this.#request;
    const job = await this.read();
    this.#location = job.jobReference?.location ?? this.#location;
    const text = job.configuration?.query?.query;
    if (text !== undefined && text !== sql)
      throw new AskemaError(
        'QUERY_FAILED',
        `BigQuery has a job ${this.jobId} already, and it runs another statement; use another idempotency key.`,
        { details: { sql, errorClass: 'other' } },
      );
    const reason = job.status?.errorResult?.reason;
    return job.status?.state === 'DONE' && reason !== undefined && PASSING.has(reason);
  }

  read(): Promise<RestJob> {
    const { project, limits } = this.#request;
    return this.#host.transport.request<RestJob>({
      method: 'GET',
      path: ['projects', project, 'jobs', this.jobId],
      query: { location: this.#location },
      limits,
    });
  }

  async firstPage(maxResults: number): Promise<RestQueryResults> {
    const { limits } = this.#request;
    for (let pauseMs = 50; ; pauseMs = Math.min(1_000, pauseMs * 2)) {
      const sent = performance.now();
      const results = await this.#results({
        maxResults,
        timeoutMs: Math.ceil(Math.min(POLL_MS, limits.remainingMs())),
      });
      if (results.jobComplete !== false) {
        this.forget();
        return results;
      }
      // A server that does not hold its answer back must not be asked without a pause.
      if (performance.now() - sent < pauseMs) await limits.race(pause(pauseMs, limits.signal));
    }
  }

  async nextPage(pageToken: string, maxResults: number): Promise<RestQueryResults> {
    return this.#results({ maxResults, pageToken });
  }

  async #results(query: Readonly<Record<string, string | number>>): Promise<RestQueryResults> {
    const { project, limits } = this.#request;
    try {
      return await this.#host.transport.request<RestQueryResults>({
        method: 'GET',
        path: ['projects', project, 'queries', this.jobId],
        query: { location: this.#location, 'formatOptions.useInt64Timestamp': true, ...query },
        limits,
      });
    } catch (thrown) {
      // A statement that failed has ended.
      if (this.#isRefusal(thrown)) this.forget();
      throw thrown;
    }
  }

  #isRefusal(thrown: unknown): boolean {
    const status = failureOf(thrown)?.status;
    return status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;
  }

  /** A statement that was refused never became a job. */
  async stopUnlessRefused(thrown: unknown): Promise<void> {
    const status = failureOf(thrown)?.status;
    if (status !== undefined && status < 500) this.forget();
    else await this.stop();
  }

  forget(): void {
    this.#ended = true;
    this.#host.running.delete(this);
  }

  stop(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    // The same call may have been made twice at once: whoever still waits for the job keeps it.
    const isShared = [...this.#host.running].some((other) => other !== this && other.jobId === this.jobId);
    if (isShared) {
      this.forget();
      return Promise.resolve();
    }
    this.#stopping ??= this.#cancel().finally(() => this.forget());
    return this.#stopping;
  }

  async #cancel(): Promise<void> {
    const limits = startLimits({ timeoutMs: CANCEL_MS, what: 'Cancelling the job' });
    const send = (): Promise<unknown> =>
      this.#host.transport.request({
        method: 'POST',
        path: ['projects', this.#request.project, 'jobs', this.jobId, 'cancel'],
        query: { location: this.#location },
        limits,
        maxRetries: 1,
      });
    try {
      await send().catch(async (thrown: unknown) => {
        // The request that starts it may still be on its way.
        if (!(thrown instanceof RestFailureError) || thrown.failure.status !== 404) throw thrown;
        await limits.race(pause(200, limits.signal));
        return send();
      });
    } catch {
      // What cannot be told to stop ends by its own `jobTimeoutMs`.
    } finally {
      limits.release();
    }
  }
}

/** Reasons for which the same job may succeed when it is run again (https://cloud.google.com/bigquery/docs/error-messages). */
const PASSING = new Set(
  'stopped timeout backendError internalError jobBackendError jobInternalError rateLimitExceeded jobRateLimitExceeded quotaExceeded'.split(
    ' ',
  ),
);

/** What makes two calls the same one. */
interface JobIdentity {
  readonly idempotencyKey: string;
  readonly sql: string;
  /** As they are sent. */
  readonly parameters: unknown;
  /** Dataset, ceiling, location, access: whatever else changes what the job does. */
  readonly settings: unknown;
  /** 1 for the first; another one when the job of the one before was stopped or failed for a reason that may pass. */
  readonly attempt: number;
}

/**
 * The id of a job, the same for the same call: a call that is repeated after a crash finds the job that it started, and pays once
 * (https://cloud.google.com/bigquery/docs/running-jobs#generate-jobid).
 */
function jobIdOf({ idempotencyKey, sql, parameters, settings, attempt }: JobIdentity): string {
  const identity = JSON.stringify([idempotencyKey, sql, parameters ?? null, settings]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 48);
  return attempt === 1 ? `askema_${hash}` : `askema_${hash}_${attempt}`;
}

/** https://cloud.google.com/bigquery/docs/labels-intro#requirements */
const MAX_LABELS = 64;
const MAX_CHARACTERS = 63;

/**
 * The labels of a job: `askema-run` (the run's id), `askema-tenant`, those of the options, and the call's tags. Keys and values become what
 * BigQuery takes: lower case, digits, dashes and underscores, 63 characters; what would be empty then is left out. Tags win over the options.
 */
function jobLabels(
  own: Readonly<Record<string, string>>,
  { runId, tags, tenant }: CallContext,
): Readonly<Record<string, string>> {
  const wanted = { ...own, ...tags, ...(tenant === undefined ? {} : { 'askema-tenant': tenant }), 'askema-run': runId };
  const labels = new Map<string, string>();
  for (const [key, value] of Object.entries(wanted).reverse()) {
    const name = labelText(key).replace(/^[^\p{Ll}\p{Lo}]{1,63}/u, '');
    if (name !== '' && !labels.has(name) && labels.size < MAX_LABELS) labels.set(name, labelText(String(value)));
  }
  return Object.fromEntries(labels);
}

function labelText(text: string): string {
  const allowed = text
    .slice(0, 1_000)
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}\p{N}_-]/gu, '_');
  return [...allowed].slice(0, MAX_CHARACTERS).join('');
}
