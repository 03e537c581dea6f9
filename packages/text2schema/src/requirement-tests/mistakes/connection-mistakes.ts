import { attributeId, type ForeignKey, foreignKeyId, type SchemaIndex } from '@askema/core';
import { referenceNames } from '../../mapping/reference-name.ts';
import { keyOf, named, nameOf } from '../keys-and-names.ts';
import { withAttributes, withConstraint, withoutAttributes, withoutForeignKey } from './change-schema.ts';
import type { Mistake, MistakePlace } from './mistake.ts';
import { namedTarget, styleOf } from './words.ts';

/** A thing does not know another one. */
export const lostConnection: Mistake = (index) =>
  index.schema.foreignKeys.flatMap((key) => {
    const own = ownAttributes(index, key);
    if (own.length === 0) return [];
    return {
      says: `Which ${namedTarget(index, key)} the ${named(index, key.relation)} has is not kept.`,
      plant: () => withoutAttributes(withoutForeignKey(index.schema, key.id), own),
    };
  });

/** What many may share, one has for itself: one-to-many became one-to-one. */
export const oneToManyMadeOneToOne: Mistake = (index) =>
  index.schema.foreignKeys.flatMap((key) => {
    const [pair, ...others] = key.pairs;
    if (pair === undefined || others.length > 0 || index.isUnique(pair.from)) return [];
    // In a key this is the same as a shorter key.
    if (keyOf(index, key.relation).includes(pair.from)) return [];
    return {
      says: `A second ${named(index, key.relation)} with the same ${namedTarget(index, key)} is refused.`,
      plant: () => withConstraint(index.schema, { attribute: pair.from, constraint: 'unique' }),
    };
  });

/** The target refers to the source, which keeps nothing of it. */
export const turnedRound: Mistake = (index) =>
  index.schema.foreignKeys.flatMap((key) => {
    const own = ownAttributes(index, key);
    const [source, ...others] = keyOf(index, key.relation);
    const isSingle = own.length === 1 && key.pairs.length === 1 && source !== undefined && others.length === 0;
    return isSingle && key.relation !== key.target ? turned(index, key, source) : [];
  });

function turned(index: SchemaIndex, key: ForeignKey, source: string): readonly MistakePlace[] {
  const [one, other] = [named(index, key.relation), namedTarget(index, key)];
  const entity = nameOf(index, key.relation);
  const naming = { key: nameOf(index, source), keySize: 1, entity, role: undefined, relationship: entity };
  const name = referenceNames(naming, styleOf(index)).find(
    (free) => index.attributeNamed(key.target, free) === undefined,
  );
  const type = index.attribute(source)?.type;
  if (name === undefined || type === undefined) return [];
  const added = { id: attributeId(key.target, name), relation: key.target, name, type };
  const pairs = [{ from: added.id, to: source }];
  const id = foreignKeyId(key.target, key.relation, pairs);
  return [
    {
      says: `A second ${one} with the same ${other} has no place: the ${named(index, key.target)} names one ${one}.`,
      plant: () => {
        const schema = withoutAttributes(
          withAttributes(index.schema, key.target, [added]),
          key.pairs.map(({ from }) => from),
        );
        const back = { id, relation: key.target, target: key.relation, pairs };
        return { ...schema, foreignKeys: schema.foreignKeys.map((was) => (was.id === key.id ? back : was)) };
      },
    },
  ];
}

/** Attributes that only this foreign key needs; none where a part of it belongs to the primary key. */
function ownAttributes(index: SchemaIndex, { id, relation, pairs }: ForeignKey): readonly string[] {
  const from = pairs.map((pair) => pair.from);
  const key = keyOf(index, relation);
  if (from.some((one) => key.includes(one))) return [];
  const others = index.foreignKeysFrom(relation).filter((other) => other.id !== id);
  return from.filter((one) => !others.some((other) => other.pairs.some((pair) => pair.from === one)));
}
