import { AskemaError, type Row } from '@askema/core';
import type { BigQueryClient, ClientQueryOptions } from '../../client/client.ts';
import type { DatasetName } from '../../dataset-name.ts';
import type { RestTable } from '../../rest-types.ts';

export interface FakeDataset {
  /** Answers of the metadata statements, by the first of their views (`TABLES`, `COLUMNS`, …, `__TABLES__`); absent: an error. */
  readonly views?: Readonly<Record<string, readonly Row[]>> | undefined;
  /** What REST knows; absent: the dataset is denied. */
  readonly tables?: readonly RestTable[] | undefined;
  readonly deniedTables?: readonly string[] | undefined;
}

export interface FakeClient extends BigQueryClient {
  /** Statements and requests, in their order. */
  readonly calls: string[];
  /** The most requests for tables that were under way at once. */
  readonly mostAtOnce: () => number;
}

/** A BigQuery of a few datasets, by `project.dataset`. */
export function fakeClient(datasets: Readonly<Record<string, FakeDataset>>, pageSize = 50): FakeClient {
  const calls: string[] = [];
  let atOnce = 0;
  let most = 0;
  const datasetOf = ({ project, dataset }: DatasetName): FakeDataset => {
    const known = datasets[`${project}.${dataset}`];
    if (known === undefined) throw new AskemaError('DATABASE_NOT_FOUND', `Not found: Dataset ${project}:${dataset}`);
    return known;
  };
  const tablesOf = (name: DatasetName): readonly RestTable[] => {
    const { tables } = datasetOf(name);
    if (tables === undefined)
      throw new AskemaError('DATABASE_UNAVAILABLE', `Access Denied: Dataset ${name.project}:${name.dataset}`);
    return tables;
  };
  return {
    calls,
    mostAtOnce: () => most,
    async query(sql: string, { limits }: ClientQueryOptions) {
      limits.throwIfOver();
      const [, place = ''] = /`([^`]+)`/u.exec(sql) ?? [];
      const [project = '', dataset = '', table] = place.split('.');
      const view = table ?? /INFORMATION_SCHEMA\.([A-Z_]+)/u.exec(sql)?.[1] ?? '';
      calls.push(`query ${view}`);
      const rows = datasetOf({ project, dataset }).views?.[view];
      if (rows === undefined)
        throw new AskemaError('QUERY_FAILED', `Access Denied: Table ${place}.INFORMATION_SCHEMA.${view}`, {
          details: { sql, errorClass: 'permission' },
        });
      return { columns: [], rows, truncated: false };
    },
    async listDatasets(project) {
      calls.push(`datasets ${project}`);
      return Object.keys(datasets)
        .filter((name) => name.startsWith(`${project}.`))
        .map((name) => ({ datasetReference: { projectId: project, datasetId: name.slice(project.length + 1) } }));
    },
    async getDataset(name) {
      datasetOf(name);
      return { datasetReference: { projectId: name.project, datasetId: name.dataset } };
    },
    async *listTables(name) {
      const tables = tablesOf(name);
      for (let at = 0; at < tables.length; at += pageSize) {
        calls.push('list');
        yield tables
          .slice(at, at + pageSize)
          .map(({ tableReference, type }) => (type === undefined ? { tableReference } : { tableReference, type }));
      }
    },
    async getTable(name, table, limits) {
      atOnce += 1;
      most = Math.max(most, atOnce);
      calls.push(`get ${table}`);
      try {
        await Promise.resolve();
        limits.throwIfOver();
        if (datasetOf(name).deniedTables?.includes(table) === true)
          throw new AskemaError('DATABASE_UNAVAILABLE', `Access Denied: Table ${table}`);
        const found = tablesOf(name).find(({ tableReference }) => tableReference.tableId === table);
        if (found === undefined) throw new AskemaError('DATABASE_NOT_FOUND', `Not found: Table ${table}`);
        return found;
      } finally {
        atOnce -= 1;
      }
    },
    billingProject: async () => 'payer',
    close: async () => undefined,
  };
}

/** A column as `columnsStatement` gives it; what is not said is as in BigQuery for a plain column. */
export function columnJson(name: string, type: string, position: number, more: Readonly<Record<string, unknown>> = {}) {
  return {
    name,
    position,
    type,
    nullable: 'YES',
    hidden: 'NO',
    partitioning: 'NO',
    clustering: null,
    default_expression: 'NULL',
    generated: 'NEVER',
    collation: 'NULL',
    ...more,
  };
}
