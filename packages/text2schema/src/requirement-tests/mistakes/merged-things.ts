import {
  type Attribute,
  type AttributeId,
  attributeId,
  type ForeignKey,
  foldName,
  foreignKeyId,
  type Schema,
  type SchemaIndex,
} from '@askema/core';
import { prefixed } from '../../mapping/reference-name.ts';
import { keyOf, named, nameOf } from '../keys-and-names.ts';
import { withAttributes, withConstraint, withoutForeignKey, withoutRelation } from './change-schema.ts';
import type { Mistake } from './mistake.ts';
import { factsOf, namedFacts, styleOf } from './words.ts';

/** A thing is kept in the one relation that refers to it, with its facts, once for each row of that. */
export const mergedThings: Mistake = (index) =>
  index.schema.relations.flatMap(({ id }) => {
    const [key, ...others] = index.foreignKeysTo(id);
    if (key === undefined || others.length > 0 || key.relation === id) return [];
    if (index.foreignKeysFrom(id).some(({ target }) => target === key.relation)) return [];
    const facts = factsOf(index, id);
    const copies = copiesOf(index, key, facts);
    if (copies === undefined) return [];
    const host = named(index, key.relation);
    const ids = facts.map((fact) => fact.id);
    const again =
      ids.length === 0 ? '' : `, and each ${host} repeats the ${namedFacts(index, id, ids)} of its ${named(index, id)}`;
    return {
      says: `No ${named(index, id)} can be kept of which there is no ${host}${again}.`,
      plant: () => merged(index, key, copies),
    };
  });

/** A fact as it stands in the relation that takes it up, by its id before; undefined where no name is free. */
function copiesOf(
  index: SchemaIndex,
  { relation, target }: ForeignKey,
  facts: readonly Attribute[],
): ReadonlyMap<AttributeId, Attribute> | undefined {
  const taken = new Set(index.attributesOf(relation).map(({ name }) => foldName(name, index.nameComparison)));
  const copies = new Map<AttributeId, Attribute>();
  for (const { id, name, type } of facts) {
    const free = [name, prefixed(nameOf(index, target), name, styleOf(index))].find(
      (one) => !taken.has(foldName(one, index.nameComparison)),
    );
    if (free === undefined) return undefined;
    taken.add(foldName(free, index.nameComparison));
    copies.set(id, { id: attributeId(relation, free), relation, name: free, type });
  }
  return copies;
}

function merged(index: SchemaIndex, key: ForeignKey, copies: ReadonlyMap<AttributeId, Attribute>): Schema {
  const rest = withoutForeignKey(withoutRelation(index.schema, key.target), key.id);
  let schema = withAttributes(rest, key.relation, [...copies.values()]);
  const hostKey = keyOf(index, key.relation);
  const isAlwaysThere = key.pairs.every(({ from }) => hostKey.includes(from) || index.isNotNull(from));
  // Where a row may stand without the other, nothing of the other is required; and nothing is unique that is repeated.
  if (isAlwaysThere)
    for (const [fact, { id }] of copies)
      if (index.isNotNull(fact)) schema = withConstraint(schema, { attribute: id, constraint: 'not null' });
  const placeOf = (id: AttributeId): AttributeId =>
    copies.get(id)?.id ?? key.pairs.find(({ to }) => to === id)?.from ?? id;
  const takenUp = index.foreignKeysFrom(key.target).map((own): ForeignKey => {
    const pairs = own.pairs.map(({ from, to }) => ({ from: placeOf(from), to }));
    return { id: foreignKeyId(key.relation, own.target, pairs), relation: key.relation, target: own.target, pairs };
  });
  return { ...schema, foreignKeys: [...schema.foreignKeys, ...takenUp] };
}
