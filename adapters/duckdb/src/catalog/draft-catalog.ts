import { groupRows } from '@askema/adapter-kit';
import {
  buildCatalog,
  type Catalog,
  type CatalogGap,
  type DraftAttribute,
  type DraftRelation,
  type NameParts,
} from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { lexSql, nameOfToken, type SqlToken } from '@askema/sql';
import type { OpenedSource } from '../engine.ts';
import type { FileRelation, RawCatalog, RawCatalogColumn } from '../protocol.ts';
import { nestedFields } from './nested-fields.ts';

export interface DraftOptions {
  readonly name: string;
  readonly opened: OpenedSource | undefined;
  readonly include?: readonly string[] | undefined;
  /** Is filled with the rows that DuckDB expects, by qualified name. */
  readonly estimates: Map<string, number>;
}

/** The schema that need not be named. */
const MAIN = 'main';

/** Databases that are always there. */
const OWN_DATABASES: readonly string[] = ['system', 'temp'];

/** Makes the catalog of what DuckDB's own tables say. */
export function draftCatalog(raw: RawCatalog, { name, opened, include, estimates }: DraftOptions): Catalog {
  const columns = groupRows(raw.columns, ([schema, relation]) => [schema, relation]);
  const constraints = groupRows(raw.constraints, ([schema, relation]) => [schema, relation]);
  const broken = groupRows(raw.broken, ({ schema, relation }) => [schema, relation]);
  const files = new Map(
    (opened?.source.type === 'files' ? opened.source.relations : []).map((relation) => [relation.name, relation]),
  );
  const partsOf = createNameParts(raw.database);
  const relations = raw.relations.flatMap(([schema, relation, kind, comment, sql, rows]): DraftRelation[] => {
    if (broken(schema, relation).length > 0) return [];
    const nameParts = partsOf(schema, relation);
    if (rows !== null) estimates.set(qualified(nameParts), rows);
    const own = constraints(schema, relation);
    const file = files.get(relation);
    return [
      {
        nameParts,
        kind: file === undefined ? kind : 'external table',
        comment: comment ?? undefined,
        definition: file === undefined && kind === 'view' ? (sql ?? undefined) : undefined,
        ...(file === undefined ? {} : ofFile(file)),
        attributes: attributesOf(columns(schema, relation), sql ?? ''),
        primaryKey: own.find(([, , type]) => type === 'PRIMARY KEY')?.[3],
        uniqueKeys: own.filter(([, , type]) => type === 'UNIQUE').map((constraint) => constraint[3]),
        checks: own.flatMap(([, , type, , expression]) =>
          type === 'CHECK' && expression !== null ? [expression] : [],
        ),
        // A foreign key cannot leave its schema.
        foreignKeys: own.flatMap(([, , type, attributes, , target, targetAttributes]) =>
          type === 'FOREIGN KEY' && target !== null
            ? [{ attributes, target: partsOf(schema, target), targetAttributes }]
            : [],
        ),
      },
    ];
  });
  return buildCatalog({ dialect: duckdbDialect, name, relations, gaps: gapsOf(raw, opened, partsOf), include });
}

/**
 * The schema `main` of the opened database need not be named. A schema that is called like a database must be told
 * apart from it: `"shop"."orders"` would be ambiguous.
 */
function createNameParts(database: string): (schema: string, relation: string) => NameParts {
  return (schema, relation) => {
    if (schema === MAIN) return { relation };
    const isAmbiguous = [database.toLowerCase(), ...OWN_DATABASES].includes(schema.toLowerCase());
    return isAmbiguous ? { database, schema, relation } : { schema, relation };
  };
}

function ofFile({ bytes, hive, files, pattern }: FileRelation): Partial<DraftRelation> {
  const keys = hive ? partitionKeys(files) : [];
  return {
    byteCount: bytes,
    ...(keys.length === 0
      ? {}
      : { partitioning: { attributes: keys, filterRequired: false, kind: 'partition' as const } }),
    ...(pattern === undefined
      ? {}
      : { comment: `Rows of ${files.length} files (${pattern}); file_name says of which one.` }),
  };
}

/** `/data/sales/year=2024/month=1/x.parquet` has `year` and `month`. */
function partitionKeys(files: readonly string[]): readonly string[] {
  const [first = ''] = files;
  return first
    .split(/[\\/]/)
    .flatMap((part) => (part.indexOf('=') > 0 && !part.includes('.') ? [part.slice(0, part.indexOf('='))] : []));
}

function attributesOf(columns: readonly RawCatalogColumn[], sql: string): readonly DraftAttribute[] {
  const generated = /\bGENERATED\b/.test(sql) ? generatedColumns(sql) : new Map<string, 'virtual' | 'stored'>();
  return columns.map(([, , name, nativeType, notNull, byDefault, comment]) => {
    const nested = nestedFields(nativeType);
    const how = generated.get(name.toLowerCase());
    return {
      name,
      nativeType,
      notNull,
      comment: comment ?? undefined,
      // DuckDB gives the expression of a generated column as its default.
      defaultExpression: how === undefined ? (byDefault ?? undefined) : undefined,
      generated: how,
      nestedFields: nested.length === 0 ? undefined : nested,
    };
  });
}

/**
 * The generated columns of a CREATE TABLE as DuckDB stores it, by folded name. DuckDB's tables do not tell them from
 * defaults. A definition begins behind the first bracket or a comma on its level.
 */
function generatedColumns(sql: string): Map<string, 'virtual' | 'stored'> {
  const generated = new Map<string, 'virtual' | 'stored'>();
  let depth = 0;
  let name: string | undefined;
  let isFirst = false;
  const tokens = lexSql(sql, duckdbDialect.lexer).filter(({ kind }) => kind !== 'blank' && kind !== 'comment');
  for (const token of tokens) {
    const text = token.kind === 'operator' || token.kind === 'punctuation' ? token.text : '';
    if (isFirst && depth === 1) name = nameIn(token);
    isFirst = false;
    if (text === '(') {
      depth += 1;
      isFirst = depth === 1;
    } else if (text === ')') depth -= 1;
    else if (text === ',' && depth === 1) isFirst = true;
    else if (depth === 1 && name !== undefined && token.kind === 'word') {
      const word = token.text.toUpperCase();
      if (word === 'GENERATED') generated.set(name, 'virtual');
      else if (word === 'STORED' && generated.has(name)) generated.set(name, 'stored');
    }
  }
  return generated;
}

function nameIn(token: SqlToken): string | undefined {
  return nameOfToken(token, duckdbDialect.lexer)?.toLowerCase();
}

function gapsOf(
  { broken }: RawCatalog,
  opened: OpenedSource | undefined,
  partsOf: (schema: string, relation: string) => NameParts,
): readonly CatalogGap[] {
  const leftOut = opened?.source.type === 'files' ? opened.source.leftOut : [];
  return [
    ...leftOut.map(({ file, reason }) => ({ subject: file, reason: `this file is not read: ${reason}` })),
    ...broken.map(({ schema, relation, message }) => ({
      subject: qualified(partsOf(schema, relation)),
      reason: `this view cannot be read: ${firstLine(message)}`,
    })),
    ...(opened?.process.opened?.problems ?? []).map(({ relation, message }) => ({
      subject: relation,
      reason: `its file cannot be read: ${firstLine(message)}`,
    })),
  ];
}

/** As a gap and a count name a relation. */
export function qualified({ database, schema, relation }: NameParts): string {
  return [database, schema, relation].filter((part) => part !== undefined).join('.');
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? '';
}
