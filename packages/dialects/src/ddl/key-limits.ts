import type { AttributeId, DdlTraits, ForeignKey, RelationId } from '@askema/core';
import type { DdlSource } from './ddl-source.ts';
import type { Writer } from './ddl-writer.ts';

/**
 * Why a dialect cannot declare a primary or unique key of these attributes, as the end of a sentence; undefined where
 * it can.
 */
export function whyNoKey({ source, dialect }: Writer, attributes: readonly AttributeId[]): string | undefined {
  const { maxKeyAttributes, typesOutsideKeys = [] } = dialect.ddl;
  if (maxKeyAttributes !== undefined && attributes.length > maxKeyAttributes)
    return `where a key has at most ${maxKeyAttributes} attributes`;
  const outside = attributes.flatMap((id) => source.index.attribute(id)?.type ?? []).find(isIn(typesOutsideKeys));
  return outside === undefined ? undefined : `where no key has attributes of type ${dialect.types.native[outside]}`;
}

/**
 * Why a dialect cannot declare a foreign key, as the end of a sentence; undefined where it can. A catalog of the same
 * dialect is believed: its keys were declared.
 */
export function whyNoForeignKey(writer: Writer, key: ForeignKey): string | undefined {
  const { source, dialect, position } = writer;
  const { ddl } = dialect;
  if (source.native) return undefined;
  const own = position.get(key.relation) ?? 0;
  if (ddl.forwardReference === 'none' && (position.get(key.target) ?? own) > own)
    return 'which adds no foreign key to a table that is there';
  if (ddl.selfReference === false && key.relation === key.target)
    return 'where a foreign key cannot refer to its own table';
  if (ddl.foreignKeyTarget === undefined) return undefined;
  if (targetKey(writer, key) === undefined)
    return ddl.foreignKeyTarget === 'key'
      ? 'where a foreign key refers to a primary or unique key'
      : 'where a foreign key refers to a primary key';
  const isOfOtherType = key.pairs.some(({ from, to }) => typeOf(source, from) !== typeOf(source, to));
  return isOfOtherType ? 'where a foreign key has the types of what it refers to' : whyNoKey(writer, toOf(key));
}

/** The declared key that a foreign key refers to, in the order of that key; undefined where there is none. */
export function targetKey(writer: Writer, key: ForeignKey): readonly AttributeId[] | undefined {
  const wanted = new Set(toOf(key));
  if (wanted.size !== key.pairs.length) return undefined;
  return declaredKeys(writer, key.target).find(
    (attributes) => attributes.length === wanted.size && attributes.every((id) => wanted.has(id)),
  );
}

function declaredKeys({ source, dialect: { ddl } }: Writer, relation: RelationId): (readonly AttributeId[])[] {
  const primary = source.index.primaryKey(relation)?.attributes;
  return [
    ...(primary === undefined || ddl.primaryKey === 'none' ? [] : [primary]),
    ...(ddl.unique === 'none' || ddl.foreignKeyTarget === 'primary key' ? [] : (source.uniqueKeys.get(relation) ?? [])),
  ];
}

function toOf({ pairs }: ForeignKey): AttributeId[] {
  return pairs.map(({ to }) => to);
}

function typeOf({ index }: DdlSource, id: AttributeId): string | undefined {
  return index.attribute(id)?.type;
}

function isIn<T>(list: readonly T[]): (item: T) => boolean {
  return (item) => list.includes(item);
}

/** What a key is to the engine: `DdlTraits` says it for each kind of key. */
export type KeyStanding = DdlTraits['primaryKey'];
