import { quoteIdentifier } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import type { DatasetName } from '../dataset-name.ts';

/** A dataset in front of `.INFORMATION_SCHEMA.…`: project and dataset quoted as one. */
function views({ project, dataset }: DatasetName): string {
  return `${quoteIdentifier(`${project}.${dataset}`, bigqueryDialect)}.INFORMATION_SCHEMA`;
}

/**
 * Rows: name, type, DDL (of views), `description` and `require_partition_filter` as literals of SQL. Views TABLES and TABLE_OPTIONS:
 * https://cloud.google.com/bigquery/docs/information-schema-tables and …/information-schema-table-options
 */
export function tablesStatement(name: DatasetName): string {
  const from = views(name);
  const option = (wanted: string) => `MAX(IF(o.option_name = '${wanted}', o.option_value, NULL)) AS ${wanted}`;
  return (
    `SELECT t.table_name, t.table_type, MAX(IF(t.table_type IN ('VIEW', 'MATERIALIZED VIEW'), t.ddl, NULL)) AS ddl, ` +
    `${option('description')}, ${option('require_partition_filter')} ` +
    `FROM ${from}.TABLES AS t LEFT JOIN ${from}.TABLE_OPTIONS AS o ` +
    `ON o.table_name = t.table_name AND o.option_name IN ('description', 'require_partition_filter') ` +
    `GROUP BY t.table_name, t.table_type`
  );
}

/**
 * Rows: the columns of a table as JSON, and the names of all tables with exactly these columns as JSON: a thousand shards of one
 * structure are one row. View COLUMNS: https://cloud.google.com/bigquery/docs/information-schema-columns
 */
export function columnsStatement(name: DatasetName): string {
  return (
    `SELECT structures.columns, TO_JSON_STRING(ARRAY_AGG(structures.table_name ORDER BY structures.table_name)) AS table_names FROM (` +
    `SELECT table_name, TO_JSON_STRING(ARRAY_AGG(STRUCT(column_name AS name, ordinal_position AS position, data_type AS type, ` +
    `is_nullable AS nullable, is_hidden AS hidden, is_partitioning_column AS partitioning, clustering_ordinal_position AS clustering, ` +
    `column_default AS default_expression, is_generated AS generated, collation_name AS collation) ORDER BY ordinal_position)) AS columns ` +
    `FROM ${views(name)}.COLUMNS GROUP BY table_name) AS structures GROUP BY structures.columns`
  );
}

/**
 * Rows: descriptions of columns and fields as JSON, and the names of all tables with exactly these. View COLUMN_FIELD_PATHS:
 * https://cloud.google.com/bigquery/docs/information-schema-column-field-paths
 */
export function descriptionsStatement(name: DatasetName): string {
  return (
    `SELECT described.fields, TO_JSON_STRING(ARRAY_AGG(described.table_name ORDER BY described.table_name)) AS table_names FROM (` +
    `SELECT table_name, TO_JSON_STRING(ARRAY_AGG(STRUCT(field_path AS path, description AS text) ORDER BY field_path)) AS fields ` +
    `FROM ${views(name)}.COLUMN_FIELD_PATHS WHERE description IS NOT NULL GROUP BY table_name) AS described GROUP BY described.fields`
  );
}

/**
 * Rows: table, kind, name, column, position, position in the key that a foreign key refers to, and the table that it refers to. Views
 * TABLE_CONSTRAINTS, KEY_COLUMN_USAGE and CONSTRAINT_COLUMN_USAGE: https://cloud.google.com/bigquery/docs/information-schema-table-constraints,
 * …/information-schema-key-column-usage, …/information-schema-constraint-column-usage
 */
export function keysStatement(name: DatasetName): string {
  const from = views(name);
  return (
    `SELECT k.table_name, c.constraint_type, c.constraint_name, k.column_name, k.ordinal_position, k.position_in_unique_constraint, ` +
    `u.table_catalog AS target_project, u.table_schema AS target_dataset, u.table_name AS target_table ` +
    `FROM ${from}.TABLE_CONSTRAINTS AS c ` +
    `JOIN ${from}.KEY_COLUMN_USAGE AS k ON k.constraint_name = c.constraint_name AND k.table_name = c.table_name ` +
    `LEFT JOIN (SELECT DISTINCT constraint_name, table_catalog, table_schema, table_name FROM ${from}.CONSTRAINT_COLUMN_USAGE) AS u ` +
    `ON u.constraint_name = c.constraint_name`
  );
}

/** Rows: table, rows, bytes. Type 1 are tables that BigQuery stores; of others it counts nothing. */
export function countsStatement({ project, dataset }: DatasetName): string {
  const table = quoteIdentifier(`${project}.${dataset}.__TABLES__`, bigqueryDialect);
  return `SELECT table_id, row_count, size_bytes FROM ${table} WHERE type = 1`;
}
