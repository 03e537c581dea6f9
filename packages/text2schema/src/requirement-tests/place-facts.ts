import { type AttributeId, didYouMean, type ForeignKey, type RelationId } from '@askema/core';
import { bindValue } from '../test-plan/case-value.ts';
import { likeness, pairUp, plainWords, SAME_WITH_OWNER, SAME_WORDS } from './match-names.ts';
import {
  addGap,
  attributeCalled,
  attributeName,
  type FactPlace,
  foreignKeysAt,
  givenFact,
  type PlaceGround,
  relationName,
  setGap,
  type ThingPlaces,
} from './place-ground.ts';
import { linksBetween } from './place-references.ts';
import type { FactUse } from './stated-words.ts';

/**
 * Places what tests state as plain values: by what a role gave, at an attribute of the thing, else in a relation that a
 * foreign key or a link relation connects with it; else a gap. After the references: their attributes are taken.
 */
export function placeFacts(ground: PlaceGround, placed: ReadonlyMap<string, ThingPlaces>): void {
  const relations = new Set([...placed.values()].map(({ relation }) => relation));
  for (const thing of placed.values()) {
    placeGiven(ground, thing);
    placeAtAttributes(ground, thing);
    placeNear(ground, thing, relations);
    for (const fact of openFacts(thing)) sayUnplaced(ground, thing, fact);
  }
}

function openFacts({ thing, facts }: ThingPlaces): FactUse[] {
  return [...thing.facts.values()].filter(
    (fact) => !facts.has(fact.key) && (fact.values.length > 0 || !fact.isReference),
  );
}

function isTaken({ facts, references }: ThingPlaces, place: FactPlace): boolean {
  if ([...facts.values()].some((other) => JSON.stringify(other) === JSON.stringify(place))) return true;
  return (
    place.kind === 'attribute' &&
    [...references.values()].some((other) => other.kind === 'text' && other.attribute === place.attribute)
  );
}

/** An attribute of the thing; where it is a reference, the row that has the value is meant. */
function placeAt(ground: PlaceGround, attribute: AttributeId): FactPlace {
  const [foreignKey] = foreignKeysAt(ground, attribute);
  const to = foreignKey?.pairs.find(({ from }) => from === attribute)?.to;
  if (foreignKey === undefined || to === undefined) return { kind: 'attribute', attribute };
  return { kind: 'parent', foreignKey, attribute: to };
}

function placeAtAttributes(ground: PlaceGround, thing: ThingPlaces): void {
  const owners = [thing.thing.name, relationName(ground, thing.relation)];
  const referring = new Set(
    [...thing.references]
      .flatMap(([key, place]) =>
        place.kind === 'reference' ? place.foreignKey.pairs.map(({ from }) => [from, key] as const) : [],
      )
      .map(([from]) => from),
  );
  const free = ground.index
    .attributesOf(thing.relation)
    .filter(({ id }) => !referring.has(id) && !isTaken(thing, placeAt(ground, id)));
  const found = pairUp(openFacts(thing), free, (fact, { id, name, type }) => {
    const score = likeness(fact.name, name, owners);
    if (score >= SAME_WITH_OWNER) return score;
    const isReference = foreignKeysAt(ground, id).length > 0;
    return isReference || !isLikely(fact, type) ? 0 : score;
  });
  for (const [fact, { id }] of found) thing.facts.set(fact.key, placeAt(ground, id));
}

/** Dates and truth values tell a type of their own; where names are only near, that must agree. */
function isLikely({ values }: FactUse, type: Parameters<typeof bindValue>[1]): boolean {
  const fits = (kind: typeof type): boolean => values.every((value) => bindValue(value, kind).warning === undefined);
  if (!fits(type)) return false;
  if (values.length === 0 || type === 'DATETIME') return true;
  const areDates = values.every((value) => typeof value === 'string') && fits('DATETIME');
  const areTruths = values.every((value) => typeof value === 'boolean');
  return !areDates && areTruths === (type === 'BOOL');
}

interface NearAttribute {
  readonly place: FactPlace;
  readonly attribute: AttributeId;
  readonly relation: RelationId;
  /** The relation between, or that of the attribute. */
  readonly through: RelationId;
}

/** Attributes of relations that are connected with a thing, but for those that are references themselves. */
function nearAttributes(ground: PlaceGround, own: RelationId): readonly NearAttribute[] {
  const { index } = ground;
  const at = (
    relation: RelationId,
    through: RelationId,
    place: (attribute: AttributeId) => FactPlace,
  ): NearAttribute[] =>
    index
      .attributesOf(relation)
      .filter(({ id }) => foreignKeysAt(ground, id).length === 0)
      .map(({ id }) => ({ place: place(id), attribute: id, relation, through }));
  const isOther = (relation: RelationId): boolean => relation !== own;
  return [
    ...index
      .foreignKeysFrom(own)
      .filter(({ target }) => isOther(target))
      .flatMap((foreignKey) =>
        at(foreignKey.target, foreignKey.target, (attribute) => ({ kind: 'parent', foreignKey, attribute })),
      ),
    ...index
      .foreignKeysTo(own)
      .filter(({ relation }) => isOther(relation))
      .flatMap((foreignKey) =>
        at(foreignKey.relation, foreignKey.relation, (attribute) => ({ kind: 'child', foreignKey, attribute })),
      ),
    ...index.schema.relations
      .filter(({ id }) => isOther(id))
      .flatMap(({ id }) =>
        linksBetween(ground, own, id).flatMap(({ near, far }) =>
          at(id, near.relation, (attribute) => ({ kind: 'far', near, far, attribute })),
        ),
      ),
  ];
}

