import type { Parameter, Value } from '@askema/core';
import { type AnswerStatement, type FakeAnswer, refusal } from './fake-session.ts';

type Row = Readonly<Record<string, Value>>;

/** A column as `[DATA_TYPE of INFORMATION_SCHEMA, its numbers, JSON of SHOW COLUMNS]` describe it, by the documentation of both. */
export interface FakeColumn {
  readonly name: string;
  readonly view: Row;
  readonly shown: Row;
}

export interface FakeTable {
  readonly name: string;
  readonly columns: readonly FakeColumn[];
  /** Over those of a BASE TABLE without rows. */
  readonly view?: Row | undefined;
  readonly shown?: Row | undefined;
  /** It is a view with this text. */
  readonly definition?: string | undefined;
}

interface FakeSchema {
  readonly tables: readonly FakeTable[];
  readonly primaryKeys?: FakeAnswer | undefined;
  readonly uniqueKeys?: FakeAnswer | undefined;
  readonly importedKeys?: FakeAnswer | undefined;
  /** By the name of the table. */
  readonly tags?: Readonly<Record<string, FakeAnswer>> | undefined;
}

export type FakeAccount = Readonly<Record<string, Readonly<Record<string, FakeSchema>>>>;

/** NUMBER, TEXT and others, in the shapes of both sources. */
export function column(name: string, type: string, more: { view?: Row; shown?: Row } = {}): FakeColumn {
  const [word = '', first, second] = type.split(/[(),]/);
  const shapes: Readonly<Record<string, readonly [Row, Row]>> = {
    NUMBER: [
      { NUMERIC_PRECISION: Number(first), NUMERIC_SCALE: Number(second) },
      { type: 'FIXED', precision: Number(first), scale: Number(second) },
    ],
    TEXT: [
      { CHARACTER_MAXIMUM_LENGTH: Number(first), CHARACTER_OCTET_LENGTH: Number(first) * 4 },
      { type: 'TEXT', length: Number(first), byteLength: Number(first) * 4, fixed: false },
    ],
    BINARY: [
      { CHARACTER_MAXIMUM_LENGTH: Number(first), CHARACTER_OCTET_LENGTH: Number(first) },
      { type: 'BINARY', length: Number(first), byteLength: Number(first), fixed: true },
    ],
    FLOAT: [{}, { type: 'REAL' }],
    TIMESTAMP_NTZ: [{}, { type: 'TIMESTAMP_NTZ', precision: 0, scale: 9 }],
  };
  const [view, shown] = shapes[word] ?? [{}, { type: word }];
  return {
    name,
    view: { COLUMN_NAME: name, DATA_TYPE: word, IS_NULLABLE: 'YES', IS_IDENTITY: 'NO', ...view, ...more.view },
    shown: {
      column_name: name,
      data_type: JSON.stringify({ ...shown, nullable: more.view?.IS_NULLABLE !== 'NO' }),
      'null?': more.view?.IS_NULLABLE === 'NO' ? 'NOT_NULL' : 'true',
      default: more.view?.COLUMN_DEFAULT ?? '',
      kind: 'COLUMN',
      comment: more.view?.COMMENT ?? '',
      autoincrement: '',
      ...more.shown,
    },
  };
}

/** Answers the statements of the introspector from an account; `refuse` may throw before. */
export function answerFrom(account: FakeAccount, refuse: (sql: string) => void = () => undefined): AnswerStatement {
  return (sql, parameters) => {
    refuse(sql);
    return answer(account, sql, parameters);
  };
}

