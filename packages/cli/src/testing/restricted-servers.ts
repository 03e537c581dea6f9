import { createRequire } from 'node:module';
import type { AdapterSpec } from '@askema/core';
import { mysql } from '@askema/mysql';
import { postgres } from '@askema/postgres';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import { MARIADB_ALLOWED, MARIADB_HOSTILE, MARIADB_SQL } from './restricted-mariadb.ts';
import { POSTGRES_ALLOWED, POSTGRES_HOSTILE, POSTGRES_SQL } from './restricted-postgres.ts';
import { ALLOWED, HOSTILE } from './restricted-shop.ts';

/** The drivers of the adapters, which know nothing of them: they load the shop. */
const driver = <T>(adapter: string, name: string): T =>
  createRequire(new URL(`../../../../adapters/${adapter}/package.json`, import.meta.url))(name) as T;
interface Client {
  connect(): Promise<void>;
  query(sql: string): Promise<unknown>;
  end(): Promise<void>;
}
const { Client: PostgresClient } = driver<{ Client: new (parts: object) => Client }>('postgres', 'pg');
const { createConnection } = driver<{ createConnection(parts: object): Promise<Client> }>('mysql', 'mysql2/promise');

export type Parts = { readonly host: string; readonly port: number; readonly user: string; readonly password: string };

export const connectionOf = ({ host, port, user, password }: Parts): Parts => ({ host, port, user, password });

export interface Engine {
  readonly name: string;
  readonly start: () => Promise<StartedServer>;
  /** Loads the shop, and opens it. */
  readonly open: (parts: Parts) => Promise<AdapterSpec>;
  /** Runs statements as somebody else. */
  readonly run: (parts: Parts, sql: string) => Promise<void>;
  readonly hostile: readonly string[];
  readonly allowed: readonly string[];
}

/** Servers with the shop of which parts are kept back. */
export const ENGINES: readonly Engine[] = [
  {
    name: 'PostgreSQL',
    start: () =>
      startServer('postgres/start.mjs', [], { needs: 'a PostgreSQL server (Debian: apt-get install postgresql)' }),
    async open(parts) {
      await this.run(parts, POSTGRES_SQL);
      return postgres({ ...connectionOf(parts), database: 'postgres' });
    },
    async run(parts, sql) {
      const client = new PostgresClient({ ...connectionOf(parts), database: 'postgres' });
      await client.connect();
      await client.query(sql);
      await client.end();
    },
    hostile: [...HOSTILE, ...POSTGRES_HOSTILE],
    allowed: [...ALLOWED, ...POSTGRES_ALLOWED],
  },
  {
    name: 'MariaDB',
    start: () =>
      startServer('mariadb/start.mjs', [], { needs: 'a MariaDB server (Debian: apt-get install mariadb-server)' }),
    async open(parts) {
      await this.run(parts, MARIADB_SQL);
      return mysql({ ...connectionOf(parts), database: 'shop' });
    },
    async run(parts, sql) {
      const client = await createConnection({ ...connectionOf(parts), multipleStatements: true });
      await client.query('CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4; USE shop');
      await client.query(sql);
      await client.end();
    },
    hostile: [...HOSTILE, ...MARIADB_HOSTILE],
    allowed: [...ALLOWED.filter((sql) => !sql.includes('AS TEXT')), ...MARIADB_ALLOWED],
  },
];