/**
 * Relations of things of their own hold facts of those: there the fact must be called after the thing (`customer name`
 * of an order), and rows of them are not written for a fact.
 */
function placeNear(ground: PlaceGround, thing: ThingPlaces, relations: ReadonlySet<RelationId>): void {
  const near = nearAttributes(ground, thing.relation);
  for (const fact of openFacts(thing)) {
    const found = near.filter(({ place, attribute, relation, through }) => {
      const isThing = relations.has(relation) || relations.has(through);
      return (
        (isThing ? place.kind === 'parent' && speaksOf(ground, fact, relation) : true) &&
        isNamed(ground, thing, fact, attribute, relation)
      );
    });
    const [only] = found;
    if (only !== undefined && found.length === 1 && !isTaken(thing, only.place)) thing.facts.set(fact.key, only.place);
  }
}

function speaksOf(ground: PlaceGround, fact: FactUse, relation: RelationId): boolean {
  const words = plainWords(fact.name);
  return plainWords(relationName(ground, relation)).every((word) => words.includes(word));
}

function isNamed(
  ground: PlaceGround,
  thing: ThingPlaces,
  fact: FactUse,
  attribute: AttributeId,
  relation: RelationId,
): boolean {
  const name = attributeName(ground, attribute);
  const relationIs = relationName(ground, relation);
  if (likeness(fact.name, name) >= SAME_WORDS) return true;
  if (speaksOf(ground, fact, relation) && likeness(fact.name, name, [relationIs]) === SAME_WITH_OWNER) return true;
  return (
    likeness(fact.name, relationIs, [thing.thing.name]) >= SAME_WITH_OWNER &&
    namingAttribute(ground, relation) === attribute
  );
}

/** What a relation is called by: its only attribute that is no reference or number, else its name. */
function namingAttribute(ground: PlaceGround, relation: RelationId): AttributeId | undefined {
  const own = ground.index.attributesOf(relation).filter(({ id }) => foreignKeysAt(ground, id).length === 0);
  const telling = own.filter(({ type }) => type !== 'NUMERIC');
  const [only] = telling.length > 0 ? telling : own;
  if (only !== undefined && Math.max(telling.length, 1) === 1) return only.id;
  return attributeCalled(ground, relation, 'name') ?? attributeCalled(ground, relation, relationName(ground, relation));
}

function placeGiven(ground: PlaceGround, thing: ThingPlaces): void {
  for (const fact of openFacts(thing)) {
    const given = givenFact(ground, thing, fact);
    if (given === undefined) continue;
    const { attribute, says } = given;
    const places = attribute === undefined ? [] : placesOf(ground, thing, fact, attribute);
    const place = places.find((one) => !isTaken(thing, one));
    if (place !== undefined) {
      thing.facts.set(fact.key, place);
      continue;
    }
    const reason =
      attribute === undefined
        ? 'is no attribute.'
        : places.length > 0
          ? 'holds another fact of it.'
          : `is not connected with ${JSON.stringify(relationName(ground, thing.relation))}.`;
    setGap(thing, fact, `${says} ${reason}`);
  }
}

/** The ways to an attribute that a role named; of several, the one whose words fit the fact comes first. */
function placesOf(
  ground: PlaceGround,
  { relation }: ThingPlaces,
  fact: FactUse,
  attribute: AttributeId,
): readonly FactPlace[] {
  if (ground.index.attribute(attribute)?.relation === relation) return [placeAt(ground, attribute)];
  const fit = (place: FactPlace): number => {
    const key: ForeignKey | undefined =
      place.kind === 'far' ? place.far : place.kind === 'attribute' ? undefined : place.foreignKey;
    return Math.max(0, ...(key?.pairs ?? []).map(({ from }) => likeness(fact.name, attributeName(ground, from))));
  };
  return nearAttributes(ground, relation)
    .filter((near) => near.attribute === attribute)
    .map(({ place }) => place)
    .sort((a, b) => Number(a.kind === 'far') - Number(b.kind === 'far') || fit(b) - fit(a));
}

function sayUnplaced(ground: PlaceGround, thing: ThingPlaces, fact: FactUse): void {
  const relation = JSON.stringify(relationName(ground, thing.relation));
  const names = ground.index.attributesOf(thing.relation).map(({ name }) => name);
  const hint = didYouMean(fact.name, names) || `It has: ${names.slice(0, 20).join(', ')}.`;
  addGap(thing, fact, `No free attribute of ${relation} is clearly this fact. ${hint}`);
}
