import { AskemaError } from '@askema/core';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { checkConnection, connectionError } from './connection-error.ts';
import { loadPg } from './load-drivers.ts';

/** Connections of this package's own, beside those of DBOS. */
const POOL_SIZE = 4;

/** All statements are short: one that takes so long waits for a server that is gone. */
const STATEMENT_TIMEOUT_MS = 30_000;

export interface StoreOptions {
  readonly connection: string;
  /** Of our tables. */
  readonly schema: string;
  /** Of the tables of DBOS. */
  readonly dbosSchema: string;
}

/**
 * The database, through a few connections. Statements name their tables as `{askema}.results` and
 * `{dbos}.workflow_status`.
 */
export interface Store extends StoreOptions {
  query<Row extends QueryResultRow>(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>;
  /** On one connection, as one transaction. */
  transaction<T>(work: (query: Store['query']) => Promise<T>): Promise<T>;
  /** While no other process does it with the same number. */
  exclusively<T>(lock: number, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens the database and asks it something, so that what is wrong with the address is said at once. */
export async function openStore(options: StoreOptions): Promise<Store> {
  checkConnection(options.connection);
  const names = { askema: quoteSchema(options.schema), dbos: quoteSchema(options.dbosSchema) };
  const { Pool } = await loadPg();
  const pool = new Pool({
    connectionString: options.connection,
    max: POOL_SIZE,
    connectionTimeoutMillis: 15_000,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'askema',
  });
  // A lost idle connection is replaced at the next statement.
  pool.on('error', () => {});
  const store = createStore(options, pool, (sql) =>
    sql.replace(/\{(askema|dbos)\}/g, (_, name: 'askema') => names[name]),
  );
  try {
    await store.query('SELECT 1');
  } catch (thrown) {
    await pool.end();
    throw thrown;
  }
  return store;
}

function createStore(options: StoreOptions, pool: Pool, named: (sql: string) => string): Store {
  const ask = async (client: Pool | PoolClient, sql: string, parameters: readonly unknown[] = []) => {
    try {
      return (await client.query(named(sql), [...parameters])).rows;
    } catch (thrown) {
      throw connectionError(thrown, 'The queue', options.connection);
    }
  };
  const connect = (): Promise<PoolClient> =>
    pool.connect().catch((thrown: unknown) => {
      throw connectionError(thrown, 'The queue', options.connection);
    });
  return {
    ...options,
    query: (sql, parameters) => ask(pool, sql, parameters),
    async exclusively(lock, work) {
      // Of the session and asked for again and again: an open transaction, or one that waits, would stop CREATE INDEX
      // CONCURRENTLY in others.
      const client = await connect();
      try {
        for (;;) {
          const [row] = await ask(client, 'SELECT pg_try_advisory_lock($1) AS held', [lock]);
          if (row?.held === true) break;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return await work();
      } finally {
        // Ending the session lets go of the lock, whatever has happened to it.
        client.release(true);
      }
    },
    async transaction(work) {
      const client = await connect();
      let broken = false;
      try {
        await ask(client, 'BEGIN');
        const result = await work((sql, parameters) => ask(client, sql, parameters));
        await ask(client, 'COMMIT');
        return result;
      } catch (thrown) {
        await ask(client, 'ROLLBACK').catch(() => {
          broken = true;
        });
        throw thrown;
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

/** @throws AskemaError `CONFIG_INVALID`. */
function quoteSchema(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name)) return `"${name}"`;
  throw new AskemaError(
    'CONFIG_INVALID',
    `\`${name}\` is no name for a schema here: letters, digits and underscores, 63 at most.`,
  );
}