function answer(account: FakeAccount, sql: string, parameters: readonly Parameter[]): FakeAnswer {
  const names = [...sql.matchAll(/"((?:[^"]|"")*)"/g)].map(([, name]) => (name ?? '').replaceAll('""', '"'));
  const [database = '', schemaName = '', tableName = ''] = names;
  const schemas = account[database];
  if (schemas === undefined) throw refusal('002003', `Database '${database}' does not exist or not authorized.`);
  if (sql.startsWith('SHOW TERSE SCHEMAS'))
    return page(
      sql,
      [...Object.keys(schemas), 'INFORMATION_SCHEMA'].sort().map((name) => ({ name })),
    );
  if (sql.includes('TAG_REFERENCES_ALL_COLUMNS')) {
    const [, holder = '', table = ''] = String(parameters[0]).slice(1, -1).split('"."');
    return schemas[holder]?.tags?.[table.replaceAll('""', '"')] ?? [];
  }
  const isView = sql.includes('.INFORMATION_SCHEMA.');
  const schema = schemas[isView ? String(parameters[0]) : schemaName];
  if (schema === undefined) {
    if (isView) return [];
    throw refusal('002003', `Schema '${schemaName}' does not exist or not authorized.`);
  }
  if (isView) return viewRows(schema, sql);
  if (sql.startsWith('SHOW TABLES'))
    return page(sql, schema.tables.filter(({ definition }) => definition === undefined).map(shownTable));
  if (sql.startsWith('SHOW VIEWS'))
    return page(sql, schema.tables.filter(({ definition }) => definition !== undefined).map(shownTable));
  if (sql.startsWith('SHOW COLUMNS')) {
    const tables = tableName === '' ? schema.tables : named(schema.tables, tableName, ({ name }) => name);
    return tables
      .flatMap(({ name, columns }) => columns.map(({ shown }) => ({ table_name: name, ...shown })))
      .slice(0, 10_000);
  }
  const keys = sql.startsWith('SHOW PRIMARY')
    ? schema.primaryKeys
    : sql.startsWith('SHOW UNIQUE')
      ? schema.uniqueKeys
      : schema.importedKeys;
  if (tableName !== '') return named(keys ?? [], tableName, (row) => String(row.table_name ?? row.fk_table_name));
  return (keys ?? []).slice(0, 10_000);
}

const byName = new WeakMap<object, Map<string, unknown[]>>();

/** The items of one name; ten thousand are asked for one by one. */
function named<Item>(items: readonly Item[], name: string, nameOf: (item: Item) => string): readonly Item[] {
  const known = byName.get(items) ?? Map.groupBy(items, (item) => nameOf(item as Item));
  byName.set(items, known);
  return (known.get(name) ?? []) as readonly Item[];
}

function viewRows({ tables }: FakeSchema, sql: string): FakeAnswer {
  if (sql.includes('.TABLES '))
    return tables.map(({ name, definition, view }) => ({
      TABLE_NAME: name,
      TABLE_TYPE: definition === undefined ? 'BASE TABLE' : 'VIEW',
      IS_DYNAMIC: 'NO',
      IS_HYBRID: 'NO',
      ...view,
    }));
  if (sql.includes('.VIEWS '))
    return tables
      .filter(({ definition }) => definition !== undefined)
      .map(({ name, definition }) => ({ TABLE_NAME: name, VIEW_DEFINITION: definition ?? null }));
  return tables.flatMap(({ name, columns }) =>
    columns.map(({ view }, at) => ({ TABLE_NAME: name, ORDINAL_POSITION: at + 1, ...view })),
  );
}

function shownTable({ name, definition, shown }: FakeTable): Row {
  const kind = definition === undefined ? { kind: 'TABLE' } : { text: definition, is_materialized: 'false' };
  return { name, comment: '', is_external: 'N', is_hybrid: 'N', is_dynamic: 'N', ...kind, ...shown };
}

/** `LIMIT n FROM 'name'`: the rows behind that name; at most 10,000. */
function page(sql: string, rows: readonly Row[]): FakeAnswer {
  const from = / FROM '(.*)'$/.exec(sql)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const start = from === undefined ? 0 : rows.findIndex(({ name }) => name === from) + 1;
  return rows.slice(start, start + Number(/ LIMIT (\d+)/.exec(sql)?.[1] ?? 10_000));
}
