import { AskemaError, type CallLimits, createCallContext, type Row } from '@askema/core';
import type { DatasetName } from '../dataset-name.ts';
import { explainThrown } from '../errors/explain-failure.ts';
import { failureOf } from '../errors/rest-failure.ts';
import { type ResolvedOptions, withProject } from '../options.ts';
import type { RestDataset, RestDatasetEntry, RestTable, RestTableEntry } from '../rest-types.ts';
import type { BigQueryClient, ClientQueryOptions, ClientQueryResult } from './client.ts';
import { createRowDecoder } from './decode-rows.ts';
import { type JobHost, startJob } from './query-job.ts';
import { resultColumns } from './result-columns.ts';
import { createTransport, type Transport } from './transport.ts';

/** The client, and what the executor and the planner need of it. */
export interface OpenClient extends BigQueryClient {
  readonly options: ResolvedOptions;
  readonly transport: Transport;
  readonly jobs: JobHost;
  readonly slots: Slots;
  /** Throws `DATABASE_CLOSED` after {@link BigQueryClient.close}. */
  throwIfClosed(): void;
  /** Limits that {@link BigQueryClient.close} ends as well, with `DATABASE_CLOSED`. Release them instead of those given. */
  untilClosed(limits: CallLimits): CallLimits;
  /** The dataset for names without one. */
  defaultDataset(billing: string): DatasetName | undefined;
}

/** Entries of one page of a list. */
const LIST_PAGE = 1_000;

/** A client over the options; nothing is loaded or connected before its first call. */
export function createClient(options: ResolvedOptions, transport: Transport = createTransport(options)): OpenClient {
  const jobs: JobHost = { transport, options, running: new Set() };
  const slots = createSlots(options.concurrency);
  const closed = new AbortController();
  let closing: Promise<void> | undefined;
  let billing: string | undefined;

  const throwIfClosed = (): void => {
    if (closing !== undefined) throw closedError(options.name);
  };
  const whileOpen = async <T>(given: CallLimits, run: (limits: CallLimits) => Promise<T>): Promise<T> => {
    throwIfClosed();
    // The limits are the caller's: only what was put around them is released here.
    const limits = untilClosed({ ...given, release: () => undefined }, closed.signal);
    try {
      return await run(limits);
    } finally {
      limits.release();
    }
  };
  const get = async <T>(
    what: string,
    path: readonly string[],
    limits: CallLimits,
    query: Readonly<Record<string, string | number | undefined>> = {},
  ): Promise<T> => {
    try {
      return await whileOpen(limits, (open) => transport.request<T>({ method: 'GET', path, query, limits: open }));
    } catch (thrown) {
      throw explainThrown(thrown, { what });
    }
  };
  async function* pages<T>(
    what: string,
    path: readonly string[],
    limits: CallLimits,
    entriesOf: (page: T) => readonly unknown[] | undefined,
  ): AsyncGenerator<readonly unknown[], void, void> {
    let pageToken: string | undefined;
    do {
      const page = await get<T & { readonly nextPageToken?: string }>(what, path, limits, {
        maxResults: LIST_PAGE,
        pageToken,
      });
      yield entriesOf(page) ?? [];
      pageToken = page.nextPageToken === '' ? undefined : page.nextPageToken;
    } while (pageToken !== undefined);
  }

  const billingProject = async (limits: CallLimits): Promise<string> => {
    throwIfClosed();
    if (options.projectId !== undefined) return options.projectId;
    if (billing !== undefined) return billing;
    try {
      billing = await transport.credentialsProject(limits);
    } catch (thrown) {
      if (!/unable to detect a project id/i.test(failureOf(thrown)?.message ?? ''))
        throw explainThrown(thrown, { what: 'Looking for the project of the credentials' });
    }
    if (billing !== undefined) return billing;
    throw new AskemaError(
      'CONFIG_INVALID',
      'No project is named, and the credentials name none; set `projectId` or GOOGLE_CLOUD_PROJECT.',
    );
  };

  return {
    options,
    transport,
    jobs,
    slots,
    throwIfClosed,
    untilClosed: (limits) => untilClosed(limits, closed.signal),
    billingProject,
    defaultDataset: (project) =>
      options.defaultDataset === undefined ? undefined : withProject(options.defaultDataset, project),
    query: (sql, query) =>
      whileOpen(query.limits, async (limits) => {
        const project = await billingProject(limits);
        const dataset = query.dataset ?? (options.defaultDataset && withProject(options.defaultDataset, project));
        const release = await slots.take(limits);
        try {
          return await collect(jobs, { sql, project, query: { ...query, limits, dataset } });
        } catch (thrown) {
          throw explainThrown(thrown, { sql, what: 'The query', maximumBytesBilled: options.maximumBytesBilled });
        } finally {
          release();
        }
      }),
    async listDatasets(project, limits) {
      const found: RestDatasetEntry[] = [];
      const what = `Listing the datasets of ${project}`;
      const path = ['projects', project, 'datasets'];
      const lists = pages<{ datasets?: readonly RestDatasetEntry[] }>(what, path, limits, (page) => page.datasets);
      for await (const page of lists) found.push(...(page as readonly RestDatasetEntry[]));
      return found;
    },
    getDataset: (name, limits) => get<RestDataset>(`Reading the dataset ${textOf(name)}`, pathOf(name), limits),
    listTables: (name, limits) =>
      pages<{ tables?: readonly RestTableEntry[] }>(
        `Listing the tables of ${textOf(name)}`,
        [...pathOf(name), 'tables'],
        limits,
        (page) => page.tables,
      ) as AsyncIterable<readonly RestTableEntry[]>,
    getTable: (name, table, limits) =>
      get<RestTable>(`Reading the table ${textOf(name)}.${table}`, [...pathOf(name), 'tables', table], limits),
    close() {
      if (closing === undefined) {
        closing = Promise.all([...jobs.running].map((job) => job.stop())).then(() => undefined);
        closed.abort(closedError(options.name));
      }
      return closing;
    },
  };
}

