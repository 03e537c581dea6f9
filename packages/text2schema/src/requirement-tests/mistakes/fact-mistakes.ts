import type { DataType } from '@askema/core';
import { keyOf, named } from '../keys-and-names.ts';
import { withConstraint, withoutAttributes, withoutRelation } from './change-schema.ts';
import type { Mistake } from './mistake.ts';
import { factsOf, hasLoneId, isReference, namedFacts } from './words.ts';

/** A fact is not kept. */
export const lostFact: Mistake = (index) =>
  index.schema.relations.flatMap(({ id }) =>
    factsOf(index, id)
      .filter((fact) => !isReference(index, fact))
      .map((fact) => ({
        says: `The ${named(index, fact.id)} of the ${named(index, id)} is not kept.`,
        plant: () => withoutAttributes(index.schema, [fact.id]),
      })),
  );

/** A thing to which nothing refers is not kept. */
export const lostThing: Mistake = (index) =>
  index.schema.relations
    .filter(
      ({ id }) => index.schema.relations.length > 1 && index.foreignKeysTo(id).every((key) => key.relation === id),
    )
    .map(({ id }) => ({
      says: `No ${named(index, id)} can be kept.`,
      plant: () => withoutRelation(index.schema, id),
    }));

/** A fact must be known from the start. */
export const requiredFact: Mistake = (index) =>
  index.schema.relations.flatMap(({ id: relation }) =>
    factsOf(index, relation)
      .filter(({ id }) => !index.isNotNull(id))
      .map(({ id }) => ({
        says: `Each ${named(index, relation)} is refused as long as its ${namedFacts(index, relation, [id])} is not known.`,
        plant: () => withConstraint(index.schema, { attribute: id, constraint: 'not null' }),
      })),
  );

/** What designers take a type for; the others are hardly mistaken. */
const MISTAKEN_TYPES: Readonly<Partial<Record<DataType, { readonly type: DataType; readonly words: string }>>> = {
  TEXT: { type: 'NUMERIC', words: 'a number only, no text' },
  DATETIME: { type: 'NUMERIC', words: 'a number only, no date' },
  NUMERIC: { type: 'BOOL', words: 'yes or no only, no number' },
};

/** A fact has a type that cannot hold it. Of an id that rows have for its own sake nothing is stated. */
export const wrongType: Mistake = (index) =>
  index.schema.attributes.flatMap((attribute) => {
    const { id, relation, type } = attribute;
    const mistaken = MISTAKEN_TYPES[type];
    const isOnlyId = hasLoneId(index, relation) && keyOf(index, relation).includes(id);
    if (mistaken === undefined || isOnlyId || isReference(index, attribute)) return [];
    const changed = { ...attribute, type: mistaken.type };
    return {
      says: `The ${named(index, id)} of the ${named(index, relation)} can be ${mistaken.words}.`,
      plant: () => ({
        ...index.schema,
        attributes: index.schema.attributes.map((one) => (one.id === id ? changed : one)),
      }),
    };
  });
