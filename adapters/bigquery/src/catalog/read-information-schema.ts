import {
  AskemaError,
  type CallContext,
  type CallLimits,
  type CatalogGap,
  type DraftAttribute,
  type DraftRelation,
  type RelationKind,
  type Row,
} from '@askema/core';
import type { BigQueryClient } from '../client/client.ts';
import type { DatasetName } from '../dataset-name.ts';
import { type DatasetDraft, INGESTION_TIME, INGESTION_TIME_COLUMN, isGeneral, reasonOf } from './dataset-draft.ts';
import { keysOfRows } from './keys.ts';
import {
  columnsStatement,
  countsStatement,
  descriptionsStatement,
  keysStatement,
  tablesStatement,
} from './metadata-statements.ts';
import { nestedFieldsOf, withDescriptions } from './type-text.ts';

/** More tables than this in one dataset are not read whole. */
const MAX_ROWS = 1_000_000;

/** https://cloud.google.com/bigquery/docs/information-schema-tables, column table_type */
const KINDS: Readonly<Record<string, RelationKind>> = {
  VIEW: 'view',
  'MATERIALIZED VIEW': 'materialized view',
  EXTERNAL: 'external table',
};

/** A column as {@link columnsStatement} gives it. 64-bit numbers are text where they are large. */
interface ColumnRow {
  readonly name: string;
  readonly position: number | string | null;
  readonly type: string;
  readonly nullable: string | null;
  readonly hidden: string | null;
  readonly partitioning: string | null;
  readonly clustering: number | string | null;
  readonly default_expression: string | null;
  readonly generated: string | null;
  readonly collation: string | null;
}

/**
 * Reads a dataset in five statements. Without tables or columns it rejects; descriptions, keys and counts that could not be read are gaps,
 * the first two in `partly` as well, so that the caller may try another way.
 */
export async function readInformationSchema(
  client: BigQueryClient,
  name: DatasetName,
  limits: CallLimits,
  context: CallContext,
): Promise<DatasetDraft> {
  const rows = async (sql: string): Promise<readonly Row[]> => {
    const result = await client.query(sql, { limits, context, maxRows: MAX_ROWS });
    if (result.truncated)
      throw new AskemaError(
        'QUERY_FAILED',
        `Metadata of ${name.project}.${name.dataset} has more than ${MAX_ROWS} rows.`,
      );
    return result.rows;
  };
  const gaps: CatalogGap[] = [];
  const subject = `${name.project}.${name.dataset}`;
  const optional = async (what: string, affects: CatalogGap['affects'], sql: string): Promise<readonly Row[]> => {
    try {
      return await rows(sql);
    } catch (error) {
      if (isGeneral(error)) throw error;
      gaps.push({ subject, reason: `${what} could not be read: ${reasonOf(error)}`, affects });
      return [];
    }
  };
  const [tables, columns, descriptions, keys, counts] = await Promise.all([
    rows(tablesStatement(name)),
    rows(columnsStatement(name)),
    optional('descriptions of columns', 'structure', descriptionsStatement(name)),
    optional('keys', 'structure', keysStatement(name)),
    optional('rows and bytes', 'counts', countsStatement(name)),
  ]);
  const texts = textsByTable(descriptions);
  const columnsOf = structures(columns, texts);
  const keysOf = keysOfRows(keys);
  const countOf = new Map(counts.map(([table, ...figures]) => [String(table), figures]));
  const relations = tables.map(([table, type, ddl, description, filter]): DraftRelation => {
    const relation = String(table);
    const structure = columnsOf.get(relation);
    const [rowCount, byteCount] = countOf.get(relation) ?? [];
    if (structure === undefined) gaps.push({ subject: `${subject}.${relation}`, reason: 'its columns are not listed' });
    return {
      nameParts: { database: name.project, schema: name.dataset, relation },
      kind: KINDS[String(type)] ?? 'table',
      ...optionalText('comment', typeof description === 'string' ? textOfLiteral(description) : undefined),
      ...optionalText('definition', typeof ddl === 'string' ? ddl : undefined),
      ...countsOf(rowCount, byteCount),
      attributes: structure?.attributes ?? [],
      ...partitioningOf(structure, filter === 'true'),
      ...keysOf.get(relation),
    };
  });
  return {
    relations,
    gaps,
    isPartial: gaps.some(({ subject: of, affects }) => of === subject && affects !== 'counts'),
  };
}

interface Structure {
  readonly attributes: readonly DraftAttribute[];
  readonly partition: readonly string[];
  readonly clustering: readonly string[];
}

