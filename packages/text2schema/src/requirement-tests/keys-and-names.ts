import type { AttributeId, RelationId, SchemaIndex } from '@askema/core';
import { quoted } from '../conceptual/name-lookup.ts';

/** The attributes of the primary key; none where a relation has no key. */
export function keyOf(index: SchemaIndex, relation: RelationId): readonly AttributeId[] {
  return index.primaryKey(relation)?.attributes ?? [];
}

/** True where a relation has a key, and each part of it is among these attributes. */
export function isKeyAmong(
  index: SchemaIndex,
  relation: RelationId,
  attributes: { has(attribute: AttributeId): boolean },
): boolean {
  const key = keyOf(index, relation);
  return key.length > 0 && key.every((id) => attributes.has(id));
}

/** The name of a relation or an attribute. */
export function nameOf(index: SchemaIndex, id: string): string {
  return (index.relation(id) ?? index.attribute(id))?.name ?? id;
}

/** The same in quotes, for messages. */
export function named(index: SchemaIndex, id: string): string {
  return quoted(nameOf(index, id));
}
