import { type DataType, quoteIdentifier, quoteString, type Row, type Value } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { AdapterFixture, FixtureTable, NestedKind } from '@askema/testkit';
import pg from 'pg';

type DatabaseFixture = Pick<AdapterFixture, 'tables' | 'views' | 'schemas'>;

/** Where a test's server is. */
export interface ServerParts {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string;
}

const quote = (name: string): string => quoteIdentifier(name, postgresDialect);

/** Runs `work` with a plain connection of the driver, which knows nothing of the adapter. */
export async function withClient<T>(server: ServerParts, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { host, port, user, database, password } = server;
  const client = new pg.Client({ host, port, user, database, password });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

let made = 0;

/** A new database on the server; `LC_COLLATE` is that of the server. */
export async function createDatabase(server: ServerParts, name = 'test'): Promise<ServerParts> {
  made += 1;
  const database = `${name}_${process.pid}_${made}`;
  await withClient(server, (client) => client.query(`CREATE DATABASE ${quote(database)} TEMPLATE template0`));
  return { ...server, database };
}

export async function dropDatabase(server: ServerParts): Promise<void> {
  await withClient({ ...server, database: 'postgres' }, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${quote(server.database)} WITH (FORCE)`),
  );
}

/** Transactions that are open in a database, but for the one that asks. */
export async function runningOf(server: ServerParts): Promise<number> {
  return withClient(server, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'`,
    );
    return Number(rows[0]?.count);
  });
}

/** Catalogs whose rows change with definitions, rights, settings, roles, extensions, locks and everything else that stays. */
const CATALOGS =
  'pg_class pg_attribute pg_attrdef pg_constraint pg_index pg_proc pg_rewrite pg_trigger pg_type pg_enum pg_cast pg_operator pg_aggregate pg_collation pg_namespace pg_policy pg_description pg_shdescription pg_seclabel pg_depend pg_authid pg_auth_members pg_database pg_tablespace pg_db_role_setting pg_default_acl pg_extension pg_event_trigger pg_language pg_publication pg_foreign_data_wrapper pg_foreign_server pg_foreign_table pg_user_mapping pg_statistic_ext pg_largeobject_metadata pg_largeobject pg_prepared_xacts pg_replication_slots pg_replication_origin pg_file_settings'.split(
    ' ',
  );

/** Everything in a database that a forbidden write could have changed, and in its server what stays or others notice. */
export async function stateOf(server: ServerParts): Promise<string> {
  return withClient(server, async (client) => {
    const hashes = CATALOGS.map(
      (name) => `(SELECT '${name} ' || md5(coalesce(string_agg(c::text, ',' ORDER BY c::text), '')) FROM ${name} AS c)`,
    );
    const { rows } = await client.query({ text: `SELECT ${hashes.join(', ')}`, rowMode: 'array' });
    const settings = await client.query('SELECT name, setting FROM pg_settings ORDER BY name');
    const locks = await client.query("SELECT mode FROM pg_locks WHERE locktype = 'advisory'");
    return JSON.stringify([await relationsOf(client, undefined), rows, settings.rows, locks.rows]);
  });
}

/** Runs statements as the owner of the database, with the driver alone; in a schema, if it is named. */
export async function plant(server: ServerParts, statements: readonly string[], schema?: string): Promise<void> {
  const place = schema === undefined ? [] : [`SET LOCAL search_path TO ${quote(schema)}`];
  // As one: connections of PGlite share their settings.
  await withClient(server, (client) => client.query([...place, ...statements].join(';\n')));
}

/** The same of one schema. */
export async function schemaState(server: ServerParts, schema: string): Promise<string> {
  return withClient(server, async (client) => JSON.stringify(await relationsOf(client, schema)));
}

async function relationsOf(client: pg.Client, schema: string | undefined): Promise<unknown[]> {
  const { rows } = await client.query<{ name: string; kind: string }>(
    `SELECT c.oid::regclass::text AS name, c.relkind::text AS kind, (SELECT count(*) FROM pg_attribute AS a WHERE a.attrelid = c.oid) AS columns
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND n.nspname = coalesce($1, n.nspname) ORDER BY 1`,
    [schema ?? null],
  );
  const state: unknown[] = [rows];
  for (const { name, kind } of rows) {
    if (kind === 'r') state.push((await client.query(`SELECT * FROM ${name} ORDER BY 1`)).rows);
    if (kind === 'S') state.push((await client.query(`SELECT last_value, is_called FROM ${name}`)).rows);
  }
  return state;
}

