/**
 * The schemas of Spider 2.0 as catalogs. Traps of the data are in its README: tables without DDL get their columns from
 * the column files, names compare without case between the two.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type {
  AttributeInfo,
  Catalog,
  DataType,
  DomainConstraint,
  ForeignKey,
  PrimaryKey,
  Relation,
  RelationInfo,
  Value,
} from '../../packages/core/src/index.ts';
import { attributeId, foldName, foreignKeyId, relationId } from '../../packages/core/src/index.ts';
import { type DdlTable, readDdl } from './read-ddl.ts';

export const CORPORA = ['snow', 'lite-bigquery', 'lite-snowflake', 'lite-sqlite'] as const;
export type Corpus = (typeof CORPORA)[number];

const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'spider2',
);

/** True where the data is there. */
export const hasCorpora = (): boolean => existsSync(path.join(DATA, 'ddl', 'snow.jsonl.gz'));

interface SourceTable {
  readonly name: string;
  readonly fullname: string;
  readonly ddl: string;
  readonly description?: string | null | undefined;
}

interface SourceDatabase {
  readonly db: string;
  readonly schemas: readonly { readonly schema: string | null; readonly tables: readonly SourceTable[] }[];
}

interface SourceColumns {
  readonly db: string;
  readonly texts: readonly string[];
  readonly tables: readonly {
    readonly fullname: string;
    readonly columns: readonly (readonly [string, string, number | null])[];
    readonly nested?: readonly (readonly [string, string, number | null])[];
    readonly sample_rows?: readonly Readonly<Record<string, unknown>>[];
  }[];
}

export interface CorpusDatabase {
  readonly db: string;
  readonly catalog: Catalog;
  readonly samples: Readonly<Record<string, readonly Value[]>>;
  /** UTF-8 bytes of the DDL text as it came. */
  readonly ddlBytes: number;
  /** The DDL text of each relation, by id. */
  readonly ddl: ReadonlyMap<string, string>;
}

