import {
  type AttributeId,
  type ForeignKey,
  indexSchema,
  type RelationId,
  type Schema,
  type SchemaIndex,
} from '@askema/core';
import type { TestGap, TestPlace } from '../model/requirement-test.ts';
import { foldWords } from '../test-plan/fold-words.ts';
import { nameOf } from './keys-and-names.ts';
import type { FactUse, StatedThing } from './stated-words.ts';

/** Where a fact of a thing stands, seen from the relation of the thing. */
export type FactPlace =
  | { readonly kind: 'attribute'; readonly attribute: AttributeId }
  /** In the row that this one refers to, which is found or written first. */
  | { readonly kind: 'parent'; readonly foreignKey: ForeignKey; readonly attribute: AttributeId }
  /** In a row of its own that refers to this one. */
  | { readonly kind: 'child'; readonly foreignKey: ForeignKey; readonly attribute: AttributeId }
  /** In a row that a link relation connects with this one. */
  | {
      readonly kind: 'far';
      readonly near: ForeignKey;
      readonly far: ForeignKey;
      readonly attribute: AttributeId;
    };

/** Where a reference of a thing to another row stands. */
export type ReferencePlace =
  | { readonly kind: 'reference'; readonly foreignKey: ForeignKey }
  /** The other row refers to this one: it is changed. */
  | { readonly kind: 'back'; readonly foreignKey: ForeignKey }
  /** A row of a link relation refers to both. */
  | { readonly kind: 'link'; readonly near: ForeignKey; readonly far: ForeignKey }
  /** A part of a longer foreign key, which holds the key of the other row by way of a third one. */
  | { readonly kind: 'part'; readonly attribute: AttributeId; readonly to: AttributeId }
  /** An attribute that holds what the other row is called. */
  | { readonly kind: 'text'; readonly attribute: AttributeId };

/** What is known of a thing and its facts on this design; filled step by step, by the keys of facts. */
export interface ThingPlaces {
  readonly thing: StatedThing;
  readonly relation: RelationId;
  readonly facts: Map<string, FactPlace>;
  readonly references: Map<string, ReferencePlace>;
  readonly gaps: Map<string, TestGap>;
}

/** What placing reads. */
export interface PlaceGround {
  readonly index: SchemaIndex;
  readonly things: ReadonlyMap<string, StatedThing>;
  readonly given: readonly TestPlace[];
}

export function placeGround(
  schema: Schema,
  things: ReadonlyMap<string, StatedThing>,
  given: readonly TestPlace[],
): PlaceGround {
  return { index: indexSchema(schema), things, given };
}

/** The place that a role gave for a thing or a fact of it; the last one counts. */
export function givenPlace({ given }: PlaceGround, thing: string, fact: string | null): TestPlace | undefined {
  return given.findLast(
    (place) =>
      foldWords(place.thing) === thing && (place.fact === null ? fact === null : foldWords(place.fact) === fact),
  );
}

/** A place that a role gave for a fact, with what of it is there. */
interface GivenFact {
  readonly relation: RelationId | undefined;
  readonly attribute: AttributeId | undefined;
  /** True where an attribute was named, there or not. */
  readonly namesAttribute: boolean;
  /** How a message begins: `The given place "Loan.Lent On"`. */
  readonly says: string;
}

/** The place that a role gave for a fact, looked up in the design. */
export function givenFact(ground: PlaceGround, { thing }: ThingPlaces, fact: FactUse): GivenFact | undefined {
  const given = givenPlace(ground, thing.key, fact.key);
  if (given === undefined) return undefined;
  const relation = relationCalled(ground, given.relation);
  const name = given.attribute;
  const attribute = relation === undefined || name === null ? undefined : attributeCalled(ground, relation, name);
  const says = `The given place ${JSON.stringify(name === null ? given.relation : `${given.relation}.${name}`)}`;
  return { relation, attribute, namesAttribute: name !== null, says };
}

/** Says why a fact has no place, in place of what was said before. */
export function setGap({ thing, gaps }: ThingPlaces, { key, name }: FactUse, reason: string): void {
  gaps.set(key, { thing: thing.name, fact: name, reason });
}

/** The same, behind what was said before. */
export function addGap(thing: ThingPlaces, fact: FactUse, reason: string): void {
  const before = thing.gaps.get(fact.key)?.reason;
  setGap(thing, fact, before === undefined ? reason : `${before} ${reason}`);
}

export function relationCalled({ index }: PlaceGround, name: string): RelationId | undefined {
  const [exact] = index.relationsNamed(name);
  return (exact ?? index.schema.relations.find((relation) => foldWords(relation.name) === foldWords(name)))?.id;
}

export function attributeCalled({ index }: PlaceGround, relation: RelationId, name: string): AttributeId | undefined {
  const alike = index.attributesOf(relation).find((attribute) => foldWords(attribute.name) === foldWords(name));
  return (index.attributeNamed(relation, name) ?? alike)?.id;
}

export function relationName({ index }: PlaceGround, relation: RelationId): string {
  return nameOf(index, relation);
}

export function attributeName({ index }: PlaceGround, attribute: AttributeId): string {
  return nameOf(index, attribute);
}

/** Foreign keys in whose pairs the attribute stands on the near side, the shortest first. */
export function foreignKeysAt({ index }: PlaceGround, attribute: AttributeId): readonly ForeignKey[] {
  const relation = index.attribute(attribute)?.relation;
  if (relation === undefined) return [];
  return index
    .foreignKeysFrom(relation)
    .filter(({ pairs }) => pairs.some(({ from }) => from === attribute))
    .sort((a, b) => a.pairs.length - b.pairs.length);
}

/** The attribute of a relation whose value an attribute holds, along foreign keys. */
export function heldKey(ground: PlaceGround, attribute: AttributeId, target: RelationId): AttributeId | undefined {
  const seen = new Set([attribute]);
  for (const near of seen)
    for (const { pairs, target: next } of foreignKeysAt(ground, near))
      for (const { from, to } of pairs) {
        if (from !== near) continue;
        if (next === target) return to;
        seen.add(to);
      }
  return undefined;
}
