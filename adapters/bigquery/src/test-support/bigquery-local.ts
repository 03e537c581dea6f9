import type { Value } from '@askema/core';
import type { AdapterFixture, FixtureColumn, FixtureTable } from '@askema/testkit';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';

/** The stand-in, spoken to over plain REST: nothing of the adapter under test is used. */
export interface BigQueryLocal {
  readonly url: string;
  /** Datasets and tables with their rows and views. */
  load(project: string, dataset: string, fixture: AdapterFixture): Promise<void>;
  /** Any request below `/projects/{project}`; throws with the answer when that is an error. */
  request(project: string, path: string, method: string, body?: unknown): Promise<Record<string, unknown>>;
  /** All rows of all tables of a project's datasets, as one text. */
  state(project: string): Promise<string>;
  remove(project: string): Promise<void>;
  stop(): Promise<void>;
}

interface Listed {
  readonly datasets?: readonly { readonly datasetReference: { readonly datasetId: string } }[];
  readonly tables?: readonly { readonly tableReference: { readonly tableId: string }; readonly type?: string }[];
}

export async function startBigQueryLocal(): Promise<BigQueryLocal> {
  const server: StartedServer = await startServer('bigquery-local/start.mjs', [], {
    needs: 'bigquery-local and the newest Node (npm ci --prefix servers)',
    node: 'newest',
  });
  const url = String(server.ready.url);
  const request: BigQueryLocal['request'] = async (project, path, method, body) => {
    const response = await fetch(`${url}/bigquery/v2/projects/${project}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
  const query = (project: string, sql: string) =>
    request(project, '/queries', 'POST', { query: sql, useLegacySql: false });
  const datasetsOf = async (project: string): Promise<readonly string[]> => {
    const listed = (await request(project, '/datasets', 'GET')) as Listed;
    return (listed.datasets ?? []).map(({ datasetReference }) => datasetReference.datasetId);
  };
  const local: BigQueryLocal = {
    url,
    request,
    async load(project, dataset, fixture) {
      if (fixture.schemas !== undefined) {
        for (const { name, content } of fixture.schemas) await local.load(project, name, content);
        return;
      }
      await request(project, '/datasets', 'POST', { datasetReference: { projectId: project, datasetId: dataset } });
      // One after the other: the stand-in has one connection, whose transactions get into each other's way.
      for (const table of fixture.tables) await loadTable(request, project, dataset, table);
      const names = new Set(fixture.tables.map(({ name }) => name));
      const quote = (name: string) => `\`${names.has(name) ? `${project}.${dataset}.` : ''}${name}\``;
      for (const { name, sql } of fixture.views)
        await query(project, `CREATE VIEW \`${project}.${dataset}.${name}\` AS ${sql(quote)}`);
    },
    async state(project) {
      const parts: string[] = [];
      for (const dataset of await datasetsOf(project)) {
        const listed = (await request(project, `/datasets/${dataset}/tables?maxResults=1000`, 'GET')) as Listed;
        for (const { tableReference, type } of listed.tables ?? []) {
          const path = `/datasets/${dataset}/tables/${encodeURIComponent(tableReference.tableId)}`;
          const { rows } = type === 'VIEW' ? { rows: 'view' } : await request(project, `${path}/data`, 'GET');
          const { schema } = await request(project, path, 'GET');
          parts.push(JSON.stringify([dataset, tableReference.tableId, type, schema, rows]));
        }
        const routines = await request(project, `/datasets/${dataset}/routines`, 'GET');
        parts.push(JSON.stringify(routines.routines ?? []));
      }
      return parts.join('\n');
    },
    async remove(project) {
      for (const dataset of await datasetsOf(project))
        await request(project, `/datasets/${dataset}?deleteContents=true`, 'DELETE');
    },
    stop: () => server.stop(),
  };
  return local;
}

async function loadTable(
  request: BigQueryLocal['request'],
  project: string,
  dataset: string,
  table: FixtureTable,
): Promise<void> {
  const fields = table.columns.map((column, place) =>
    restField(
      column,
      table.rows.map((row) => row[place] ?? null),
    ),
  );
  await request(project, `/datasets/${dataset}/tables`, 'POST', {
    tableReference: { projectId: project, datasetId: dataset, tableId: table.name },
    ...(table.comment === undefined ? {} : { description: table.comment }),
    schema: { fields },
    tableConstraints: {
      ...(table.key.length > 0 ? { primaryKey: { columns: table.key } } : {}),
      foreignKeys: table.foreignKeys.map(({ from, target, to }) => ({
        referencedTable: { projectId: project, datasetId: dataset, tableId: target },
        columnReferences: from.map((name, place) => ({ referencingColumn: name, referencedColumn: to[place] })),
      })),
    },
  });
  if (table.rows.length === 0) return;
  const rows = table.rows.map((row) => ({
    json: Object.fromEntries(table.columns.map(({ name }, place) => [name, restValue(row[place] ?? null)])),
  }));
  const path = `/datasets/${dataset}/tables/${encodeURIComponent(table.name)}/insertAll`;
  const { insertErrors } = await request(project, path, 'POST', { rows });
  if (insertErrors !== undefined) throw new Error(`${table.name}: ${JSON.stringify(insertErrors)}`);
}

const NESTED_FIELDS = {
  texts: { type: 'STRING', mode: 'REPEATED' },
  address: {
    type: 'RECORD',
    fields: [
      { name: 'city', type: 'STRING' },
      { name: 'zip', type: 'STRING' },
    ],
  },
  items: {
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'sku', type: 'STRING' },
      { name: 'quantity', type: 'INTEGER' },
    ],
  },
} as const;

function restField({ name, type, notNull, comment, nested }: FixtureColumn, cells: readonly Value[]) {
  const isWhole = cells.every((cell) => cell === null || typeof cell === 'bigint' || Number.isInteger(cell));
  const hasNumbers = cells.some((cell) => typeof cell === 'number' && Number.isSafeInteger(cell));
  const number = isWhole && (hasNumbers || cells.some((cell) => typeof cell === 'bigint') || cells.length === 0);
  const native = {
    NUMERIC: number ? 'INTEGER' : 'FLOAT',
    TEXT: 'STRING',
    DATETIME: 'DATETIME',
    BINARY: 'BYTES',
    BOOL: 'BOOLEAN',
  }[type];
  return {
    name,
    ...(comment === undefined ? {} : { description: comment }),
    ...(nested === undefined ? { type: native, ...(notNull ? { mode: 'REQUIRED' } : {}) } : NESTED_FIELDS[nested]),
  };
}

function restValue(value: Value): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value;
}
