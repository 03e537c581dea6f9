import { type DraftAttribute, quoteIdentifier, type RelationKind } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { type MetadataReader, type MetadataRow, numberOf, saysYes, textOf } from './metadata-reader.ts';
import { nativeTypeOfColumn } from './native-type.ts';
import type { ColumnsByRelation, RelationPart, SchemaPlace } from './schema-parts.ts';

/**
 * Tables and views of a schema by INFORMATION_SCHEMA.TABLES and VIEWS, with rows, bytes and comments
 * (https://docs.snowflake.com/en/sql-reference/info-schema/tables and /views). Asked schema by schema: a query over many fails with 090030, "Information
 * schema query returned too much data".
 */
export async function readRelations(reader: MetadataReader, place: SchemaPlace): Promise<readonly RelationPart[]> {
  const [tables, views] = await Promise.all([
    reader.read(
      `SELECT TABLE_NAME, TABLE_TYPE, ROW_COUNT, BYTES, COMMENT, CLUSTERING_KEY, IS_DYNAMIC, IS_HYBRID FROM ${viewOf(place, 'TABLES')} WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME`,
      [place.schema],
    ),
    reader.read(
      `SELECT TABLE_NAME, VIEW_DEFINITION, COMMENT FROM ${viewOf(place, 'VIEWS')} WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME`,
      [place.schema],
    ),
  ]);
  const definitions = new Map(views.map((row) => [nameOf(row), row]));
  const parts = tables.map((row) => relationPart(row, definitions.get(nameOf(row))));
  const known = new Set(parts.map(({ name }) => name));
  const others = views.filter((row) => !known.has(nameOf(row)));
  return [...parts, ...others.map((row) => relationPart({ ...row, table_type: 'VIEW' }, row))];
}

/** Columns of a schema, or of one of its tables, by INFORMATION_SCHEMA.COLUMNS (https://docs.snowflake.com/en/sql-reference/info-schema/columns). */
export async function readColumns(reader: MetadataReader, place: SchemaPlace): Promise<ColumnsByRelation> {
  const rows = await reader.read(
    `SELECT TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, CHARACTER_OCTET_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE, COLLATION_NAME, IS_IDENTITY, COMMENT FROM ${viewOf(place, 'COLUMNS')} WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME, ORDINAL_POSITION`,
    [place.schema],
  );
  const columns = new Map<string, readonly DraftAttribute[]>();
  for (const [relation, own] of Map.groupBy(rows, nameOf)) columns.set(relation, own.map(attributeOf));
  return columns;
}

function viewOf({ database }: SchemaPlace, view: string): string {
  return `${quoteIdentifier(database, snowflakeDialect)}.INFORMATION_SCHEMA.${view}`;
}

function nameOf(row: MetadataRow): string {
  return String(row.table_name ?? '');
}

function relationPart(row: MetadataRow, view: MetadataRow | undefined): RelationPart {
  const isHybrid = saysYes(row, 'is_hybrid');
  const kind = kindOf(textOf(row, 'table_type') ?? '', saysYes(row, 'is_dynamic'));
  const rowCount = kind === 'view' ? undefined : numberOf(row, 'row_count');
  return {
    name: nameOf(row),
    kind,
    comment: textOf(row, 'comment') ?? (view && textOf(view, 'comment')),
    rowCount,
    rowCountExact: rowCount === undefined ? undefined : kind !== 'external table' && !isHybrid,
    byteCount: kind === 'view' ? undefined : numberOf(row, 'bytes'),
    clusteringKey: textOf(row, 'clustering_key'),
    definition: view && textOf(view, 'view_definition'),
    isHybrid,
  };
}

/** BASE, TEMPORARY and EVENT TABLE are tables, Iceberg or not; a dynamic table is kept by its query like a materialized view. */
export function kindOf(tableType: string, isDynamic: boolean): RelationKind {
  const type = tableType.toUpperCase();
  if (type === 'MATERIALIZED VIEW') return 'materialized view';
  if (type.endsWith('VIEW')) return 'view';
  if (type === 'EXTERNAL TABLE') return 'external table';
  return isDynamic ? 'materialized view' : 'table';
}

function attributeOf(row: MetadataRow): DraftAttribute {
  const given = textOf(row, 'column_default');
  const isIdentity = saysYes(row, 'is_identity') || isIdentityText(given);
  return {
    name: String(row.column_name ?? ''),
    nativeType: nativeTypeOfColumn(row),
    notNull: textOf(row, 'is_nullable')?.toUpperCase() === 'NO',
    comment: textOf(row, 'comment'),
    defaultExpression: isIdentityText(given) ? undefined : given,
    generated: isIdentity ? 'identity' : undefined,
    collation: textOf(row, 'collation_name'),
  };
}

/** Where a default should stand, an identity column has `IDENTITY START 1 INCREMENT 1`. */
export function isIdentityText(text: string | undefined): boolean {
  return text !== undefined && /^(IDENTITY|AUTOINCREMENT) START\b/i.test(text);
}
