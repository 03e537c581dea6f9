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
}

// All functions are qualified: a macro of the opened database may have the same name.
const FUNCTIONS = 'SELECT function_name, function_type, macro_definition, internal FROM system.main.duckdb_functions()';
const VIEWS = 'SELECT view_name, sql, internal FROM system.main.duckdb_views()';
const GENERATED = `
  SELECT table_name, column_default FROM system.main.duckdb_columns()
  WHERE column_default IS NOT NULL AND (database_oid, schema_oid, table_oid) IN (
    SELECT (database_oid, schema_oid, table_oid) FROM system.main.duckdb_tables()
    WHERE system.main.contains(sql, 'GENERATED ALWAYS AS'))`;

/** @param ownViews the views that are not the engine's were made by this process, over files that may be read. */
export async function readDefinitions(connection: DuckDBConnection, ownViews: boolean): Promise<Definitions> {
  const builtIn = new Set<string>();
  const macros = new Map<string, Definition[]>();
  for (const [name, type, definition, internal] of await rowsOf(connection, FUNCTIONS)) {
    if (type === 'macro') add(macros, name, { query: `SELECT ${definition}`, internal: internal === true });
    else if (type === 'table_macro') add(macros, name, { query: String(definition), internal: internal === true });
    // A pragma is no function that a query can call.
    else if (type !== 'pragma') builtIn.add(String(name).toLowerCase());
  }
  const views = new Map<string, Definition[]>();
  for (const [name, sql, internal] of await rowsOf(connection, VIEWS))
    if (internal === true || !ownViews)
      add(views, name, { query: queryOfView(String(sql)), internal: internal === true });
  const generated = new Map<string, string[]>();
  for (const [name, expression] of await rowsOf(connection, GENERATED)) add(generated, name, `SELECT ${expression}`);
  return { builtIn, macros, views, generated };
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
