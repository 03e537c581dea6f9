import { existsSync, readFileSync } from 'node:fs';
import type { AdapterSpec } from '@askema/core';
import { duckdb } from '@askema/duckdb';
import { postgres } from '@askema/postgres';
import { sqlite } from '@askema/sqlite';
import { DuckDBInstance, version as duckdbVersion } from '@duckdb/node-api';
import pg from 'pg';
import type { Figures } from '../harness/bench.ts';
import { postgresServer } from '../harness/postgres-server.ts';
import { scratchFile } from '../harness/scratch.ts';
import { storeFile, storeStatements } from './store.ts';

export const ENGINES = ['PostgreSQL', 'DuckDB', 'SQLite'] as const;
export type EngineName = (typeof ENGINES)[number];

/** The sample database in one engine, and the two ways to it. */
export interface Engine {
  /** Runs a statement by the driver alone. `lane`: statements of one lane come one after the other. */
  readonly run: (sql: string, lane: number) => Promise<number> | number;
  readonly adapter: AdapterSpec;
  /** The processes that work for this one. */
  readonly pids: () => Promise<readonly number[]> | readonly number[];
  readonly close: () => Promise<unknown>;
}

/** @param lanes statements at a time. Undefined where the engine is not installed. */
export async function openEngine(name: EngineName, lanes: number): Promise<Engine | undefined> {
  if (name === 'PostgreSQL') return openPostgres();
  return name === 'DuckDB' ? openDuckdb(lanes) : openSqlite();
}

async function openPostgres(): Promise<Engine | undefined> {
  const server = postgresServer();
  if (server === undefined) return undefined;
  const connectionString = `${server}/throughput`;
  const pool = new pg.Pool({ connectionString });
  const watcher = new pg.Client(`${server}/postgres`);
  await watcher.connect();
  const made = await watcher.query("SELECT 1 FROM pg_database WHERE datname = 'throughput'");
  if (made.rowCount === 0) {
    await watcher.query('CREATE DATABASE throughput');
    const client = await pool.connect();
    for await (const statement of storeStatements()) await client.query(statement);
    await client.query('ANALYZE');
    client.release();
  }
  return {
    run: async (sql) => (await pool.query(sql)).rows.length,
    adapter: postgres({ connectionString }),
    pids: async () => {
      const { rows } = await watcher.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'");
      return rows.map(({ pid }) => pid as number);
    },
    close: async () => [await pool.end(), await watcher.end()],
  };
}

async function openDuckdb(lanes: number): Promise<Engine> {
  const file = await scratchFile('store.duckdb', async (path) => {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for await (const statement of storeStatements()) await connection.run(statement);
    await connection.run('CHECKPOINT');
    connection.closeSync();
    instance.closeSync();
  });
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connections = await Promise.all(Array.from({ length: lanes }, () => instance.connect()));
  const adapter = duckdb({ file });
  return {
    run: async (sql, lane) => (await connections[lane]?.runAndReadAll(sql))?.getRows().length ?? 0,
    adapter,
    pids: adapter.workerPids,
    close: async () => {
      for (const connection of connections) connection.closeSync();
      instance.closeSync();
    },
  };
}

async function openSqlite(): Promise<Engine> {
  const file = await storeFile();
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(file, { readonly: true });
  const adapter = sqlite({ file });
  return {
    run: (sql) => database.prepare(sql).raw().all().length,
    adapter,
    pids: adapter.workerPids,
    close: async () => database.close(),
  };
}

/** Processor time of a process so far, in seconds: proc_pid_stat(5), fields 14 and 15, in ticks of 10 ms. */
export function processorSeconds(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export async function versions(): Promise<Figures> {
  const server = postgresServer();
  if (server === undefined) return { DuckDB: duckdbVersion() };
  const client = new pg.Client(`${server}/postgres`);
  await client.connect();
  const { rows } = await client.query('SHOW server_version');
  await client.end();
  return { DuckDB: duckdbVersion(), PostgreSQL: String(rows[0]?.server_version) };
}
