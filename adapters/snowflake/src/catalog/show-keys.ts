import { foreignKeysOf, keysOf } from '@askema/adapter-kit';
import { quoteIdentifier } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { type MetadataReader, type MetadataRow, numberOf, textOf } from './metadata-reader.ts';
import type { KeysByRelation, RelationPart, SchemaPlace } from './schema-parts.ts';
import { SHOW_PAGE_ROWS, schemaName } from './show-objects.ts';

/**
 * Keys of a schema. INFORMATION_SCHEMA names constraints without their columns, so SHOW it is
 * (https://docs.snowflake.com/en/sql-reference/sql/show-primary-keys, show-unique-keys, show-imported-keys). The schema must be named with its
 * database. A row a column; `key_sequence` orders the columns of one constraint.
 */
export async function showKeys(
  reader: MetadataReader,
  place: SchemaPlace,
  relations: readonly RelationPart[],
): Promise<KeysByRelation> {
  const [primary, unique, imported] = await Promise.all([
    showOf(reader, 'PRIMARY', place, relations),
    showOf(reader, 'UNIQUE', place, relations),
    showOf(reader, 'IMPORTED', place, relations),
  ]);
  const keyColumn = (row: MetadataRow) => ({
    id: row.constraint_name ?? '',
    column: String(row.column_name ?? ''),
  });
  const keysIn = (rows: readonly MetadataRow[]) => [...keysOf(rows, keyColumn).values()];
  return {
    primaryKeys: byTable(primary, 'table_name', (rows) => keysIn(rows).at(-1) ?? []),
    uniqueKeys: byTable(unique, 'table_name', keysIn),
    foreignKeys: byTable(imported, 'fk_table_name', (rows) => foreignKeysOf(rows, foreignKeyColumn)),
  };
}

/** These commands cannot be paged: where one gives all that it can, it is asked table by table. */
async function showOf(
  reader: MetadataReader,
  keys: 'PRIMARY' | 'UNIQUE' | 'IMPORTED',
  place: SchemaPlace,
  relations: readonly RelationPart[],
): Promise<readonly MetadataRow[]> {
  const rows = await reader.read(`SHOW ${keys} KEYS IN SCHEMA ${schemaName(place)}`);
  if (rows.length < SHOW_PAGE_ROWS) return rows;
  const tables = relations.filter(({ kind }) => kind === 'table');
  const answers = await Promise.all(
    tables.map(({ name }) =>
      reader.read(`SHOW ${keys} KEYS IN TABLE ${schemaName(place)}.${quoteIdentifier(name, snowflakeDialect)}`),
    ),
  );
  return answers.flat();
}

/** What the rows of each table say, in the order of the columns of its keys. */
function byTable<Keys>(
  rows: readonly MetadataRow[],
  table: string,
  read: (rows: readonly MetadataRow[]) => Keys,
): Map<string, Keys> {
  const inOrder = rows.toSorted((a, b) => (numberOf(a, 'key_sequence') ?? 0) - (numberOf(b, 'key_sequence') ?? 0));
  const tables = Map.groupBy(inOrder, (row) => String(row[table] ?? ''));
  return new Map([...tables].map(([name, own]) => [name, read(own)]));
}

function foreignKeyColumn(row: MetadataRow) {
  return {
    id: row.fk_name ?? '',
    column: String(row.fk_column_name ?? ''),
    target: {
      database: textOf(row, 'pk_database_name'),
      schema: textOf(row, 'pk_schema_name'),
      relation: String(row.pk_table_name ?? ''),
    },
    targetColumn: String(row.pk_column_name ?? ''),
  };
}
