import { resolveAdapter } from '@askema/core';
import { postgres } from '@askema/postgres';
import pg from 'pg';
import type { Work } from '../harness/bench.ts';
import { postgresServer } from '../harness/postgres-server.ts';
import { createStatements, expectCounts } from './tables.ts';

/** Tables of one transaction: a server keeps a lock for each of them. */
const TABLES_A_TRANSACTION = 100;

/** The address of a database with so many tables; undefined where no server was started. Made by who asks first. */
export async function postgresAddress(tables: number): Promise<string | undefined> {
  const server = postgresServer();
  if (server === undefined) return undefined;
  const name = `tables_${tables}`;
  const admin = await connect(`${server}/postgres`);
  const known = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (known.rowCount === 0) await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  if (known.rowCount === 0) await fill(`${server}/${name}`, tables);
  return `${server}/${name}`;
}

async function fill(address: string, tables: number): Promise<void> {
  const client = await connect(address);
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await client.query(`BEGIN; ${batch.join(';\n')}; COMMIT`);
    batch = [];
  };
  for (const statement of createStatements(tables)) if (batch.push(statement) === TABLES_A_TRANSACTION) await flush();
  await flush();
  await client.query('ANALYZE');
  await client.end();
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

export function askema(connectionString: string, tables: number, rowCountTimeoutMs: number | undefined): Work {
  const adapter = resolveAdapter(postgres({ connectionString, rowCountTimeoutMs }));
  return {
    run: async () => {
      const catalog = await adapter.introspect();
      const counts = {
        tables: Object.keys(catalog.relations).length,
        columns: Object.keys(catalog.attributes).length,
      };
      expectCounts(counts, tables);
      return catalog;
    },
    close: () => adapter.close(),
  };
}

const STATEMENTS = [
  `SELECT c.oid, n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)
   FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname = 'public' ORDER BY c.oid, a.attnum`,
  `SELECT conrelid, conname, contype, conkey, confrelid, confkey FROM pg_constraint JOIN pg_namespace AS n ON n.oid = connamespace
   WHERE n.nspname = 'public' AND contype IN ('p', 'u', 'f')`,
];

/** Two statements on one connection, their rows grouped by table and nothing else: the least that can be done. */
export async function rawStatements(address: string, tables: number): Promise<Work> {
  const client = await connect(address);
  return {
    run: async () => {
      const grouped: Map<unknown, unknown[][]>[] = [];
      for (const text of STATEMENTS) {
        const byTable = new Map<unknown, unknown[][]>();
        const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
        for (const row of rows) {
          const known = byTable.get(row[0]);
          if (known === undefined) byTable.set(row[0], [row]);
          else known.push(row);
        }
        grouped.push(byTable);
      }
      const columns = grouped[0] ?? new Map<unknown, unknown[][]>();
      expectCounts({ tables: columns.size, columns: [...columns.values()].flat().length }, tables);
      return grouped;
    },
    close: () => client.end(),
  };
}

export async function kysely(connectionString: string, tables: number): Promise<Work> {
  const { Kysely, PostgresDialect } = await import('kysely');
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 1 }) }) });
  return {
    run: async () => {
      const found = await db.introspection.getTables();
      expectCounts({ tables: found.length, columns: found.flatMap(({ columns }) => columns).length }, tables);
      return found;
    },
    close: () => db.destroy(),
  };
}

export async function knex(connectionString: string, tables: number): Promise<Work> {
  const { default: createKnex } = await import('knex');
  const db = createKnex({ client: 'pg', connection: connectionString });
  return {
    run: async () => {
      const names: { readonly tablename: string }[] = await db('pg_tables')
        .select('tablename')
        .where('schemaname', 'public');
      const found = [];
      for (const { tablename } of names) found.push(await db(tablename).columnInfo());
      expectCounts({ tables: found.length, columns: found.flatMap((columns) => Object.keys(columns)).length }, tables);
      return found;
    },
    close: () => db.destroy(),
  };
}

export async function serverVersion(): Promise<string> {
  const server = postgresServer();
  if (server === undefined) return 'absent';
  const client = await connect(`${server}/postgres`);
  const { rows } = await client.query<{ readonly server_version: string }>('SHOW server_version');
  await client.end();
  return rows[0]?.server_version ?? 'unknown';
}
