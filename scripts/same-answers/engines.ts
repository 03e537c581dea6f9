import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bigquery } from '@askema/bigquery';
import type { AdapterSpec, Dialect } from '@askema/core';
import { resolveAdapter } from '@askema/core';
import { duckdbDialect, postgresDialect, snowflakeDialect } from '@askema/dialects';
import { duckdb } from '@askema/duckdb';
import { postgres } from '@askema/postgres';
import { snowflake } from '@askema/snowflake';
import { sqlite } from '@askema/sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { startServer } from '../../servers/start-server.ts';
import { readStoreTables, type StoreTable, statementsOf } from './store-tables.ts';

/** The sample store in one engine. */
export interface LoadedEngine {
  readonly name: EngineName;
  /** Opens it for reading. */
  open(): AdapterSpec;
  stop(): Promise<void>;
}

export const ENGINE_NAMES = ['sqlite', 'postgres', 'duckdb', 'snowflake', 'bigquery'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

const STORE = join(import.meta.dirname, '..', '..', 'examples', 'store.sqlite');

/** The tables of the sample store, from the file that is the engine `sqlite`. */
export async function sampleStore(): Promise<readonly StoreTable[]> {
  const adapter = resolveAdapter(sqlite({ file: STORE }));
  try {
    return await readStoreTables(adapter);
  } finally {
    await adapter.close();
  }
}

/** Loads the tables with the engine's own tools, and not with the adapter that will read them. */
export const LOADERS: Readonly<Record<EngineName, (tables: readonly StoreTable[]) => Promise<LoadedEngine>>> = {
  sqlite: async () => ({ name: 'sqlite', open: () => sqlite({ file: STORE }), stop: async () => undefined }),

  async postgres(tables) {
    const server = await startServer('postgres/start.mjs', [], {
      needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
    });
    const { host, port, user, password } = server.ready as {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
    };
    const connect = async (database: string, statements: readonly string[]): Promise<void> => {
      const client = new pg.Client({ host, port, user, password, database });
      await client.connect();
      for (const sql of statements) await client.query(sql);
      await client.end();
    };
    await connect('postgres', ['CREATE DATABASE store']);
    await connect(
      'store',
      tables.flatMap((table) => statementsOf(table, { dialect: postgresDialect, keys: 'enforced' })),
    );
    return {
      name: 'postgres',
      open: () => postgres({ host, port, user, password, database: 'store' }),
      stop: () => server.stop(),
    };
  },

  async duckdb(tables) {
    const folder = mkdtempSync(join(tmpdir(), 'askema-same-answers-'));
    const file = join(folder, 'store.duckdb');
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    for (const table of tables)
      for (const sql of statementsOf(table, { dialect: duckdbDialect, keys: 'enforced' })) await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    return {
      name: 'duckdb',
      open: () => duckdb({ file }),
      stop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },

  async snowflake(tables) {
    const server = await startServer('fakesnow/start.mjs', [], {
      needs: 'Python 3.11 or newer with venv or pip, and PyPI (Debian: apt-get install python3-venv)',
      timeoutMs: 600_000,
    });
    const url = `http://127.0.0.1:${String(server.ready.port)}`;
    const place = { database: 'STORE', schema: 'PUBLIC' };
    const load = async (statements: Readonly<Record<string, readonly string[]>>): Promise<void> => {
      const response = await fetch(`${url}/stand-in/load`, {
        method: 'POST',
        body: JSON.stringify({ ...place, ...statements }),
      });
      const answer = (await response.json()) as { readonly success: boolean; readonly message?: string };
      if (!answer.success) throw new Error(`fakesnow did not load the store: ${answer.message}`);
    };
    const isInsert = (sql: string): boolean => sql.startsWith('INSERT ');
    const statements = (dialect: Dialect) =>
      tables.flatMap((table) => statementsOf(table, { dialect, keys: 'informational' }));
    await load({ snowflake: statements(snowflakeDialect).filter((sql) => !isInsert(sql)) });
    // Five thousand rows take three minutes through fakesnow's translation, and a second through the DuckDB below it.
    await load({ duckdb: statements(duckdbDialect).filter(isInsert) });
    return {
      name: 'snowflake',
      open: () =>
        snowflake({ account: 'stand-in', user: 'nobody', password: 'only-a-stand-in', accessUrl: url, ...place }),
      stop: () => server.stop(),
    };
  },

  async bigquery(tables) {
    const server = await startServer('bigquery-local/start.mjs', [], {
      needs: 'bigquery-local and the newest Node (npm ci --prefix servers)',
      node: 'newest',
    });
    const url = String(server.ready.url);
    const post = async (path: string, body: unknown): Promise<void> => {
      const response = await fetch(`${url}/bigquery/v2/projects/askema-store/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok || text.includes('insertErrors')) throw new Error(`${path}: ${response.status} ${text}`);
    };
    await post('datasets', { datasetReference: { projectId: 'askema-store', datasetId: 'store' } });
    for (const table of tables) await loadOverRest(table, post);
    return {
      name: 'bigquery',
      open: () => bigquery({ projectId: 'askema-store', datasets: ['store'], apiEndpoint: url }),
      stop: () => server.stop(),
    };
  },
};

const REST_TYPES = {
  integer: 'INTEGER',
  decimal: 'NUMERIC',
  real: 'FLOAT',
  text: 'STRING',
  date: 'DATE',
  datetime: 'DATETIME',
  boolean: 'BOOLEAN',
} as const;

async function loadOverRest(table: StoreTable, post: (path: string, body: unknown) => Promise<void>): Promise<void> {
  const reference = (tableId: string) => ({ projectId: 'askema-store', datasetId: 'store', tableId });
  await post('datasets/store/tables', {
    tableReference: reference(table.name),
    schema: {
      fields: table.columns.map(({ name, type, notNull }) => ({
        name,
        type: REST_TYPES[type],
        mode: notNull ? 'REQUIRED' : 'NULLABLE',
      })),
    },
    tableConstraints: {
      ...(table.key.length > 0 ? { primaryKey: { columns: table.key } } : {}),
      foreignKeys: table.foreignKeys.map(({ from, target, to }) => ({
        referencedTable: reference(target),
        columnReferences: from.map((name, place) => ({ referencingColumn: name, referencedColumn: to[place] })),
      })),
    },
  });
  const rows = table.rows.map((row) => ({
    json: Object.fromEntries(
      table.columns.map(({ name, type }, place) => [
        name,
        type === 'boolean' && row[place] !== null ? Boolean(row[place]) : (row[place] ?? null),
      ]),
    ),
  }));
  for (let start = 0; start < rows.length; start += 500)
    await post(`datasets/store/tables/${encodeURIComponent(table.name)}/insertAll`, {
      rows: rows.slice(start, start + 500),
    });
}
