import { attributeId, type DataType, foreignKeyId, logicalType, relationId, type Schema } from '@askema/core';
import type Database from 'better-sqlite3';
import { sqliteDialect } from '../sqlite/sqlite.ts';

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}
interface KeyRow {
  readonly id: number;
  readonly seq: number;
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** For tests: the 5-tuple of a database, as its own pragmas tell it; parts sorted by id. */
export function readSchema(database: Database.Database): Schema {
  const all = <T>(pragma: string, table: string): T[] =>
    database.prepare(`SELECT * FROM ${pragma}(?)`).all(table) as T[];
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .pluck()
    .all() as string[];
  const parts = tables.map((table) => readTable(table, all));
  return sortSchema({
    relations: parts.map((part) => part.relation),
    attributes: parts.flatMap((part) => part.attributes),
    primaryKeys: parts.flatMap((part) => part.primaryKeys),
    foreignKeys: parts.flatMap((part) => part.foreignKeys),
    domainConstraints: parts.flatMap((part) => part.domainConstraints),
  });
}

/** Relations, keys and constraints in the order of their ids; attributes stay in their order. */
export function sortSchema(schema: Schema): Schema {
  const by =
    <T>(key: (item: T) => string) =>
    (a: T, b: T): number =>
      key(a) < key(b) ? -1 : 1;
  return {
    relations: [...schema.relations].sort(by(({ id }) => id)),
    attributes: [...schema.attributes].sort((a, b) =>
      a.relation === b.relation ? 0 : a.relation < b.relation ? -1 : 1,
    ),
    primaryKeys: [...schema.primaryKeys].sort(by(({ relation }) => relation)),
    foreignKeys: [...schema.foreignKeys].sort(by(({ id }) => id)),
    domainConstraints: [...schema.domainConstraints].sort(by((entry) => `${entry.attribute} ${entry.constraint}`)),
  };
}

function readTable(table: string, all: <T>(pragma: string, table: string) => T[]) {
  const relation = relationId([table]);
  const columns = all<ColumnRow>('pragma_table_info', table);
  const id = (name: string): string => attributeId(relation, name);
  const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const unique = all<{ name: string; origin: string }>('pragma_index_list', table)
    .filter(({ origin }) => origin === 'u')
    .map(({ name }) => all<{ name: string }>('pragma_index_info', name))
    .filter((key) => key.length === 1);
  return {
    relation: { id: relation, name: table },
    attributes: columns.map(({ name, type }) => {
      const dataType: DataType = logicalType(type, sqliteDialect);
      return { id: id(name), relation, name, type: dataType };
    }),
    primaryKeys: primary.length === 0 ? [] : [{ relation, attributes: primary.map(({ name }) => id(name)) }],
    foreignKeys: readForeignKeys(relation, all<KeyRow>('pragma_foreign_key_list', table)),
    domainConstraints: [
      ...columns
        .filter(({ notnull }) => notnull === 1)
        .map(({ name }) => ({ attribute: id(name), constraint: 'not null' as const })),
      ...unique.flat().map(({ name }) => ({ attribute: id(name), constraint: 'unique' as const })),
    ],
  };
}

function readForeignKeys(relation: string, rows: readonly KeyRow[]): Schema['foreignKeys'][number][] {
  return [...new Set(rows.map((row) => row.id))].map((key) => {
    const own = rows.filter((row) => row.id === key).sort((a, b) => a.seq - b.seq);
    const target = relationId([own[0]?.table ?? '']);
    const pairs = own.map(({ from, to }) => ({ from: attributeId(relation, from), to: attributeId(target, to) }));
    return { id: foreignKeyId(relation, target, pairs), relation, target, pairs };
  });
}
