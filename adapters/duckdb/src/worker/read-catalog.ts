import type { Conversation } from '@askema/adapter-kit/process';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { DuckdbTalk, RawCatalog, RawCatalogColumn, RawConstraint, RawRelation } from '../protocol.ts';
import { failureOf } from './engine-failure.ts';
import type { FunctionGuard } from './function-guard.ts';
import type { Engine } from './open-engine.ts';
import { quote } from './view-statements.ts';

/**
 * DuckDB's own tables (https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions), of the opened database alone
 * and without internals. Functions are qualified: a macro of the database may have the same name.
 */
const RELATIONS = `
  SELECT schema_name, table_name, 'table', comment, sql, estimated_size FROM system.main.duckdb_tables()
  WHERE NOT internal AND NOT temporary AND database_name = system.main.current_database()
  UNION ALL
  SELECT schema_name, view_name, 'view', comment, sql, NULL FROM system.main.duckdb_views()
  WHERE NOT internal AND NOT temporary AND database_name = system.main.current_database()
  ORDER BY 1, 2`;

const COLUMNS = `
  SELECT schema_name, table_name, column_name, data_type, NOT is_nullable, column_default, comment FROM system.main.duckdb_columns()
  WHERE NOT internal AND database_name = system.main.current_database()
  ORDER BY schema_name, table_name, column_index`;

const CONSTRAINTS = `
  SELECT schema_name, table_name, constraint_type, constraint_column_names,
    CASE constraint_type WHEN 'CHECK' THEN expression END, referenced_table, referenced_column_names
  FROM system.main.duckdb_constraints()
  WHERE database_name = system.main.current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY', 'CHECK')
  ORDER BY schema_name, table_name, constraint_index`;

/** Everything in one transaction, so that all parts are of one state. */
export async function readCatalog(
  { guard }: Engine,
  connection: DuckDBConnection,
  conversation: Conversation<DuckdbTalk>,
): Promise<RawCatalog> {
  await connection.run('BEGIN TRANSACTION READ ONLY');
  try {
    const database = String((await rowsOf(connection, 'SELECT system.main.current_database()'))[0]?.[0] ?? '');
    const relations = (await rowsOf(connection, RELATIONS)).map(toRelation);
    const columns = (await rowsOf(connection, COLUMNS)).map(toColumn);
    const constraints = (await rowsOf(connection, CONSTRAINTS)).map(toConstraint);
    const broken = await brokenViews(guard, connection, relations, conversation);
    return { database, relations, columns, constraints, broken };
  } finally {
    await connection.run('ROLLBACK').catch(() => undefined);
  }
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<DuckDBValue[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}

/** Views whose tables or files are gone, or that call what a read may not call: other files, settings. */
async function brokenViews(
  guard: FunctionGuard,
  connection: DuckDBConnection,
  relations: readonly RawRelation[],
  conversation: Conversation<DuckdbTalk>,
): Promise<RawCatalog['broken']> {
  const broken: { schema: string; relation: string; message: string }[] = [];
  for (const [schema, relation, kind] of relations) {
    if (kind !== 'view') continue;
    conversation.throwIfStopped();
    const sql = `FROM ${quote(schema)}.${quote(relation)}`;
    try {
      const { refusal } = await guard.judge(connection, sql);
      if (refusal !== undefined) broken.push({ schema, relation, message: refusal });
      else (await connection.prepare(sql)).destroySync();
    } catch (thrown) {
      broken.push({ schema, relation, message: failureOf(thrown).message });
    }
  }
  return broken;
}

function toRelation([schema, name, kind, comment, sql, rows]: DuckDBValue[]): RawRelation {
  return [
    String(schema),
    String(name),
    kind === 'table' ? 'table' : 'view',
    textOf(comment),
    textOf(sql),
    numberOf(rows),
  ];
}

function toColumn([schema, relation, name, type, notNull, byDefault, comment]: DuckDBValue[]): RawCatalogColumn {
  return [
    String(schema),
    String(relation),
    String(name),
    String(type),
    notNull === true,
    textOf(byDefault),
    textOf(comment),
  ];
}

function toConstraint([schema, relation, kind, columns, check, target, targets]: DuckDBValue[]): RawConstraint {
  return [
    String(schema),
    String(relation),
    String(kind) as RawConstraint[2],
    namesOf(columns),
    textOf(check),
    textOf(target),
    namesOf(targets),
  ];
}

function textOf(value: DuckDBValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: DuckDBValue | undefined): number | null {
  return typeof value === 'bigint' ? Number(value) : null;
}

function namesOf(value: DuckDBValue | undefined): readonly string[] {
  if (value === null || typeof value !== 'object' || !('items' in value)) return [];
  return value.items.map(String);
}