function closedError(name: string): AskemaError {
  return new AskemaError('DATABASE_CLOSED', `The adapter ${JSON.stringify(name)} is closed; open it again to use it.`);
}

function pathOf({ project, dataset }: DatasetName): readonly string[] {
  return ['projects', project, 'datasets', dataset];
}

function textOf({ project, dataset }: DatasetName): string {
  return `${project}.${dataset}`;
}

async function collect(
  jobs: JobHost,
  { sql, project, query }: { readonly sql: string; readonly project: string; readonly query: ClientQueryOptions },
): Promise<ClientQueryResult> {
  const { limits, maxRows, parameters, dataset, location = jobs.options.location } = query;
  const context = query.context ?? createCallContext();
  const request = { project, sql, parameters, dataset, location, context, limits, repeatable: false };
  const job = await startJob(jobs, request);
  try {
    const wanted = (have: number): number => Math.min(jobs.options.pageRows, maxRows + 1 - have);
    let page = await job.firstPage(wanted(0));
    const { schema, totalBytesProcessed } = page;
    const decode = createRowDecoder(schema);
    const rows: Row[] = (page.rows ?? []).map(decode);
    while (page.pageToken !== undefined && page.pageToken !== '' && rows.length <= maxRows) {
      page = await job.nextPage(page.pageToken, wanted(rows.length));
      for (const row of page.rows ?? []) rows.push(decode(row));
    }
    return {
      columns: resultColumns(schema),
      rows: rows.slice(0, maxRows),
      truncated: rows.length > maxRows,
      bytesProcessed: totalBytesProcessed === undefined ? undefined : Number(totalBytesProcessed),
      queryId: job.jobId,
    };
  } finally {
    await job.stop();
  }
}

/**
 * Limits that are over as well when the adapter is closed: `closing` fires then, with the error of its callers as its reason. Its `release` releases
 * the limits it was made of.
 */
function untilClosed(limits: CallLimits, closing: AbortSignal): CallLimits {
  const controller = new AbortController();
  const { signal } = controller;
  const onClose = (): void => controller.abort(closing.reason);
  const onOver = (): void => controller.abort(limits.error());
  closing.addEventListener('abort', onClose, { once: true });
  limits.signal.addEventListener('abort', onOver, { once: true });
  if (limits.signal.aborted) onOver();
  if (closing.aborted) onClose();
  const throwIfOver = (): void => {
    if (signal.aborted) throw signal.reason;
  };
  return {
    signal,
    error: () => signal.reason,
    throwIfOver,
    race: async (promise) => {
      throwIfOver();
      let stop = (): void => undefined;
      const over = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
      });
      over.catch(() => undefined);
      promise.catch(() => undefined);
      try {
        return await Promise.race([over, promise]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    remainingMs: limits.remainingMs,
    onOver: (stop) => {
      const stopQuietly = (): void => {
        try {
          stop();
        } catch {
          // The caller hears why it is over.
        }
      };
      if (signal.aborted) stopQuietly();
      else signal.addEventListener('abort', stopQuietly, { once: true });
    },
    release: () => {
      closing.removeEventListener('abort', onClose);
      limits.signal.removeEventListener('abort', onOver);
      limits.release();
    },
  };
}

/** Places for statements that run side by side. */
interface Slots {
  /** Waits for a free place, at most until the limits are over; call what it gives when the place is free again. */
  take(limits: CallLimits): Promise<() => void>;
}

function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const releaseOnce = (): (() => void) => {
    let released = false;
    return () => {
      if (!released) release();
      released = true;
    };
  };
  return {
    async take(limits) {
      limits.throwIfOver();
      if (free > 0) {
        free -= 1;
        return releaseOnce();
      }
      let wake = (): void => undefined;
      const turn = new Promise<void>((resolve) => {
        wake = resolve;
        waiting.push(wake);
      });
      try {
        await limits.race(turn);
      } catch (error) {
        const at = waiting.indexOf(wake);
        if (at >= 0) waiting.splice(at, 1);
        // The place was given in the same moment: pass it on.
        else release();
        throw error;
      }
      return releaseOnce();
    },
  };
}