/** The structure of each table. Tables with the same columns and descriptions share one, so that a thousand shards stay small. */
function structures(rows: readonly Row[], texts: ReadonlyMap<string, string>): Map<string, Structure> {
  const found = new Map<string, Structure>();
  for (const [columns, tables] of rows) {
    const parsed = JSON.parse(String(columns)) as ColumnRow[];
    const shared = new Map<string, Structure>();
    for (const table of JSON.parse(String(tables)) as string[]) {
      const described = texts.get(table) ?? '[]';
      const known = shared.get(described) ?? structureOf(parsed, described);
      shared.set(described, known);
      found.set(table, known);
    }
  }
  return found;
}

/** JSON of descriptions, by table. */
function textsByTable(rows: readonly Row[]): Map<string, string> {
  return new Map(
    rows.flatMap(([fields, tables]) =>
      (JSON.parse(String(tables)) as string[]).map((table) => [table, String(fields)] as const),
    ),
  );
}

function structureOf(columns: readonly ColumnRow[], described: string): Structure {
  const texts = new Map(
    (JSON.parse(described) as { readonly path: string; readonly text: string }[]).map(({ path, text }) => [path, text]),
  );
  const visible = columns
    .filter(({ hidden }) => hidden !== 'YES')
    .sort((a, b) => number(a.position) - number(b.position));
  const partition = columns.filter(({ partitioning }) => partitioning === 'YES').map(({ name }) => name);
  const attributes = visible.map((column): DraftAttribute => {
    const nested = withDescriptions(nestedFieldsOf(column.type), (path) => texts.get(`${column.name}.${path}`));
    return {
      name: column.name,
      nativeType: column.type,
      notNull: column.nullable === 'NO',
      ...optionalText('comment', texts.get(column.name)),
      ...optionalText('defaultExpression', column.default_expression),
      ...optionalText('collation', column.collation),
      ...(column.generated === 'ALWAYS' ? { generated: 'stored' as const } : {}),
      ...(nested.length > 0 ? { nestedFields: nested } : {}),
    };
  });
  return {
    attributes: partition.includes(INGESTION_TIME) ? [...attributes, INGESTION_TIME_COLUMN] : attributes,
    partition,
    clustering: columns
      .filter(({ clustering }) => clustering !== null)
      .sort((a, b) => number(a.clustering) - number(b.clustering))
      .map(({ name }) => name),
  };
}

function number(value: number | string | null): number {
  return value === null ? Number.POSITIVE_INFINITY : Number(value);
}

/** Some columns hold the word NULL for none. */
function optionalText<Key extends string>(key: Key, text: string | null | undefined): { [Name in Key]?: string } {
  return text === null || text === undefined || text === '' || text === 'NULL'
    ? {}
    : ({ [key]: text } as { [Name in Key]?: string });
}

function countsOf(
  rowCount: unknown,
  byteCount: unknown,
): Pick<DraftRelation, 'rowCount' | 'rowCountExact' | 'byteCount'> {
  return {
    ...(rowCount === undefined || rowCount === null ? {} : { rowCount: Number(rowCount), rowCountExact: true }),
    ...(byteCount === undefined || byteCount === null ? {} : { byteCount: Number(byteCount) }),
  };
}

function partitioningOf(
  structure: Structure | undefined,
  filterRequired: boolean,
): Pick<DraftRelation, 'partitioning'> {
  if (structure === undefined) return {};
  const known = new Set(structure.attributes.map(({ name }) => name));
  const partition = structure.partition.filter((name) => known.has(name));
  if (partition.length > 0) return { partitioning: { attributes: partition, filterRequired, kind: 'partition' } };
  if (structure.clustering.length > 0)
    return { partitioning: { attributes: structure.clustering, filterRequired: false, kind: 'cluster' } };
  return {};
}

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#escape_sequences */
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * The text of a string literal, as TABLE_OPTIONS gives the value of an option (`"orders fact table"`). What is no literal is given back
 * as it is.
 */
export function textOfLiteral(literal: string): string {
  const quote = ['"""', "'''", '"', "'"].find(
    (mark) => literal.startsWith(mark) && literal.endsWith(mark) && literal.length >= mark.length * 2,
  );
  if (quote === undefined) return literal;
  return literal
    .slice(quote.length, literal.length - quote.length)
    .replace(
      /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]))/gu,
      (_all, x?: string, u?: string, long?: string, octal?: string, plain?: string) => {
        if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
        const hex = x ?? u ?? long;
        if (hex === undefined) return ESCAPES[plain ?? ''] ?? plain ?? '';
        const code = Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
      },
    );
}
