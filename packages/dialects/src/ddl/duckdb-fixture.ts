import { attributeId, foreignKeyId, logicalType, relationId, type Schema } from '@askema/core';
import type { DuckDBConnection } from '@duckdb/node-api';
import { duckdbDialect } from '../duckdb/duckdb.ts';
import { sortSchema } from './sqlite-fixture.ts';

type Row = Record<string, unknown>;

/**
 * For tests: the 5-tuple of a database, as DuckDB's own functions tell it; parts sorted by id. NOT NULL of primary keys
 * is left out.
 */
export async function readDuckdb(database: DuckDBConnection): Promise<Schema> {
  const rows = async (sql: string): Promise<Row[]> => (await database.runAndReadAll(sql)).getRowObjectsJson();
  const columns = await rows(
    'SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal ORDER BY table_oid, column_index',
  );
  const constraints = await rows(
    'SELECT table_name, constraint_type AS kind, constraint_column_names AS names, referenced_table AS target, referenced_column_names AS targets FROM duckdb_constraints()',
  );
  const relationOf = (row: Row): string => relationId([String(row.table_name)]);
  const idsOf = (relation: string, list: unknown): string[] =>
    (list as string[]).map((name) => attributeId(relation, name));
  const ofKind = (kind: string): Row[] => constraints.filter((row) => row.kind === kind);
  const primary = new Set(ofKind('PRIMARY KEY').flatMap((row) => idsOf(relationOf(row), row.names)));
  return sortSchema({
    relations: [...new Set(columns.map((row) => String(row.table_name)))].map((name) => ({
      id: relationId([name]),
      name,
    })),
    attributes: columns.map((row) => {
      const name = String(row.column_name);
      const relation = relationOf(row);
      const type = logicalType(String(row.data_type), duckdbDialect);
      return { id: attributeId(relation, name), relation, name, type };
    }),
    primaryKeys: ofKind('PRIMARY KEY').map((row) => ({
      relation: relationOf(row),
      attributes: idsOf(relationOf(row), row.names),
    })),
    foreignKeys: ofKind('FOREIGN KEY').map((row) => {
      const [relation, target] = [relationOf(row), relationId([String(row.target)])];
      const to = idsOf(target, row.targets);
      const pairs = idsOf(relation, row.names).map((from, index) => ({ from, to: to[index] ?? '' }));
      return { id: foreignKeyId(relation, target, pairs), relation, target, pairs };
    }),
    domainConstraints: [
      ...ofKind('NOT NULL')
        .flatMap((row) => idsOf(relationOf(row), row.names))
        .filter((attribute) => !primary.has(attribute))
        .map((attribute) => ({ attribute, constraint: 'not null' as const })),
      ...ofKind('UNIQUE')
        .filter((row) => (row.names as string[]).length === 1)
        .flatMap((row) => idsOf(relationOf(row), row.names))
        .map((attribute) => ({ attribute, constraint: 'unique' as const })),
    ],
  });
}
