import { AskemaError, type CallLimits, createCallContext, type Row } from '@askema/core';
import { explainThrown } from '../errors/explain-failure.ts';
import { failureOf } from '../errors/rest-failure.ts';
import { createRowDecoder } from '../executor/decode-rows.ts';
import { resultColumns } from '../executor/result-columns.ts';
import { type ResolvedOptions, withProject } from '../options.ts';
import type { BigQueryClient, ClientQueryOptions, ClientQueryResult, DatasetName } from './client.ts';
import { type JobHost, startJob } from './query-job.ts';
import type { RestDataset, RestDatasetEntry, RestTable, RestTableEntry } from './rest-types.ts';
import { createSlots, type Slots } from './slots.ts';
import { createTransport, type Transport } from './transport.ts';
import { untilClosed } from './until-closed.ts';

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
