import { type AttributeId, attributeId, type RelationId, type SchemaIndex } from '@askema/core';
import { prefixed } from '../../mapping/reference-name.ts';
import { keyOf, named, nameOf } from '../keys-and-names.ts';
import { withAttributes, withKey, withoutConstraint } from './change-schema.ts';
import type { Mistake, MistakePlace } from './mistake.ts';
import { factsOf, hasLoneId, namedFacts, styleOf } from './words.ts';

/** One attribute of a key is no part of it. What is one reference then is {@link manyToManyMadeOneToMany}. */
export const keyTooSmall: Mistake = (index) =>
  index.schema.relations.flatMap(({ id }) => {
    const key = keyOf(index, id);
    const others = shorterKeys(index, id);
    return key
      .map((gone) => key.filter((one) => one !== gone))
      .filter((rest) => rest.length > 0 && !others.some((other) => isSameKey(other, rest)))
      .map((rest) => shortened(index, id, rest));
  });

/** Something more belongs to a key. An id that rows have for its own sake never comes twice. */
export const keyTooLarge: Mistake = (index) =>
  index.schema.relations.flatMap(({ id: relation }) => {
    const key = keyOf(index, relation);
    if (key.length === 0 || hasLoneId(index, relation) || index.foreignKeysTo(relation).length > 0) return [];
    const facts = namedFacts(index, relation, key);
    return factsOf(index, relation).map(({ id }) => ({
      says: `A second ${named(index, relation)} with the same ${facts} is accepted where its ${namedFacts(index, relation, [id])} differs.`,
      plant: () => withKey(index.schema, relation, [...key, id]),
    }));
  });

/** Of several references in a key, one is the key: many-to-many became one-to-many. */
export const manyToManyMadeOneToMany: Mistake = (index) =>
  index.schema.relations.flatMap(({ id }) => shorterKeys(index, id).map((rest) => shortened(index, id, rest)));

/** Rows have a new id in place of what tells them apart, or what is unique may come twice. */
export const nothingToldApart: Mistake = (index) => [
  ...index.schema.relations.flatMap(({ id }) => numbered(index, id)),
  ...index.schema.domainConstraints.flatMap((one) => {
    const relation = index.attribute(one.attribute)?.relation;
    if (relation === undefined || one.constraint !== 'unique') return [];
    const key = keyOf(index, relation);
    if (key.length === 1 && key.includes(one.attribute)) return [];
    return {
      says: twice(index, relation, [one.attribute]),
      plant: () => withoutConstraint(index.schema, one),
    };
  }),
];

function numbered(index: SchemaIndex, relation: RelationId): readonly MistakePlace[] {
  const key = keyOf(index, relation);
  if (key.length === 0 || hasLoneId(index, relation)) return [];
  const own = nameOf(index, relation);
  const id = /^\p{Ll}/u.test(own) ? 'id' : 'ID';
  const name = [prefixed(own, id, styleOf(index)), id].find((one) => index.attributeNamed(relation, one) === undefined);
  if (name === undefined) return [];
  const added = { id: attributeId(relation, name), relation, name, type: 'NUMERIC' as const };
  const plant = () => withKey(withAttributes(index.schema, relation, [added]), relation, [added.id]);
  return [{ says: twice(index, relation, key), plant }];
}

function twice(index: SchemaIndex, relation: RelationId, ids: readonly AttributeId[]): string {
  return `A second ${named(index, relation)} with the same ${namedFacts(index, relation, ids)} is accepted.`;
}

function shortened(index: SchemaIndex, relation: RelationId, rest: readonly AttributeId[]): MistakePlace {
  const gone = keyOf(index, relation).filter((id) => !rest.includes(id));
  const [same, other] = [namedFacts(index, relation, rest), namedFacts(index, relation, gone)];
  return {
    says: `A second ${named(index, relation)} with the same ${same} is refused, though its ${other} ${gone.length > 1 ? 'differ' : 'differs'}.`,
    plant: () => withKey(index.schema, relation, rest),
  };
}

/** The references in a key that has several, each for itself; none where they share all attributes. */
function shorterKeys(index: SchemaIndex, relation: RelationId): readonly (readonly AttributeId[])[] {
  const key = keyOf(index, relation);
  const references: (readonly AttributeId[])[] = [];
  for (const { pairs } of index.foreignKeysFrom(relation)) {
    const from = pairs.map((pair) => pair.from);
    if (!from.every((id) => key.includes(id)) || references.some((other) => isSameKey(other, from))) continue;
    references.push(from);
  }
  return references.length < 2 ? [] : references.filter((one) => one.length < key.length);
}

function isSameKey(one: readonly AttributeId[], other: readonly AttributeId[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
