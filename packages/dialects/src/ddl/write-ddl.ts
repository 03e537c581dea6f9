import {
  type Attribute,
  type Catalog,
  type Dialect,
  quoteIfNeeded,
  type RelationId,
  referencedFirst,
  type Schema,
} from '@askema/core';
import { commentStatements, commentSuffix } from './comment-clauses.ts';
import { isTable, readSource } from './ddl-source.ts';
import { type Line, lineComment, relationName, type Writer } from './ddl-writer.ts';
import { enumText } from './enum-labels.ts';
import { addForeignKeys, foreignKeyLines, informationalRemark, keyLines } from './key-clauses.ts';
import { nativeType } from './native-type.ts';

/** What {@link writeDdl} writes beside tables and keys. */
export interface WriteDdlOptions {
  /** `CREATE TABLE IF NOT EXISTS`. Default false. */
  readonly ifNotExists?: boolean | undefined;
  /** Default true. */
  readonly foreignKeys?: boolean | undefined;
  /** Comments of a catalog, in the way of the dialect. Default false. */
  readonly comments?: boolean | undefined;
}

/**
 * A schema or catalog as statements that create it, targets of foreign keys first. What a dialect does not have is kept
 * as a remark in a line comment, so that nothing is lost silently: keys that it cannot declare, generated columns whose
 * expression is unknown, views of another dialect, labels of an enumeration that no CHECK can hold. Where keys are
 * declared and not enforced, the first line says so.
 *
 * Names are written as they are, never shortened: one that is longer than the dialect takes is an error, because
 * whoever reads the schema would look for a table that is not there. The same input gives the same text. From a catalog
 * of the same dialect it takes native types, defaults, checks and views over.
 *
 * @throws AskemaError `SCHEMA_INVALID` for a schema that refers to what is not there, has a relation without
 * attributes, or two relations that would have one name, or a name that is too long; `INPUT_INVALID` for a name with a
 * NUL character.
 */
export function writeDdl(source: Schema | Catalog, dialect: Dialect, options: WriteDdlOptions = {}): string {
  const read = readSource(source, dialect);
  const tables = read.schema.relations.filter(({ id }) => isTable(read, id)).map(({ id }) => id);
  const ordered = referencedFirst(read.index, tables);
  const writer: Writer = {
    source: read,
    dialect,
    position: new Map(ordered.map((id, position) => [id, position])),
    ifNotExists: options.ifNotExists ?? false,
    foreignKeys: options.foreignKeys ?? true,
    comments: options.comments ?? false,
  };
  const others = read.schema.relations.filter(({ id }) => !isTable(read, id)).map(({ id }) => id);
  const remark = informationalRemark(writer);
  const statements = [
    ...(remark === undefined || ordered.length === 0 ? [] : [remark]),
    ...ordered.map((id) => createTable(writer, id)),
    ...ordered.flatMap((id) => addForeignKeys(writer, id)),
    ...others.map((id) => createOther(writer, id)),
    ...read.schema.relations.flatMap(({ id }) => commentStatements(writer, id)),
  ];
  return statements.length === 0 ? '' : `${statements.join('\n\n')}\n`;
}

function createTable(writer: Writer, relation: RelationId): string {
  const { source, dialect, ifNotExists } = writer;
  const lines: Line[] = [
    ...source.index.attributesOf(relation).map((attribute) => columnLine(writer, attribute)),
    ...keyLines(writer, relation),
    ...foreignKeyLines(writer, relation),
  ];
  if (source.native)
    lines.push(...(source.checks.get(relation) ?? []).map((expression) => ({ sql: `CHECK ${bracketed(expression)}` })));
  const lastSql = lines.findLastIndex((line) => 'sql' in line);
  const body = lines.map((line, index) => {
    if (!('sql' in line)) return `  ${lineComment(dialect, line.remark)}`;
    const remark = line.remark === undefined ? '' : ` ${lineComment(dialect, line.remark)}`;
    return `  ${line.sql}${index < lastSql ? ',' : ''}${remark}`;
  });
  const head = `CREATE TABLE ${ifNotExists ? 'IF NOT EXISTS ' : ''}${relationName(writer, relation)} (`;
  const comment = writer.comments ? source.catalog?.relations[relation]?.comment : undefined;
  const above = comment !== undefined && dialect.ddl.comments === undefined ? [lineComment(dialect, comment)] : [];
  const behind = commentSuffix(writer, 'relation', comment, {});
  return [...above, head, ...body, `)${behind};`].join('\n');
}

function columnLine(writer: Writer, attribute: Attribute): Line {
  const { source, dialect } = writer;
  const { index, native } = source;
  const info = source.catalog?.attributes[attribute.id];
  const isComputed = info?.generated === 'virtual' || info?.generated === 'stored';
  const comment = writer.comments ? info?.comment : undefined;
  const enumeration = enumText(source, attribute, dialect);
  const words = [
    quoteIfNeeded(attribute.name, dialect),
    nativeType(source, attribute, dialect),
    native && info?.collation !== undefined ? `COLLATE ${quoteIfNeeded(info.collation, dialect)}` : '',
    index.isNotNull(attribute.id) ? 'NOT NULL' : '',
    native && !isComputed && info?.defaultExpression !== undefined
      ? `DEFAULT ${bracketed(info.defaultExpression)}`
      : '',
    commentSuffix(writer, 'attribute', comment, { attribute: quoteIfNeeded(attribute.name, dialect) }).trim(),
    enumeration?.check ?? '',
  ];
  const remarks = [
    comment !== undefined && dialect.ddl.comments === undefined ? comment : '',
    isComputed ? `${info?.generated} generated column; its expression is not in the catalog` : '',
    enumeration?.remark ?? '',
  ].filter((remark) => remark !== '');
  const sql = words.filter((word) => word !== '').join(' ');
  return remarks.length === 0 ? { sql } : { sql, remark: remarks.join('; ') };
}

/** Views and the like, as their own database has stored them. */
function createOther(writer: Writer, relation: RelationId): string {
  const { source, dialect } = writer;
  const info = source.catalog?.relations[relation];
  const definition = source.native ? info?.definition?.trim().replace(/;$/, '') : undefined;
  const name = relationName(writer, relation);
  if (definition === undefined || definition === '')
    return lineComment(
      dialect,
      `${info?.kind} ${name} is left out: its definition is not known in ${dialect.displayName}`,
    );
  const isWhole = /^create\b/i.test(definition);
  return terminated(isWhole ? definition : `CREATE ${info?.kind.toUpperCase()} ${name} AS\n${definition}`);
}

/** A stored expression may end in a comment, which must not swallow the bracket. */
function bracketed(expression: string): string {
  return hasComment(expression) ? `(${expression}\n  )` : `(${expression})`;
}

function terminated(statement: string): string {
  return hasComment(statement) ? `${statement}\n;` : `${statement};`;
}

function hasComment(sql: string): boolean {
  return /--|\/\*|#|\/\//.test(sql);
}
