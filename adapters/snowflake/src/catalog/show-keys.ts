import { type DraftForeignKey, quoteIdentifier } from '@askema/core';
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
  const primaryKeys = new Map<string, readonly string[]>();
  for (const rows of constraintsOf(primary, 'table_name', 'constraint_name'))
    primaryKeys.set(
      String(rows[0]?.table_name ?? ''),
      rows.map((row) => String(row.column_name ?? '')),
    );
  const uniqueKeys = new Map<string, (readonly string[])[]>();
  for (const rows of constraintsOf(unique, 'table_name', 'constraint_name'))
    append(
      uniqueKeys,
      String(rows[0]?.table_name ?? ''),
      rows.map((row) => String(row.column_name ?? '')),
    );
  const foreignKeys = new Map<string, DraftForeignKey[]>();
  for (const rows of constraintsOf(imported, 'fk_table_name', 'fk_name'))
    append(foreignKeys, String(rows[0]?.fk_table_name ?? ''), foreignKeyOf(rows));
  return { primaryKeys, uniqueKeys, foreignKeys };
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

/** Rows of each constraint, in the order of its columns. Two tables may have constraints of one name. */
function constraintsOf(rows: readonly MetadataRow[], table: string, constraint: string): MetadataRow[][] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify([row[table] ?? '', row[constraint] ?? '']));
  return [...groups.values()].map((group) =>
    group.toSorted((a, b) => (numberOf(a, 'key_sequence') ?? 0) - (numberOf(b, 'key_sequence') ?? 0)),
  );
}

function foreignKeyOf(rows: readonly MetadataRow[]): DraftForeignKey {
  const [first] = rows;
  return {
    attributes: rows.map((row) => String(row.fk_column_name ?? '')),
    target: {
      database: first && textOf(first, 'pk_database_name'),
      schema: first && textOf(first, 'pk_schema_name'),
      relation: String(first?.pk_table_name ?? ''),
    },
    targetAttributes: rows.map((row) => String(row.pk_column_name ?? '')),
  };
}

function append<Item>(groups: Map<string, Item[]>, key: string, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
