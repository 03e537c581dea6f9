import { type ForeignKey, fillProbe, quoteIdentifier, type RelationId } from '@askema/core';
import type { DdlSource } from './ddl-source.ts';
import { attributeNames, type Line, lineComment, relationName, type Writer } from './ddl-writer.ts';
import { type KeyStanding, targetKey, whyNoForeignKey, whyNoKey } from './key-limits.ts';
import { nameLength } from './name-length.ts';
import { shortName } from './short-name.ts';

/** The primary key and the unique keys of a relation. */
export function keyLines(writer: Writer, relation: RelationId): Line[] {
  const { source, dialect } = writer;
  const key = source.index.primaryKey(relation);
  const lines: Line[] = [];
  if (key !== undefined) {
    const sql = `PRIMARY KEY (${attributeNames(writer, key.attributes)})`;
    lines.push(constraint(writer, dialect.ddl.primaryKey, sql, whyNoKey(writer, key.attributes)));
  }
  for (const attributes of source.uniqueKeys.get(relation) ?? []) {
    const sql = `UNIQUE (${attributeNames(writer, attributes)})`;
    lines.push(constraint(writer, dialect.ddl.unique, sql, whyNoKey(writer, attributes)));
  }
  return lines;
}

/** The foreign keys that can stand inside of CREATE TABLE. */
export function foreignKeyLines(writer: Writer, relation: RelationId): Line[] {
  if (!writer.foreignKeys) return [];
  return keysOf(writer, relation).flatMap(([key, number]): Line[] => {
    if (isAltered(writer, key)) return [];
    return isWhole(writer.source, key)
      ? [foreignKeyLine(writer, key, number)]
      : [{ remark: `left out, because its target is not in the catalog: ${foreignKey(writer, key)}` }];
  });
}

/** The foreign keys of a cycle, where a dialect wants the target to be there first. */
export function addForeignKeys(writer: Writer, relation: RelationId): string[] {
  if (!writer.foreignKeys) return [];
  return keysOf(writer, relation).flatMap(([key, number]) => {
    if (!isAltered(writer, key)) return [];
    const line = foreignKeyLine(writer, key, number);
    return 'sql' in line
      ? `ALTER TABLE ${relationName(writer, relation)} ADD ${line.sql};`
      : lineComment(writer.dialect, line.remark);
  });
}

/** What stands above DDL whose keys nobody enforces. */
export function informationalRemark({ source, dialect, foreignKeys }: Writer): string | undefined {
  const { ddl, displayName } = dialect;
  const present = [
    ['PRIMARY KEY', ddl.primaryKey, source.schema.primaryKeys.length],
    ['UNIQUE', ddl.unique, source.uniqueKeys.size],
    ['FOREIGN KEY', ddl.foreignKey, foreignKeys ? source.schema.foreignKeys.length : 0],
  ] as const;
  const named = present.filter(([, standing, count]) => standing === 'informational' && count > 0);
  if (named.length === 0) return undefined;
  const list = named.map(([word]) => word).join(', ');
  return lineComment(dialect, `${displayName} does not enforce its keys (${list}): they inform readers and tools.`);
}

/** Each foreign key with its number among those of the relation, from 1. */
function keysOf({ source }: Writer, relation: RelationId): (readonly [ForeignKey, number])[] {
  return source.index.foreignKeysFrom(relation).map((key, index) => [key, index + 1] as const);
}

function foreignKeyLine(writer: Writer, key: ForeignKey, number: number): Line {
  const sql = `${constraintName(writer, key, number)}${foreignKey(writer, inOrderOfTarget(writer, key))}`;
  return constraint(writer, writer.dialect.ddl.foreignKey, sql, whyNoForeignKey(writer, key));
}

/**
 * A catalog may know a foreign key and not its target: SQLite allows it, and a part of a database may be all that was
 * read.
 */
function isWhole({ index }: DdlSource, { target, pairs }: ForeignKey): boolean {
  return (
    index.relation(target) !== undefined && pairs.every(({ from, to }) => index.attribute(from) && index.attribute(to))
  );
}

function isAltered({ dialect, position }: Writer, key: ForeignKey): boolean {
  const own = position.get(key.relation) ?? 0;
  return dialect.ddl.forwardReference === 'alter' && (position.get(key.target) ?? own) > own;
}

/** Engines that look for the key behind a foreign key may want its attributes in the order of that key (MySQL does). */
function inOrderOfTarget(writer: Writer, key: ForeignKey): ForeignKey {
  const order = writer.dialect.ddl.foreignKeyTarget === undefined ? undefined : targetKey(writer, key);
  if (order === undefined) return key;
  return { ...key, pairs: order.flatMap((id) => key.pairs.filter(({ to }) => to === id)) };
}

function foreignKey(writer: Writer, { target, pairs }: ForeignKey): string {
  const from = attributeNames(
    writer,
    pairs.map((pair) => pair.from),
  );
  const to = attributeNames(
    writer,
    pairs.map((pair) => pair.to),
  );
  return `FOREIGN KEY (${from}) REFERENCES ${relationName(writer, target)} (${to})`;
}

/** `CONSTRAINT name `, where the name that the engine would make up is longer than names can be. */
function constraintName({ source, dialect }: Writer, key: ForeignKey, number: number): string {
  const { madeUpForeignKeyName } = dialect.ddl;
  const { maxLength } = dialect.identifiers;
  const relation = source.index.relation(key.relation)?.name ?? key.relation;
  if (madeUpForeignKeyName === undefined || maxLength === undefined) return '';
  const madeUp = fillProbe(madeUpForeignKeyName, { relation, number });
  if (nameLength(madeUp, dialect) <= maxLength) return '';
  return `CONSTRAINT ${quoteIdentifier(shortName(madeUp, maxLength), dialect)} `;
}

function constraint({ dialect }: Writer, standing: KeyStanding, sql: string, reason: string | undefined): Line {
  if (standing === 'none') return { remark: `not declared in ${dialect.displayName}: ${sql}` };
  if (reason !== undefined) return { remark: `not declared in ${dialect.displayName}, ${reason}: ${sql}` };
  const suffix = dialect.ddl.informationalSuffix;
  return { sql: standing === 'informational' && suffix !== undefined ? `${sql} ${suffix}` : sql };
}
