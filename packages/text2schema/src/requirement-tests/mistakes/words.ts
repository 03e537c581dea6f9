import type { Attribute, AttributeId, ForeignKey, RelationId, SchemaIndex } from '@askema/core';
import { keyStem } from '../../conceptual/key-name.ts';
import { quotedList } from '../../conceptual/name-lookup.ts';
import { type NameStyle, nameStyleOf } from '../../mapping/reference-name.ts';
import { keyOf, named, nameOf } from '../keys-and-names.ts';

/** The relation to which a foreign key leads, with its attributes where others of its kind lead there too. */
export function namedTarget(index: SchemaIndex, { relation, target, pairs }: ForeignKey): string {
  const isAlone = index.foreignKeysFrom(relation).filter((key) => key.target === target).length === 1;
  if (isAlone && target !== relation) return named(index, target);
  return `${named(index, target)} (${quotedList(pairs.map(({ from }) => nameOf(index, from)))})`;
}

/** `Reader`, `Book` and `Lent`: attributes of one relation, references by where they lead. */
export function namedFacts(index: SchemaIndex, relation: RelationId, ids: readonly AttributeId[]): string {
  const keys = index.foreignKeysFrom(relation).filter(({ pairs }) => pairs.every(({ from }) => ids.includes(from)));
  const names = ids.map((id) => {
    const key = keys.find(({ pairs }) => pairs.some(({ from }) => from === id));
    return key === undefined ? named(index, id) : namedTarget(index, key);
  });
  const all = [...new Set(names)];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** Attributes beyond the key. */
export function factsOf(index: SchemaIndex, relation: RelationId): readonly Attribute[] {
  const key = keyOf(index, relation);
  return index.attributesOf(relation).filter(({ id }) => !key.includes(id));
}

/** True where a foreign key leads from the attribute, or to it. */
export function isReference(index: SchemaIndex, { id, relation }: Attribute): boolean {
  return (
    index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === id)) ||
    index.foreignKeysTo(relation).some(({ pairs }) => pairs.some(({ to }) => to === id))
  );
}

/** True where rows have a number or a code of their own as key, which tells nothing of what they stand for. */
export function hasLoneId(index: SchemaIndex, relation: RelationId): boolean {
  const [only, ...others] = keyOf(index, relation);
  if (only === undefined || others.length > 0) return false;
  const isOwn = index.foreignKeysFrom(relation).every(({ pairs }) => pairs.every(({ from }) => from !== only));
  return isOwn && keyStem(nameOf(index, only)) !== undefined;
}

export function styleOf({ schema, attributesOf }: SchemaIndex): NameStyle {
  const entitySets = schema.relations.map(({ id, name }) => ({
    name,
    attributes: attributesOf(id).map((attribute) => attribute.name),
  }));
  return nameStyleOf({ entitySets, relationshipSets: [] });
}