/** Statements at a time; they are one transaction, which must not lock too many tables. */
const CHUNK = 200;

/** Creates a fixture with the driver alone: in an empty database, or in a new schema of this name. */
export async function loadFixture(server: ServerParts, fixture: DatabaseFixture, schema?: string): Promise<void> {
  const statements = fixtureStatements(fixture);
  await withClient(server, async (client) => {
    if (schema !== undefined) await client.query(`CREATE SCHEMA ${quote(schema)}; SET search_path TO ${quote(schema)}`);
    for (let start = 0; start < statements.length; start += CHUNK)
      await client.query(statements.slice(start, start + CHUNK).join(';\n'));
  });
}

/** The statements that make a fixture's schemas, tables, rows, comments and views. */
function fixtureStatements(fixture: DatabaseFixture): readonly string[] {
  return [
    ...fixture.tables.map(createTable),
    ...fixture.tables.flatMap(insertRows),
    ...fixture.tables.flatMap(comments),
    ...fixture.views.map(({ name, sql }) => `CREATE VIEW ${quote(name)} AS ${sql(quote)}`),
    ...(fixture.schemas ?? []).flatMap(({ name, content }) => [
      `CREATE SCHEMA ${quote(name)}`,
      `SET search_path TO ${quote(name)}`,
      ...fixtureStatements(content),
    ]),
  ];
}

function createTable(table: FixtureTable): string {
  const list = (names: readonly string[]): string => `(${names.map(quote).join(', ')})`;
  const parts = [
    ...table.columns.map(
      ({ name, type, notNull, nested }, index) =>
        `${quote(name)} ${nativeType(nested ?? type, table, index)}${notNull ? ' NOT NULL' : ''}`,
    ),
    ...(table.key.length > 0 ? [`PRIMARY KEY ${list(table.key)}`] : []),
    ...table.unique.map((key) => `UNIQUE ${list(key)}`),
    ...table.foreignKeys.map(
      ({ from, target, to }) => `FOREIGN KEY ${list(from)} REFERENCES ${quote(target)} ${list(to)}`,
    ),
  ];
  return `CREATE TABLE ${quote(table.name)} (${parts.join(', ')})`;
}

function nativeType(type: DataType | NestedKind, { rows }: FixtureTable, column: number): string {
  if (type === 'texts') return 'TEXT[]';
  if (type === 'address' || type === 'items') return 'JSONB';
  if (type !== 'NUMERIC') return postgresDialect.types.native[type];
  const isFloat = rows.some((row) => typeof row[column] === 'number' && !Number.isInteger(row[column]));
  return isFloat ? 'DOUBLE PRECISION' : 'BIGINT';
}

function insertRows({ name, columns, rows }: FixtureTable): string[] {
  if (rows.length === 0) return [];
  const texts = columns.map(({ nested }) => nested === 'texts');
  const write = (row: Row): string =>
    `(${row.map((value, index) => (texts[index] && value !== null ? textArray(value) : literal(value))).join(', ')})`;
  return [`INSERT INTO ${quote(name)} VALUES ${rows.map(write).join(', ')}`];
}

function comments({ name, comment, columns }: FixtureTable): string[] {
  const texts: (readonly [subject: string, text: string])[] = columns.flatMap((column) =>
    column.comment === undefined ? [] : [[`COLUMN ${quote(name)}.${quote(column.name)}`, column.comment] as const],
  );
  if (comment !== undefined) texts.push([`TABLE ${quote(name)}`, comment]);
  return texts.map(([subject, text]) => `COMMENT ON ${subject} IS ${quoteString(text, postgresDialect)}`);
}

function textArray(value: Value): string {
  return `ARRAY[${(value as readonly Value[]).map(literal).join(', ')}]::text[]`;
}

function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`;
  if (typeof value === 'object') return `${quoteString(JSON.stringify(value), postgresDialect)}::jsonb`;
  return typeof value === 'string' ? quoteString(value, postgresDialect) : String(value);
}
