import type { AdapterSpec } from '@askema/core';
import { duckdb } from '@askema/duckdb';
import { postgres } from '@askema/postgres';
import { sqlite } from '@askema/sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import pg from 'pg';
import { postgresServer } from '../harness/postgres-server.ts';
import { scratchFile } from '../harness/scratch.ts';
import type { EngineName } from '../throughput/engines.ts';
import { salesStatements } from './sales.ts';

/** Where the sales are: a file, or the address of a database. */
export async function makeSales(engine: EngineName): Promise<string | undefined> {
  const statements = salesStatements(engine);
  if (engine === 'SQLite')
    return scratchFile('sales.sqlite', (file) => {
      const database = new Database(file);
      for (const statement of statements) database.exec(statement);
      database.close();
    });
  if (engine === 'DuckDB')
    return scratchFile('sales.duckdb', async (file) => {
      const instance = await DuckDBInstance.create(file);
      const connection = await instance.connect();
      for (const statement of statements) await connection.run(statement);
      connection.closeSync();
      instance.closeSync();
    });
  const server = postgresServer();
  if (server === undefined) return undefined;
  const client = new pg.Client(`${server}/postgres`);
  await client.connect();
  const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'sales'");
  if (rowCount === 0) {
    await client.query('CREATE DATABASE sales');
    const sales = new pg.Client(`${server}/sales`);
    await sales.connect();
    for (const statement of statements) await sales.query(statement);
    await sales.end();
  }
  await client.end();
  return `${server}/sales`;
}

/** An adapter, and the processes that work for it. */
export interface Opened {
  readonly adapter: AdapterSpec;
  readonly pids: () => Promise<readonly number[]> | readonly number[];
}

export async function openAdapter(engine: EngineName, place: string): Promise<Opened> {
  if (engine === 'PostgreSQL')
    return { adapter: postgres({ connectionString: place }), pids: await backendPids(place) };
  const adapter = engine === 'SQLite' ? sqlite({ file: place }) : duckdb({ file: place });
  return { adapter, pids: adapter.workerPids };
}

/** The driver alone. */
export interface Driver {
  readonly run: (sql: string) => Promise<DriverResult> | DriverResult;
  readonly pids: () => Promise<readonly number[]> | readonly number[];
}

export interface DriverResult {
  readonly columns: readonly string[];
  readonly rows: readonly unknown[];
}

const CONNECTIONS = 10;

export async function openDriver(engine: EngineName, place: string): Promise<Driver> {
  if (engine === 'PostgreSQL') {
    const pool = new pg.Pool({ connectionString: place, max: CONNECTIONS });
    return {
      async run(sql) {
        const { fields, rows } = await pool.query({ text: sql, rowMode: 'array' });
        return { columns: fields.map(({ name }) => name), rows };
      },
      pids: await backendPids(place),
    };
  }
  if (engine === 'SQLite') {
    const database = new Database(place, { readonly: true });
    return {
      run(sql) {
        const statement = database.prepare(sql).raw();
        return { columns: statement.columns().map(({ name }) => name), rows: statement.all() };
      },
      pids: () => [],
    };
  }
  const instance = await DuckDBInstance.create(place, { access_mode: 'READ_ONLY' });
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => instance.connect()));
  const waiting: (() => void)[] = [];
  return {
    async run(sql) {
      while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      const connection = free.pop();
      if (connection === undefined) throw new Error('No connection is free.');
      try {
        const reader = await connection.runAndReadAll(sql);
        return { columns: reader.columnNames(), rows: reader.getRowsJson() };
      } finally {
        free.push(connection);
        waiting.shift()?.();
      }
    },
    pids: () => [],
  };
}

async function backendPids(place: string): Promise<() => Promise<readonly number[]>> {
  const watcher = new pg.Client(place);
  await watcher.connect();
  return async () => {
    const { rows } = await watcher.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'");
    return rows.map(({ pid }) => pid as number);
  };
}
