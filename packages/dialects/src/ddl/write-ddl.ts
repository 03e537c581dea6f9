import {
  type Attribute,
  type AttributeId,
  type Catalog,
  type Dialect,
  type ForeignKey,
  fillProbe,
  oneLine,
  qualifiedName,
  quoteIfNeeded,
  quoteString,
  type RelationId,
  type Schema,
} from '@askema/core';
import { type DdlSource, isTable, namePartsOf, readSource } from './ddl-source.ts';
import { nativeType } from './native-type.ts';
import { orderRelations } from './order-relations.ts';

/** What {@link writeDdl} writes beside tables and keys. */
export interface WriteDdlOptions {
  /** `CREATE TABLE IF NOT EXISTS`. Default false. */
  readonly ifNotExists?: boolean | undefined;
  /** Default true. */
  readonly foreignKeys?: boolean | undefined;
  /** Comments of a catalog, in the way of the dialect. Default false. */
  readonly comments?: boolean | undefined;
}

interface Writer extends Required<Record<keyof WriteDdlOptions, boolean>> {
  readonly source: DdlSource;
  readonly dialect: Dialect;
  readonly position: ReadonlyMap<RelationId, number>;
}

/** One line of a CREATE TABLE: SQL that takes a comma, or a remark that does not. */
type Line = { readonly sql: string; readonly remark?: string | undefined } | { readonly remark: string };

/**
 * A schema or catalog as statements that create it, targets of foreign keys first. What a dialect does not have is kept as a remark
 * in a line comment, so that nothing is lost silently: keys that it cannot declare, generated columns whose expression is unknown,
 * views of another dialect.
 *
 * The same input gives the same text. From a catalog of the same dialect it takes native types, defaults, checks and views over.
 *
 * @throws AskemaError `SCHEMA_INVALID` for a schema that refers to what is not there, has a relation without attributes, or
 * two relations that would have one name; `INPUT_INVALID` for a name with a NUL character.
 */
export function writeDdl(source: Schema | Catalog, dialect: Dialect, options: WriteDdlOptions = {}): string {
  const read = readSource(source, dialect);
  const tables = read.schema.relations.filter(({ id }) => isTable(read, id)).map(({ id }) => id);
  const ordered = orderRelations(read.index, tables);
  const writer: Writer = {
    source: read,
    dialect,
    position: new Map(ordered.map((id, position) => [id, position])),
    ifNotExists: options.ifNotExists ?? false,
    foreignKeys: options.foreignKeys ?? true,
    comments: options.comments ?? false,
  };
  const others = read.schema.relations.filter(({ id }) => !isTable(read, id)).map(({ id }) => id);
  const statements = [
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
  const words = [
    quoteIfNeeded(attribute.name, dialect),
    nativeType(source, attribute, isInKey(source, attribute), dialect),
    native && info?.collation !== undefined ? `COLLATE ${quoteIfNeeded(info.collation, dialect)}` : '',
    index.isNotNull(attribute.id) ? 'NOT NULL' : '',
    native && !isComputed && info?.defaultExpression !== undefined
      ? `DEFAULT ${bracketed(info.defaultExpression)}`
      : '',
    commentSuffix(writer, 'attribute', comment, { attribute: quoteIfNeeded(attribute.name, dialect) }).trim(),
  ];
  const remarks = [
    comment !== undefined && dialect.ddl.comments === undefined ? comment : '',
    isComputed ? `${info?.generated} generated column; its expression is not in the catalog` : '',
  ].filter((remark) => remark !== '');
  const sql = words.filter((word) => word !== '').join(' ');
  return remarks.length === 0 ? { sql } : { sql, remark: remarks.join('; ') };
}

/** True for attributes that the engine has to index: those of a key, unique ones, and what refers to a key and must be of its type. */
function isInKey({ index, uniqueKeys }: DdlSource, { id, relation }: Attribute): boolean {
  return (
    (index.primaryKey(relation)?.attributes.includes(id) ?? false) ||
    (uniqueKeys.get(relation)?.some((key) => key.includes(id)) ?? false) ||
    index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === id))
  );
}

function keyLines({ source, dialect }: Writer, relation: RelationId): Line[] {
  const { primaryKey, unique } = dialect.ddl;
  const key = source.index.primaryKey(relation);
  const lines: Line[] = [];
  if (key !== undefined)
    lines.push(constraint(dialect, primaryKey, `PRIMARY KEY (${names(source, dialect, key.attributes)})`));
  for (const attributes of source.uniqueKeys.get(relation) ?? [])
    lines.push(constraint(dialect, unique, `UNIQUE (${names(source, dialect, attributes)})`));
  return lines;
}

