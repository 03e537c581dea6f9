import { RequestFailure } from '@askema/adapter-kit/process';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';

/**
 * What stands behind the names that a statement may use. All names are in lower case and without a schema: one name may
 * be several things.
 */
export interface Definitions {
  /** Functions of the engine that are no macros. */
  readonly builtIn: ReadonlySet<string>;
  /** The engine's own macros and those of the opened database. */
  readonly macros: ReadonlyMap<string, readonly Definition[]>;
  /** The engine's own views and those of the opened database. */
  readonly views: ReadonlyMap<string, readonly Definition[]>;
  /** Expressions of tables that have generated columns: those, and defaults, which DuckDB does not tell from them. */
  readonly generated: ReadonlyMap<string, readonly string[]>;
}

export interface Definition {
  /** Undefined where it cannot be told. */
  readonly query: string | undefined;
  /** The engine's own. */
  readonly internal: boolean;
  /** Of a macro. */
  readonly parameters?: number | undefined;
}

// The first statement on an opened database: all that it calls is qualified, and nothing of the database can change it.
const FUNCTIONS = `SELECT function_name, function_type, macro_definition, internal, system.main.len(parameters)
  FROM system.main.duckdb_functions()`;
const VIEWS = 'SELECT view_name, sql, internal FROM system.main.duckdb_views()';
/** Taken in the place of the engine's own, which an extension brings. */
const JSON_TYPES = `SELECT type_name FROM system.main.duckdb_types() WHERE NOT internal AND system.main.lower(type_name) = 'json'`;
const GENERATED = `
  SELECT c.table_name, c.column_default FROM system.main.duckdb_columns() AS c JOIN system.main.duckdb_tables() AS t
  ON c.database_oid = t.database_oid AND c.schema_oid = t.schema_oid AND c.table_oid = t.table_oid
  WHERE c.column_default IS NOT NULL AND system.main.contains(t.sql, 'GENERATED ALWAYS AS')`;

/**
 * Rejects with `QUERY_REFUSED` where a macro of the database has the name of a function or an operator of the engine.
 *
 * @param ownViews the views that are not the engine's were made by this process, over files that may be read.
 */
export async function readDefinitions(connection: DuckDBConnection, ownViews: boolean): Promise<Definitions> {
  const [json] = await rowsOf(connection, JSON_TYPES);
  if (json !== undefined) throw inPlace('a type', quoted(json[0]), 'a type', `TYPE ${quoted(json[0])}`);
  const builtIn = new Set<string>();
  const macros = new Map<string, Definition[]>();
  const functions = await rowsOf(connection, FUNCTIONS);
  throwIfShadowed(functions);
  for (const [name, type, definition, internal, parameters] of functions) {
    const macro = { internal: internal === true, parameters: Number(parameters) };
    if (type === 'macro') add(macros, name, { query: `SELECT ${definition}`, ...macro });
    else if (type === 'table_macro') add(macros, name, { query: String(definition), ...macro });
    // A pragma is no function that a query can call.
    else if (type !== 'pragma') builtIn.add(String(name).toLowerCase());
  }
  const views = new Map<string, Definition[]>();
  const relations = await rowsOf(connection, VIEWS);
  const computed = await rowsOf(connection, GENERATED);
  throwIfStandingIn(relations, computed);
  for (const [name, sql, internal] of relations)
    if (internal === true || !ownViews)
      add(views, name, { query: queryOfView(String(sql)), internal: internal === true });
  const generated = new Map<string, string[]>();
  for (const [name, expression] of computed) add(generated, name, `SELECT ${expression}`);
  return { builtIn, macros, views, generated };
}

/** Names without a letter or a digit: `+`, `||`, `->`. */
const OPERATOR = /^[^\p{L}\p{N}_\s]+$/u;

/**
 * DuckDB takes such a macro in the place of its own function, also where a statement has no call but an operator, a
 * keyword (`CURRENT_DATE`) or a form (`SUMMARIZE`), and where it writes statements itself. So what a statement runs could
 * not be told from its tree.
 */
function throwIfShadowed(functions: readonly DuckDBValue[][]): void {
  const key = (name: DuckDBValue | undefined): string => String(name).toLowerCase();
  const isOwn = (internal: DuckDBValue | undefined): boolean => internal !== true;
  const engine = new Set(functions.flatMap(([name, , , internal]) => (isOwn(internal) ? [] : [key(name)])));
  const found = functions.find(
    ([name, , , internal]) => isOwn(internal) && (engine.has(key(name)) || OPERATOR.test(String(name))),
  );
  if (found === undefined) return;
  const [name, type] = found;
  const what = type === 'table_macro' ? 'MACRO TABLE' : 'MACRO';
  throw inPlace('a macro', quoted(name), 'a function or an operator', `${what} ${quoted(name)}`);
}

/**
 * DuckDB turns SHOW TABLES, DESCRIBE and their kin into statements that name its own views without a schema: a view of
 * the database with that name, or a table that computes columns, is read in their place, and no tree shows it.
 */
function throwIfStandingIn(views: readonly DuckDBValue[][], computed: readonly DuckDBValue[][]): void {
  const engine = new Set(
    views.flatMap(([name, , internal]) => (internal === true ? [String(name).toLowerCase()] : [])),
  );
  const standsIn = ([name]: DuckDBValue[]): boolean =>
    /^(?:duckdb|pragma|sqlite)_/i.test(String(name)) && engine.has(String(name).toLowerCase());
  const view = views.find((one) => one[2] !== true && standsIn(one));
  if (view !== undefined) throw inPlace('a view', quoted(view[0]), 'a view', `VIEW ${quoted(view[0])}`);
  const table = computed.find(standsIn);
  if (table !== undefined) throw inPlace('a table', quoted(table[0]), 'a view', `TABLE ${quoted(table[0])}`);
}

const quoted = (name: DuckDBValue | undefined): string => `"${String(name).replaceAll('"', '""')}"`;

function inPlace(what: string, name: string, own: string, drop: string): RequestFailure {
  return new RequestFailure({
    kind: 'refused',
    code: 'QUERY_REFUSED',
    message: `The database has ${what} ${name}, which is also ${own} of DuckDB and would run in its place, so nothing of this database is read. Drop it (DROP ${drop}) or give it another name in a program that may write, or export the tables to Parquet files and open those.`,
  });
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<DuckDBValue[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}

function add<T>(map: Map<string, T[]>, name: DuckDBValue | undefined, value: T): void {
  const key = String(name).toLowerCase();
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

const NAME = String.raw`(?:"(?:[^"]|"")*"|[^\s".,()]+)`;

/** As DuckDB writes the statement of a view: `CREATE TEMP VIEW s.v (a, b) AS SELECT …`. */
const VIEW = new RegExp(
  String.raw`^CREATE (?:OR REPLACE )?(?:TEMP )?VIEW (?:IF NOT EXISTS )?${NAME}(?:\.${NAME})* (?:\(${NAME}(?:, ${NAME})*\) )?AS `,
);

function queryOfView(sql: string): string | undefined {
  const head = VIEW.exec(sql)?.[0];
  return head === undefined ? undefined : sql.slice(head.length);
}
