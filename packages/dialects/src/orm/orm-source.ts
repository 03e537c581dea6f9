import {
  type Attribute,
  type AttributeId,
  type Catalog,
  type Dialect,
  type ForeignKey,
  oneLine,
  type RelationId,
  type Schema,
} from '@askema/core';
import { type DdlSource, isTable, readSource } from '../ddl/ddl-source.ts';

/** What the writers of models read: the tables of a schema, without qualifiers, and which keys hold between them. */
export interface OrmSource {
  readonly source: DdlSource;
  readonly tables: readonly RelationId[];
  /** Foreign keys by relation: those between tables, to a declared key of the same types. */
  readonly foreignKeys: ReadonlyMap<RelationId, readonly ForeignKey[]>;
  /** What is left out, as sentences for comments. */
  readonly leftOut: readonly string[];
}

/**
 * @throws AskemaError `SCHEMA_INVALID` as `writeDdl` does, and for two relations that differ only in the schema around
 * them.
 */
export function readOrmSource(input: Schema | Catalog, dialect: Dialect): OrmSource {
  const source = readSource(input, { ...dialect, identifiers: { ...dialect.identifiers, qualifiers: [] } });
  const { index, schema } = source;
  const tables = schema.relations.map(({ id }) => id).filter((id) => isTable(source, id));
  const known = new Set(tables);
  const leftOut = schema.relations
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }) => `${source.catalog?.relations[id]?.kind ?? 'relation'} ${oneLine(name)}`);
  const foreignKeys = new Map<RelationId, ForeignKey[]>();
  for (const relation of tables) {
    const kept = index.foreignKeysFrom(relation).filter((key) => {
      const reason = known.has(key.target) ? whyNot(source, key) : 'its target is not there';
      if (reason !== undefined) leftOut.push(`foreign key ${foreignKeyText(source, key)}, because ${reason}`);
      return reason === undefined;
    });
    foreignKeys.set(relation, kept);
  }
  return { source, tables, foreignKeys, leftOut };
}

/** Whether the attributes are a whole key: the primary one, or a unique one. */
export function isWholeKey(source: DdlSource, relation: RelationId, attributes: readonly string[]): boolean {
  return wholeKey(source, relation, attributes) !== undefined;
}

/** The key that these attributes are, in its own order. */
export function wholeKey(
  { index, uniqueKeys }: DdlSource,
  relation: RelationId,
  attributes: readonly string[],
): readonly AttributeId[] | undefined {
  const wanted = new Set(attributes);
  const keys = [index.primaryKey(relation)?.attributes ?? [], ...(uniqueKeys.get(relation) ?? [])];
  return keys.find((key) => key.length === wanted.size && key.length > 0 && key.every((id) => wanted.has(id)));
}

/** True for what cannot be NULL: NOT NULL, or part of the primary key. */
export function isRequired({ index }: DdlSource, { id, relation }: Attribute): boolean {
  return index.isNotNull(id) || (index.primaryKey(relation)?.attributes.includes(id) ?? false);
}

function whyNot(source: DdlSource, { target, pairs }: ForeignKey): string | undefined {
  const types = pairs.map(({ from, to }) => [source.index.attribute(from)?.type, source.index.attribute(to)?.type]);
  if (types.some(([from, to]) => from === undefined || to === undefined)) return 'its attributes are not all there';
  if (
    !isWholeKey(
      source,
      target,
      pairs.map(({ to }) => to),
    )
  )
    return 'it refers to no key';
  return types.some(([from, to]) => from !== to) ? 'its types are not those of what it refers to' : undefined;
}

function foreignKeyText({ index }: DdlSource, { relation, target, pairs }: ForeignKey): string {
  const names = (ids: readonly string[]): string => ids.map((id) => index.attribute(id)?.name ?? id).join(', ');
  const text = `${index.relation(relation)?.name ?? relation} (${names(pairs.map(({ from }) => from))}) to ${index.relation(target)?.name ?? target} (${names(pairs.map(({ to }) => to))})`;
  return oneLine(text);
}