/** The foreign keys that can stand inside of CREATE TABLE. */
function foreignKeyLines(writer: Writer, relation: RelationId): Line[] {
  if (!writer.foreignKeys) return [];
  return writer.source.index
    .foreignKeysFrom(relation)
    .filter((key) => !isAltered(writer, key))
    .map((key) =>
      isWhole(writer.source, key)
        ? constraint(writer.dialect, writer.dialect.ddl.foreignKey, foreignKey(writer, key))
        : { remark: `left out, because its target is not in the catalog: ${foreignKey(writer, key)}` },
    );
}

/** The foreign keys of a cycle, where a dialect wants the target to be there first. */
function addForeignKeys(writer: Writer, relation: RelationId): string[] {
  if (!writer.foreignKeys) return [];
  return writer.source.index
    .foreignKeysFrom(relation)
    .filter((key) => isAltered(writer, key))
    .map((key) => {
      const line = constraint(writer.dialect, writer.dialect.ddl.foreignKey, foreignKey(writer, key));
      return 'sql' in line
        ? `ALTER TABLE ${relationName(writer, relation)} ADD ${line.sql};`
        : lineComment(writer.dialect, line.remark);
    });
}

/** A catalog may know a foreign key and not its target: SQLite allows it, and a part of a database may be all that was read. */
function isWhole({ index }: DdlSource, { target, pairs }: ForeignKey): boolean {
  return (
    index.relation(target) !== undefined && pairs.every(({ from, to }) => index.attribute(from) && index.attribute(to))
  );
}

function isAltered({ dialect, position }: Writer, key: ForeignKey): boolean {
  const own = position.get(key.relation) ?? 0;
  return dialect.ddl.forwardReference === 'alter' && (position.get(key.target) ?? own) > own;
}

function foreignKey(writer: Writer, { target, pairs }: ForeignKey): string {
  const { source, dialect } = writer;
  const from = names(
    source,
    dialect,
    pairs.map((pair) => pair.from),
  );
  const to = names(
    source,
    dialect,
    pairs.map((pair) => pair.to),
  );
  return `FOREIGN KEY (${from}) REFERENCES ${relationName(writer, target)} (${to})`;
}

function constraint(dialect: Dialect, standing: Dialect['ddl']['primaryKey'], sql: string): Line {
  if (standing === 'none') return { remark: `not declared in ${dialect.displayName}: ${sql}` };
  const suffix = dialect.ddl.informationalSuffix;
  return { sql: standing === 'informational' && suffix !== undefined ? `${sql} ${suffix}` : sql };
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

function commentStatements(writer: Writer, relation: RelationId): string[] {
  const { source, dialect } = writer;
  const traits = dialect.ddl.comments;
  if (!writer.comments || traits?.placement !== 'statement') return [];
  const holes = { relation: relationName(writer, relation) };
  const statement = (template: string, text: string | undefined, attribute?: string): string[] =>
    text === undefined || text === ''
      ? []
      : [`${fillProbe(template, { ...holes, ...(attribute && { attribute }), text: quoteString(text, dialect) })};`];
  return [
    ...statement(traits.relation, source.catalog?.relations[relation]?.comment),
    ...source.index.attributesOf(relation).flatMap(({ id, name }) => {
      const text = source.catalog?.attributes[id]?.comment;
      return statement(traits.attribute, text, quoteIfNeeded(name, dialect));
    }),
  ];
}

function commentSuffix(
  { dialect }: Writer,
  kind: 'relation' | 'attribute',
  text: string | undefined,
  holes: Readonly<Record<string, string>>,
): string {
  const traits = dialect.ddl.comments;
  if (text === undefined || text === '' || traits?.placement !== 'suffix') return '';
  return ` ${fillProbe(traits[kind], { ...holes, text: quoteString(text, dialect) })}`;
}

function relationName({ source, dialect }: Writer, relation: RelationId): string {
  return qualifiedName(namePartsOf(source, relation), dialect);
}

function names(source: DdlSource, dialect: Dialect, attributes: readonly AttributeId[]): string {
  return attributes.map((id) => quoteIfNeeded(source.index.attribute(id)?.name ?? id, dialect)).join(', ');
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

function lineComment(dialect: Dialect, text: string): string {
  return `${dialect.lexer.lineComments[0] ?? '--'} ${oneLine(text)}`;
}