/** A file of one JSON object a line, gzipped where its name says so. */
export function readLines<T>(file: string): T[] {
  const bytes = readFileSync(path.join(DATA, file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** All databases of a corpus. `withColumns` adds descriptions and sample rows of the column files: slower. */
export function readCorpus(corpus: Corpus, { withColumns = false } = {}): CorpusDatabase[] {
  const columns = new Map(
    withColumns ? readLines<SourceColumns>(`columns/${corpus}.jsonl.gz`).map((line) => [line.db, line]) : [],
  );
  return readLines<SourceDatabase>(`ddl/${corpus}.jsonl.gz`).map((database) =>
    toCatalog(corpus, database, columns.get(database.db)),
  );
}

function toCatalog(corpus: Corpus, database: SourceDatabase, columns: SourceColumns | undefined): CorpusDatabase {
  const comparison = corpus === 'lite-sqlite' ? 'insensitive' : 'sensitive';
  const relations: Relation[] = [];
  const attributes: { id: string; relation: string; name: string; type: DataType }[] = [];
  const relationInfos: Record<string, RelationInfo> = {};
  const attributeInfos: Record<string, AttributeInfo> = {};
  const primaryKeys: PrimaryKey[] = [];
  const domainConstraints: DomainConstraint[] = [];
  const samples: Record<string, readonly Value[]> = {};
  const ddl = new Map<string, string>();
  const references: { relation: string; parts: string[]; keys: DdlTable['foreignKeys'] }[] = [];
  const described = new Map(columns?.tables.map((table) => [table.fullname.toUpperCase(), table]));

  const inDdl = new Set(database.schemas.flatMap(({ tables }) => tables.map(({ fullname }) => fullname.toUpperCase())));
  const withoutDdl: SourceTable[] = (columns?.tables ?? [])
    .filter(({ fullname }) => !inDdl.has(fullname.toUpperCase()))
    .map(({ fullname }) => ({ name: fullname, fullname, ddl: '' }));
  for (const { schema, tables } of [...database.schemas, { schema: null, tables: withoutDdl }])
    for (const table of tables) {
      const parts = corpus === 'lite-sqlite' ? [table.name] : splitName(table.fullname);
      const id = relationId(parts, comparison);
      if (Object.hasOwn(relationInfos, id)) continue;
      const [name = '', schemaName, databaseName] = [...parts].reverse();
      const source = described.get(table.fullname.toUpperCase());
      const read = readDdl(table.ddl);
      relations.push({ id, name });
      ddl.set(id, table.ddl);
      const comment = read.comment ?? table.description ?? undefined;
      relationInfos[id] = {
        nameParts: { database: databaseName, schema: schemaName ?? schema ?? undefined, relation: name },
        kind: 'table',
        comment,
      };
      const texts = new Map(
        [...(source?.columns ?? []), ...(source?.nested ?? [])].map(([column, , text]) => [
          column.toUpperCase(),
          text === null ? undefined : columns?.texts[text],
        ]),
      );
      const listed =
        read.columns.length > 0 || source === undefined
          ? read.columns
          : source.columns.map(([column, type]) => ({
              name: column,
              type,
              comment: undefined,
              notNull: false,
              unique: false,
              fields: [],
            }));
      for (const column of listed) {
        const attribute = attributeId(id, column.name, comparison);
        if (Object.hasOwn(attributeInfos, attribute)) continue;
        attributes.push({ id: attribute, relation: id, name: column.name, type: dataType(column.type) });
        attributeInfos[attribute] = {
          position: attributes.length,
          nativeType: column.type,
          comment: column.comment ?? texts.get(column.name.toUpperCase()),
          nestedFields:
            column.fields.length === 0
              ? undefined
              : column.fields.map((field) => ({
                  path: field.path,
                  nativeType: field.type,
                  comment: field.comment,
                })),
        };
        if (column.notNull) domainConstraints.push({ attribute, constraint: 'not null' });
        if (column.unique) domainConstraints.push({ attribute, constraint: 'unique' });
        const values = (source?.sample_rows ?? []).map((row) => row[column.name]).filter((value) => value != null);
        if (values.length > 0) samples[attribute] = values.map(toValue);
      }
      const key = read.primaryKey.map((column) => attributeId(id, column, comparison));
      if (key.length > 0 && key.every((attribute) => Object.hasOwn(attributeInfos, attribute)))
        primaryKeys.push({ relation: id, attributes: key });
      if (read.foreignKeys.length > 0) references.push({ relation: id, parts, keys: read.foreignKeys });
    }

  const foreignKeys: ForeignKey[] = [];
  const byName = new Map(relations.map(({ id, name }) => [foldName(name, 'insensitive'), id]));
  for (const { relation, keys } of references)
    for (const { from, target, to } of keys) {
      const targetId = byName.get(foldName(target.split('.').at(-1) ?? '', 'insensitive'));
      if (targetId === undefined) continue;
      const named = to.length > 0 ? to : from;
      const pairs = from.map((name, at) => ({
        from: attributeId(relation, name, comparison),
        to: attributeId(targetId, named[at] ?? '', comparison),
      }));
      if (pairs.every((pair) => Object.hasOwn(attributeInfos, pair.from) && Object.hasOwn(attributeInfos, pair.to)))
        foreignKeys.push({ id: foreignKeyId(relation, targetId, pairs), relation, target: targetId, pairs });
    }

  const catalog: Catalog = {
    schemaVersion: 1,
    dialect: corpus === 'lite-bigquery' ? 'bigquery' : corpus === 'lite-sqlite' ? 'sqlite' : 'snowflake',
    name: database.db,
    nameComparison: comparison,
    schema: { relations, attributes, primaryKeys, foreignKeys, domainConstraints },
    relations: relationInfos,
    attributes: attributeInfos,
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
    fingerprint: '',
  };
  let ddlBytes = 0;
  for (const text of ddl.values()) ddlBytes += Buffer.byteLength(text);
  return { db: database.db, catalog, samples, ddlBytes, ddl };
}

/** `project.dataset.table`: what stands behind the second dot is the table's. */
function splitName(fullname: string): string[] {
  const [database = '', schema = '', ...rest] = fullname.split('.');
  return [database, schema, rest.join('.')];
}

function dataType(native: string): DataType {
  if (/^(?:NUM|DEC|INT|BIGINT|SMALLINT|TINYINT|FLOAT|DOUBLE|REAL|BIGNUM)/i.test(native)) return 'NUMERIC';
  if (/^(?:DATE|TIME)/i.test(native)) return 'DATETIME';
  if (/^BOOL/i.test(native)) return 'BOOL';
  return /^(?:BYTES|BINARY|BLOB|VARBINARY)/i.test(native) ? 'BINARY' : 'TEXT';
}

function toValue(value: unknown): Value {
  return typeof value === 'object' ? JSON.stringify(value) : (value as Value);
}
