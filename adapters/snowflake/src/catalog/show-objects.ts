import { type DraftAttribute, quoteIdentifier, quoteString } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { isIdentityText, kindOf } from './information-schema.ts';
import { type MetadataReader, type MetadataRow, numberOf, saysYes, textOf } from './metadata-reader.ts';
import { nativeTypeOfShownColumn } from './native-type.ts';
import type { ColumnsByRelation, RelationPart, SchemaPlace } from './schema-parts.ts';

/** SHOW gives no more rows at once (https://docs.snowflake.com/en/sql-reference/sql/show, usage notes). */
export const SHOW_PAGE_ROWS = 10_000;

/** A hundred million names: no account has them, and a server that ignores FROM is left. */
const MAX_PAGES = 10_000;

/** What SHOW COLUMNS lists of semantic views, which cannot be selected like columns. */
const SEMANTIC_KINDS = new Set(['DIMENSION', 'FACT', 'METRIC']);

/** `SHOW … LIMIT n FROM 'name'`, page by page: the rows behind the last name (https://docs.snowflake.com/en/sql-reference/sql/show-tables). */
async function showAll(reader: MetadataReader, command: string): Promise<readonly MetadataRow[]> {
  const rows = new Map<string, MetadataRow>();
  let last: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const from = last === undefined ? '' : ` FROM ${quoteString(last, snowflakeDialect)}`;
    const found = await reader.read(`${command} LIMIT ${SHOW_PAGE_ROWS}${from}`);
    const before = rows.size;
    for (const row of found) rows.set(String(row.name ?? ''), row);
    last = String(found.at(-1)?.name ?? '');
    if (found.length < SHOW_PAGE_ROWS || rows.size === before) break;
  }
  return [...rows.values()];
}

/** Schemas of a database, but for its INFORMATION_SCHEMA (https://docs.snowflake.com/en/sql-reference/sql/show-schemas). Needs no warehouse. */
export async function showSchemas(reader: MetadataReader, database: string): Promise<readonly string[]> {
  const rows = await showAll(reader, `SHOW TERSE SCHEMAS IN DATABASE ${quoteIdentifier(database, snowflakeDialect)}`);
  return rows.map((row) => String(row.name ?? '')).filter((name) => name.toUpperCase() !== 'INFORMATION_SCHEMA');
}

/** Tables and views of a schema, where INFORMATION_SCHEMA does not give them (show-tables, show-views). Needs no warehouse. */
export async function showRelations(reader: MetadataReader, place: SchemaPlace): Promise<readonly RelationPart[]> {
  const scope = `IN SCHEMA ${schemaName(place)}`;
  const [tables, views] = await Promise.all([
    showAll(reader, `SHOW TABLES ${scope}`),
    showAll(reader, `SHOW VIEWS ${scope}`),
  ]);
  const parts = [...tables.map(tablePart), ...views.map(viewPart)];
  return [...new Map(parts.map((part) => [part.name, part])).values()].sort(byName);
}

/**
 * Columns of a schema by SHOW COLUMNS, which cannot be paged: where it gives all that it can, table by table
 * (https://docs.snowflake.com/en/sql-reference/sql/show-columns).
 */
export async function showColumns(
  reader: MetadataReader,
  place: SchemaPlace,
  relations: readonly RelationPart[],
): Promise<ColumnsByRelation> {
  const rows = await reader.read(`SHOW COLUMNS IN SCHEMA ${schemaName(place)}`);
  const all =
    rows.length < SHOW_PAGE_ROWS
      ? rows
      : (
          await Promise.all(
            relations.map(({ name, kind }) =>
              reader.read(
                `SHOW COLUMNS IN ${kind === 'view' ? 'VIEW' : 'TABLE'} ${schemaName(place)}.${quoteIdentifier(name, snowflakeDialect)}`,
              ),
            ),
          )
        ).flat();
  const columns = all.filter((row) => !SEMANTIC_KINDS.has(textOf(row, 'kind')?.toUpperCase() ?? ''));
  const byRelation = new Map<string, readonly DraftAttribute[]>();
  for (const [relation, own] of Map.groupBy(columns, (row) => String(row.table_name ?? '')))
    byRelation.set(relation, own.map(attributeOf));
  return byRelation;
}

/** Database and schema as SQL. */
export function schemaName({ database, schema }: SchemaPlace): string {
  return `${quoteIdentifier(database, snowflakeDialect)}.${quoteIdentifier(schema, snowflakeDialect)}`;
}

function byName(a: RelationPart, b: RelationPart): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function tablePart(row: MetadataRow): RelationPart {
  const isHybrid = saysYes(row, 'is_hybrid');
  const kind = saysYes(row, 'is_external') ? 'external table' : kindOf('BASE TABLE', saysYes(row, 'is_dynamic'));
  const rowCount = numberOf(row, 'rows');
  return {
    name: String(row.name ?? ''),
    kind,
    comment: textOf(row, 'comment'),
    rowCount,
    rowCountExact: rowCount === undefined ? undefined : kind !== 'external table' && !isHybrid,
    byteCount: numberOf(row, 'bytes'),
    clusteringKey: textOf(row, 'cluster_by'),
    isHybrid,
  };
}

function viewPart(row: MetadataRow): RelationPart {
  return {
    name: String(row.name ?? ''),
    kind: saysYes(row, 'is_materialized') ? 'materialized view' : 'view',
    comment: textOf(row, 'comment'),
    definition: textOf(row, 'text'),
    isHybrid: false,
  };
}

/** `null?` is `true`, or `NOT_NULL` (`false` in older ones); `autoincrement` is empty or `IDENTITY START 1 INCREMENT 1`. */
function attributeOf(row: MetadataRow): DraftAttribute {
  const given = textOf(row, 'default');
  const isIdentity = textOf(row, 'autoincrement') !== undefined || isIdentityText(given);
  return {
    name: String(row.column_name ?? ''),
    nativeType: nativeTypeOfShownColumn(textOf(row, 'data_type') ?? ''),
    notNull: ['not_null', 'false'].includes(textOf(row, 'null?')?.toLowerCase() ?? ''),
    comment: textOf(row, 'comment'),
    defaultExpression: isIdentityText(given) ? undefined : given,
    generated: isIdentity ? 'identity' : undefined,
  };
}
