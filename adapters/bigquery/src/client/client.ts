import type { CallContext, CallLimits, Parameter, ResultColumn, Row } from '@askema/core';
import type { DatasetName } from '../dataset-name.ts';
import type { RestDataset, RestDatasetEntry, RestTable, RestTableEntry } from '../rest-types.ts';

export interface ClientQueryOptions {
  readonly parameters?: readonly Parameter[] | Readonly<Record<string, Parameter>> | undefined;
  /** End this call; started by who asks, with `startLimits`. */
  readonly limits: CallLimits;
  /** No more rows than these are fetched. */
  readonly maxRows: number;
  readonly context: CallContext;
  /** Where names without a dataset are looked for. Default: that of the options. */
  readonly dataset?: DatasetName | undefined;
  /** Where the job runs; needed for queries on `region-…`.INFORMATION_SCHEMA. Default: that of the options, else BigQuery decides. */
  readonly location?: string | undefined;
}

/** A whole result. */
export interface ClientQueryResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
  /** True when `maxRows` cut it. */
  readonly truncated: boolean;
  readonly bytesProcessed?: number | undefined;
  readonly queryId?: string | undefined;
}

/**
 * What the adapter asks of BigQuery, over its REST interface. Every call is over when its `limits` are; a request that is under way is
 * cut off then, and a job that runs is cancelled on the server.
 *
 * All reject with `AskemaError`: `QUERY_FAILED` for what the server says of a statement, `DATABASE_NOT_FOUND` for a project, dataset or table that is
 * not there, `DATABASE_UNAVAILABLE` for what cannot be reached or entered (details: `status`, `vendorCode` = BigQuery's reason), `QUERY_TIMEOUT`,
 * `ABORTED`, `DATABASE_CLOSED`.
 */
export interface BigQueryClient {
  /** Runs one query of our own and collects its result; under the same cost ceiling and labels as every other. */
  query(sql: string, options: ClientQueryOptions): Promise<ClientQueryResult>;
  /** The datasets of a project; all pages. */
  listDatasets(project: string, limits: CallLimits): Promise<readonly RestDatasetEntry[]>;
  getDataset(name: DatasetName, limits: CallLimits): Promise<RestDataset>;
  /** The tables of a dataset, a page at a time, as they come: a dataset of date shards may have thousands. */
  listTables(name: DatasetName, limits: CallLimits): AsyncIterable<readonly RestTableEntry[]>;
  /** Columns, counts, keys and partitions of one table; free of charge. */
  getTable(name: DatasetName, table: string, limits: CallLimits): Promise<RestTable>;
  /** The project that pays: of the options, else of the credentials. */
  billingProject(limits: CallLimits): Promise<string>;
  /** Calls that follow are refused; jobs that run are cancelled, within a bounded time. */
  close(): Promise<void>;
}
