import type { DeclaredTable } from './zetasql.ts';

const TEXT = (names: string) => names.split(' ').map((name) => ({ name, type: 'STRING' }));
const TABLE = TEXT('table_catalog table_schema table_name');
const CONSTRAINT = TEXT('constraint_catalog constraint_schema constraint_name');

/**
 * Views of INFORMATION_SCHEMA with the columns that BigQuery documents: https://cloud.google.com/bigquery/docs/information-schema-tables,
 * -columns, -column-field-paths, -table-options, -table-constraints, -key-column-usage, -constraint-column-usage (2025). `__TABLES__` has
 * no page of its own; its columns are those that BigQuery gives for `SELECT *`.
 */
const VIEWS: Readonly<Record<string, DeclaredTable['columns']>> = {
  TABLES: [
    ...TABLE,
    ...TEXT(
      'table_type managed_table_type is_insertable_into is_fine_grained_mutations_enabled is_typed is_change_history_enabled',
    ),
    { name: 'creation_time', type: 'TIMESTAMP' },
    ...TEXT('base_table_catalog base_table_schema base_table_name'),
    { name: 'snapshot_time_ms', type: 'TIMESTAMP' },
    { name: 'replica_source_catalog', type: 'STRING' },
    ...TEXT('ddl default_collation_name'),
    { name: 'upsert_stream_apply_watermark', type: 'TIMESTAMP' },
  ],
  COLUMNS: [
    ...TABLE,
    { name: 'column_name', type: 'STRING' },
    { name: 'ordinal_position', type: 'INT64' },
    ...TEXT(
      'is_nullable data_type is_generated generation_expression is_stored is_hidden is_updatable is_system_defined',
    ),
    { name: 'is_partitioning_column', type: 'STRING' },
    { name: 'clustering_ordinal_position', type: 'INT64' },
    ...TEXT('collation_name column_default rounding_mode'),
    { name: 'policy_tags', type: 'ARRAY<STRING>' },
  ],
  COLUMN_FIELD_PATHS: [
    ...TABLE,
    ...TEXT('column_name field_path data_type description collation_name rounding_mode'),
    { name: 'policy_tags', type: 'ARRAY<STRING>' },
  ],
  TABLE_OPTIONS: [...TABLE, ...TEXT('option_name option_type option_value')],
  TABLE_CONSTRAINTS: [...CONSTRAINT, ...TABLE, ...TEXT('constraint_type is_deferrable initially_deferred enforced')],
  KEY_COLUMN_USAGE: [
    ...CONSTRAINT,
    ...TABLE,
    { name: 'column_name', type: 'STRING' },
    { name: 'ordinal_position', type: 'INT64' },
    { name: 'position_in_unique_constraint', type: 'INT64' },
  ],
  CONSTRAINT_COLUMN_USAGE: [...TABLE, { name: 'column_name', type: 'STRING' }, ...CONSTRAINT],
};

/** The metadata of a dataset, as tables. */
export function metadataViews(project: string, dataset: string): DeclaredTable[] {
  return [
    ...Object.entries(VIEWS).map(([view, columns]) => ({
      path: [`${project}.${dataset}`, 'INFORMATION_SCHEMA', view],
      columns,
    })),
    {
      path: [project, dataset, '__TABLES__'],
      columns: [
        ...TEXT('project_id dataset_id table_id'),
        ...['creation_time', 'last_modified_time', 'row_count', 'size_bytes', 'type'].map((name) => ({
          name,
          type: 'INT64',
        })),
      ],
    },
  ];
}
