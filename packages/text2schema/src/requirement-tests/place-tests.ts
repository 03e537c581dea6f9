import type { AttributeId, Schema } from '@askema/core';
import type { RequirementTest, TestGap, TestPlace } from '../model/requirement-test.ts';
import { foldWords } from '../test-plan/fold-words.ts';
import { compileTest } from './compile-test.ts';
import { keyOf } from './keys-and-names.ts';
import { placeFacts } from './place-facts.ts';
import {
  attributeName,
  type FactPlace,
  foreignKeysAt,
  type PlaceGround,
  placeGround,
  type ReferencePlace,
  relationName,
  type ThingPlaces,
} from './place-ground.ts';
import { placeReferences } from './place-references.ts';
import { placeThings } from './place-things.ts';
import type { PlacedTest, PlacedTests } from './placed-test.ts';
import { statedThings, thingKeys } from './stated-words.ts';

/**
 * Finds the relation of each thing, the attribute of each fact and the way of each reference in a design, and writes
 * each test as steps on relations. What has no place that is beyond doubt is a gap: a wrong place would hide a mistake
 * of the design, and a gap can be filled by a role.
 *
 * @param places what roles say; they come before names. One that does not fit the design is ignored, and the reason of
 * the gap says so.
 */
export function placeTests(
  tests: readonly RequirementTest[],
  schema: Schema,
  places: readonly TestPlace[] = [],
): PlacedTests {
  const ground = placeGround(schema, statedThings(tests), places);
  const { placed, gaps: thingGaps } = placeThings(ground);
  placeReferences(ground, placed);
  placeFacts(ground, placed);
  const told = toldAttributes(ground, tests, placed);
  const found = tests.map((test): PlacedTest => {
    const gaps = gapsOf(test, placed, thingGaps);
    return { test, gaps, rows: gaps.length > 0 ? [] : compileTest(ground, placed, told, test) };
  });
  return {
    tests: found,
    gaps: [...new Set(found.flatMap(({ gaps }) => gaps))],
    places: [...placed.values()].flatMap((thing) => shownPlaces(ground, thing)),
  };
}

/**
 * Who knows no design leaves out what is not known yet; who knows one leaves out keys that code makes. So only
 * independent tests say which attributes hold known facts: those of the thing; for a thing that they do not know, those
 * of all things in its relation; where there are none, what the other tests say of it, but for keys.
 */
function toldAttributes(
  ground: PlaceGround,
  tests: readonly RequirementTest[],
  placed: ReadonlyMap<string, ThingPlaces>,
): ReadonlyMap<string, ReadonlySet<AttributeId>> {
  const independent = tests.filter(({ by }) => by === 'qa-engineer');
  const stated = statedThings(independent.length > 0 ? independent : tests);
  const own = new Map(
    [...placed].flatMap(([key, thing]) => {
      const facts = stated.get(key)?.facts;
      return facts === undefined ? [] : [[key, attributesOf(thing, facts)] as const];
    }),
  );
  const ofOthers = (thing: ThingPlaces): ReadonlySet<AttributeId> => {
    const others = [...own].filter(([key]) => placed.get(key)?.relation === thing.relation);
    if (others.length > 0) return new Set(others.flatMap(([, told]) => [...told]));
    const keys = keyOf(ground.index, thing.relation);
    const isMade = (id: AttributeId): boolean => keys.includes(id) && foreignKeysAt(ground, id).length === 0;
    return new Set([...attributesOf(thing, thing.thing.facts)].filter((id) => !isMade(id)));
  };
  return new Map([...placed].map(([key, thing]) => [key, own.get(key) ?? ofOthers(thing)]));
}

function gapsOf(
  { rows }: RequirementTest,
  placed: ReadonlyMap<string, ThingPlaces>,
  thingGaps: ReadonlyMap<string, TestGap>,
): readonly TestGap[] {
  const keys = thingKeys(rows);
  const gaps = rows.flatMap(({ facts }, at) => {
    const key = keys[at] ?? '';
    const own = placed.get(key);
    const found = own === undefined ? [thingGaps.get(key)] : facts.map(({ fact }) => gapOf(own, foldWords(fact)));
    return found.filter((gap) => gap !== undefined);
  });
  return [...new Set(gaps)];
}

/** A place that did not fit may have been found by names after all. */
function gapOf({ thing, facts, references, gaps }: ThingPlaces, key: string): TestGap | undefined {
  const use = thing.facts.get(key);
  const isPlain = use !== undefined && (use.values.length > 0 || !use.isReference);
  const isPlaced = (!isPlain || facts.has(key)) && (use?.isReference !== true || references.has(key));
  return isPlaced ? undefined : gaps.get(key);
}

/** All attributes that hold something which these facts say of a thing, in its own relation and elsewhere. */
function attributesOf(
  { facts, references }: ThingPlaces,
  stated: ReadonlyMap<string, unknown>,
): ReadonlySet<AttributeId> {
  const ofKey = ({ pairs }: { readonly pairs: readonly { readonly from: AttributeId }[] }): AttributeId[] =>
    pairs.map(({ from }) => from);
  return new Set([
    ...[...facts]
      .filter(([key]) => stated.has(key))
      .flatMap(([, place]) => [
        place.attribute,
        ...(place.kind === 'attribute' || place.kind === 'far' ? [] : ofKey(place.foreignKey)),
      ]),
    ...[...references]
      .filter(([key]) => stated.has(key))
      .flatMap(([, place]) => {
        if (place.kind === 'text' || place.kind === 'part') return [place.attribute];
        return place.kind === 'link' ? [...ofKey(place.near), ...ofKey(place.far)] : ofKey(place.foreignKey);
      }),
  ]);
}

function shownPlaces(ground: PlaceGround, { thing, relation, facts, references }: ThingPlaces): readonly TestPlace[] {
  const nameOf = (key: string): string => thing.facts.get(key)?.name ?? key;
  const at = (fact: string, attribute: AttributeId | undefined): TestPlace => ({
    thing: thing.name,
    fact,
    relation: relationName(ground, ground.index.attribute(attribute ?? '')?.relation ?? relation),
    attribute: attribute === undefined ? null : attributeName(ground, attribute),
  });
  return [
    { thing: thing.name, fact: null, relation: relationName(ground, relation), attribute: null },
    ...[...facts].map(([key, place]: [string, FactPlace]) => at(nameOf(key), place.attribute)),
    ...[...references].map(([key, place]) => at(nameOf(key), attributeOfReference(place))),
  ];
}

function attributeOfReference(place: ReferencePlace): AttributeId | undefined {
  if (place.kind === 'text' || place.kind === 'part') return place.attribute;
  return (place.kind === 'link' ? place.far : place.foreignKey).pairs.at(-1)?.from;
}
