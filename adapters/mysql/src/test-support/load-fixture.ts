import { quoteValue } from '@askema/adapter-kit';
import { type Parameter, quoteIdentifier, quoteString, type Row, type Value } from '@askema/core';
import { mariadbDialect } from '@askema/dialects';
import type { AdapterFixture, FixtureTable } from '@askema/testkit';
import mysql2, { type Connection } from 'mysql2/promise';

type DatabaseFixture = Pick<AdapterFixture, 'tables' | 'views'>;

/** Where a test's server is. */
export interface ServerParts {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

const quote = (name: string): string => quoteIdentifier(name, mariadbDialect);

/** Runs `work` with a plain connection of the driver, which knows nothing of the adapter. */
export async function withClient<T>(
  { host, port, user, password }: ServerParts,
  work: (client: Connection) => Promise<T>,
): Promise<T> {
  const client = await mysql2.createConnection({
    host,
    port,
    user,
    password,
    multipleStatements: true,
    rowsAsArray: true,
    dateStrings: true,
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

let made = 0;

/** Creates a new database with a fixture in it, with the driver alone; its name. */
export async function loadFixture(server: ServerParts, fixture: DatabaseFixture, name?: string): Promise<string> {
  made += 1;
  const database = name ?? `test_${process.pid}_${made}`;
  const statements = [
    ...fixture.tables.map(createTable),
    ...fixture.tables.flatMap(insertRows),
    ...fixture.views.map(({ name: view, sql }) => `CREATE VIEW ${quote(view)} AS ${sql(quote)}`),
  ];
  await withClient(server, async (client) => {
    await client.query(`CREATE DATABASE ${quote(database)} CHARACTER SET utf8mb4; USE ${quote(database)}`);
    for (let start = 0; start < statements.length; start += 100)
      await client.query(statements.slice(start, start + 100).join(';\n'));
  });
  return database;
}

export async function dropDatabases(server: ServerParts, names: readonly string[]): Promise<void> {
  await withClient(server, (client) =>
    client.query(names.map((name) => `DROP DATABASE IF EXISTS ${quote(name)}`).join(';')),
  );
}

/** Statements that run, but for the one that asks. */
export async function runningOf(server: ServerParts): Promise<number> {
  return withClient(server, async (client) => {
    const [rows] = await client.query(
      "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND COMMAND IN ('Query', 'Execute')",
    );
    return Number((rows as unknown[][])[0]?.[0]);
  });
}

const SYSTEM = `('mysql', 'sys', 'information_schema', 'performance_schema')`;

/** Everything that a forbidden statement could have changed: settings, accounts, objects, locks, rows. */
export async function stateOf(server: ServerParts, databases: readonly string[]): Promise<string> {
  return withClient(server, async (client) => {
    const read = async (sql: string): Promise<unknown[]> => (await client.query(sql))[0] as unknown[];
    const state: unknown[] = [
      await read('SHOW DATABASES'),
      // What counts by itself is no setting.
      await read("SHOW GLOBAL VARIABLES WHERE Variable_name NOT REGEXP 'gtid|timestamp|last_|identity'"),
      await read('SELECT * FROM mysql.global_priv'),
      await read('SELECT * FROM mysql.db'),
      await read('SELECT * FROM mysql.servers'),
      await read('SELECT * FROM mysql.tables_priv'),
      await read('SELECT * FROM mysql.columns_priv'),
      await read('SELECT * FROM mysql.procs_priv'),
      await read('SELECT * FROM mysql.roles_mapping'),
      await read('SELECT * FROM mysql.func'),
      await read('SELECT * FROM mysql.plugin'),
      await read(
        `SELECT ROUTINE_SCHEMA, ROUTINE_NAME, ROUTINE_DEFINITION FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA NOT IN ${SYSTEM}`,
      ),
      await read('SELECT EVENT_SCHEMA, EVENT_NAME, EVENT_DEFINITION, STATUS FROM information_schema.EVENTS'),
      await read('SELECT TRIGGER_SCHEMA, TRIGGER_NAME, ACTION_STATEMENT FROM information_schema.TRIGGERS'),
      await read('SHOW OPEN TABLES WHERE In_use > 0'),
      await read('XA RECOVER'),
      await read('SELECT PLUGIN_NAME, PLUGIN_STATUS FROM information_schema.PLUGINS'),
      await read("SELECT IS_FREE_LOCK('hacked')"),
    ];
    for (const database of databases) {
      for (const [name, kind] of (await read(`SHOW FULL TABLES FROM ${quote(database)}`)) as [string, string][]) {
        const table = `${quote(database)}.${quote(name)}`;
        state.push(await read(`SHOW CREATE TABLE ${table}`));
        if (kind === 'BASE TABLE' || kind === 'SEQUENCE') state.push(await read(`SELECT * FROM ${table} ORDER BY 1`));
      }
    }
    return JSON.stringify(state);
  });
}

function createTable(table: FixtureTable): string {
  const list = (names: readonly string[]): string => `(${names.map(quote).join(', ')})`;
  const comment = (text: string | undefined): string =>
    text === undefined ? '' : ` COMMENT ${quoteString(text, mariadbDialect)}`;
  const inKeys = [table.key, ...table.unique, ...table.foreignKeys.map(({ from }) => from)].flat();
  const parts = [
    ...table.columns.map(
      ({ name, notNull, comment: text }, index) =>
        `${quote(name)} ${nativeType(table, index, inKeys)}${notNull ? ' NOT NULL' : ' NULL'}${comment(text)}`,
    ),
    ...(table.key.length > 0 ? [`PRIMARY KEY ${list(table.key)}`] : []),
    ...table.unique.map((key) => `UNIQUE ${list(key)}`),
    ...table.foreignKeys.map(
      ({ from, target, to }) => `FOREIGN KEY ${list(from)} REFERENCES ${quote(target)} ${list(to)}`,
    ),
  ];
  return `CREATE TABLE ${quote(table.name)} (${parts.join(', ')})${comment(table.comment)}`;
}

function nativeType({ columns, rows }: FixtureTable, index: number, inKeys: readonly string[]): string {
  const { name = '', type = 'TEXT', nested } = columns[index] ?? {};
  if (nested !== undefined) return 'JSON';
  const { native, nativeInKey } = mariadbDialect.types;
  if (type !== 'NUMERIC') return (inKeys.includes(name) ? nativeInKey?.[type] : undefined) ?? native[type];
  return rows.some((row) => typeof row[index] === 'number' && !Number.isInteger(row[index])) ? 'DOUBLE' : 'BIGINT';
}

function insertRows({ name, rows }: FixtureTable): string[] {
  if (rows.length === 0) return [];
  const write = (row: Row): string => `(${row.map(literal).join(', ')})`;
  return [`INSERT INTO ${quote(name)} VALUES ${rows.map(write).join(', ')}`];
}

function literal(value: Value): string {
  const isNested = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  return isNested ? quoteString(JSON.stringify(value), mariadbDialect) : quoteValue(value as Parameter, mariadbDialect);
}
