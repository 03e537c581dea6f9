import { AskemaError } from '@askema/core';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { checkConnection, connectionError } from './connection-error.ts';
import { loadPg } from './load-drivers.ts';

/** Connections of this package's own, beside those of DBOS. */
const POOL_SIZE = 4;

export interface StoreOptions {
  readonly connection: string;
  /** Of our tables. */
  readonly schema: string;
  /** Of the tables of DBOS. */
  readonly dbosSchema: string;
}

/** The database, through a few connections. Statements name their tables as `{askema}.results` and `{dbos}.workflow_status`. */
export interface Store extends StoreOptions {
  query<Row extends QueryResultRow>(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>;
  /** On one connection, as one transaction. */
  transaction<T>(work: (query: Store['query']) => Promise<T>): Promise<T>;
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
  return {
    ...options,
    query: (sql, parameters) => ask(pool, sql, parameters),
    async transaction(work) {
      const client = await pool.connect().catch((thrown: unknown) => {
        throw connectionError(thrown, 'The queue', options.connection);
      });
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
