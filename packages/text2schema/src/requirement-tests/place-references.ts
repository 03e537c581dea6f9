import type { AttributeId, ForeignKey, ForeignKeyId, RelationId } from '@askema/core';
import { likeness, MIN_SHARE, pairUp, plainWords, tellingWords } from './match-names.ts';
import {
  addGap,
  attributeCalled,
  attributeName,
  foreignKeysAt,
  givenFact,
  heldKey,
  type PlaceGround,
  type ReferencePlace,
  relationName,
  setGap,
  type ThingPlaces,
} from './place-ground.ts';
import type { FactUse } from './stated-words.ts';

/**
 * Places what tests state as rows: by what a role gave, as a foreign key of the thing, as one of the other thing, by a
 * link relation, as a text; else a gap. Foreign keys that a fact of any thing needs are not used against their
 * direction: they hold that fact.
 */
export function placeReferences(ground: PlaceGround, placed: ReadonlyMap<string, ThingPlaces>): void {
  const things = [...placed.values()];
  const claims = new Set<ForeignKeyId>();
  for (const thing of things) placeGiven(ground, placed, thing);
  for (const thing of things) placeForward(ground, placed, thing);
  for (const thing of things) placeAtParts(ground, placed, thing);
  for (const { references } of things)
    for (const place of references.values()) if (place.kind === 'reference') claims.add(place.foreignKey.id);
  for (const thing of things) {
    for (const [target, facts] of openByTarget(placed, thing)) {
      const own = ownClaims(thing);
      const isFree = ({ id }: ForeignKey): boolean => !claims.has(id) && !own.has(id);
      placeBack(ground, thing, target, facts, isFree);
      placeByLink(ground, thing, target, facts, isFree);
    }
    for (const fact of openFacts(thing)) placeAsText(ground, placed, thing, fact);
  }
}

/** References that have no place yet, but for those to things that have none. */
function openFacts({ thing, references }: ThingPlaces): FactUse[] {
  return [...thing.facts.values()].filter((fact) => fact.isReference && !references.has(fact.key));
}

function openByTarget(
  placed: ReadonlyMap<string, ThingPlaces>,
  thing: ThingPlaces,
): ReadonlyMap<RelationId, FactUse[]> {
  const groups = new Map<RelationId, FactUse[]>();
  for (const fact of openFacts(thing)) {
    const target = targetOf(placed, fact);
    if (target !== undefined) groups.set(target, [...(groups.get(target) ?? []), fact]);
  }
  return groups;
}

function targetOf(placed: ReadonlyMap<string, ThingPlaces>, { targets }: FactUse): RelationId | undefined {
  const [first] = [...targets].flatMap((key) => placed.get(key)?.relation ?? []);
  return first;
}

function ownClaims({ references }: ThingPlaces): ReadonlySet<ForeignKeyId> {
  return new Set(
    [...references.values()].flatMap((place) => {
      if (place.kind === 'text' || place.kind === 'part') return [];
      return place.kind === 'link' ? [place.far.id] : [place.foreignKey.id];
    }),
  );
}

function placeForward(ground: PlaceGround, placed: ReadonlyMap<string, ThingPlaces>, thing: ThingPlaces): void {
  const keys = ground.index.foreignKeysFrom(thing.relation);
  const like = (fact: FactUse, key: ForeignKey): number => fit(ground, fact, key);
  const place = (foreignKey: ForeignKey): ReferencePlace => ({ kind: 'reference', foreignKey });
  const isFree = ({ id }: ForeignKey): boolean => !ownClaims(thing).has(id);
  for (const [target, facts] of openByTarget(placed, thing))
    settle(
      thing,
      facts,
      keys.filter((key) => key.target === target),
      { isFree, like, place },
    );
  // A row that no test states: what it would be is told by the words alone.
  const untold = openFacts(thing).filter(({ targets }) => targets.size === 0);
  for (const [fact, foreignKey] of pairUp(untold, keys.filter(isFree), like))
    thing.references.set(fact.key, place(foreignKey));
}

/** Attributes that hold the key of the other row by way of a third one, where no foreign key leads there itself. */
function placeAtParts(ground: PlaceGround, placed: ReadonlyMap<string, ThingPlaces>, thing: ThingPlaces): void {
  for (const [target, facts] of openByTarget(placed, thing)) {
    if (ground.index.foreignKeysFrom(thing.relation).some((key) => key.target === target)) continue;
    const parts = ground.index.attributesOf(thing.relation).flatMap(({ id, name }) => {
      const to = heldKey(ground, id, target);
      return to === undefined ? [] : [{ attribute: id, name, to }];
    });
    settle(thing, facts, parts, {
      isFree: ({ attribute }) => !isTaken(thing, { kind: 'part', attribute, to: '' as AttributeId }),
      like: (fact, { name }) => likeness(fact.name, name),
      place: ({ attribute, to }) => ({ kind: 'part', attribute, to }),
    });
  }
}

function placeBack(
  ground: PlaceGround,
  thing: ThingPlaces,
  target: RelationId,
  facts: readonly FactUse[],
  isFree: (key: ForeignKey) => boolean,
): void {
  if (target === thing.relation) return;
  const keys = ground.index.foreignKeysFrom(target).filter((key) => key.target === thing.relation);
  const like = (fact: FactUse, key: ForeignKey): number => fit(ground, fact, key);
  settle(thing, facts, keys, { isFree, like, place: (foreignKey) => ({ kind: 'back', foreignKey }) });
}

interface Link {
  readonly near: ForeignKey;
  readonly far: ForeignKey;
}

function placeByLink(
  ground: PlaceGround,
  thing: ThingPlaces,
  target: RelationId,
  facts: readonly FactUse[],
  isFree: (key: ForeignKey) => boolean,
): void {
  const like = (fact: FactUse, { far }: Link): number =>
    Math.max(fit(ground, fact, far), likeness(fact.name, relationName(ground, far.relation)));
  settle(thing, facts, linksBetween(ground, thing.relation, target), {
    isFree: ({ near, far }) => isFree(near) && isFree(far),
    like,
    place: ({ near, far }) => ({ kind: 'link', near, far }),
  });
}

/** Of a relation with itself, each way round is a link of its own. */
export function linksBetween({ index }: PlaceGround, from: RelationId, to: RelationId): readonly Link[] {
  return index.foreignKeysTo(from).flatMap((near) => {
    if (near.relation === from || near.relation === to) return [];
    return index
      .foreignKeysFrom(near.relation)
      .filter((far) => far.target === to && far.id !== near.id)
      .map((far) => ({ near, far }));
  });
}

/** By words; for the only fact, the only way there is needs none. */
function settle<W>(
  thing: ThingPlaces,
  facts: readonly FactUse[],
  ways: readonly W[],
  how: {
    readonly isFree: (way: W) => boolean;
    readonly like: (fact: FactUse, way: W) => number;
    readonly place: (way: W) => ReferencePlace;
  },
): void {
  const open = facts.filter(({ key }) => !thing.references.has(key));
  const [fact] = open;
  const [only] = ways;
  const isOnly = fact !== undefined && only !== undefined && open.length === 1 && ways.length === 1 && how.isFree(only);
  const found = isOnly ? new Map([[fact, only]]) : pairUp(open, ways.filter(how.isFree), how.like);
  for (const [one, way] of found) thing.references.set(one.key, how.place(way));
}

/** How well the words of a fact fit a foreign key: what its attributes are called beside the key that they hold. */
function fit(ground: PlaceGround, fact: FactUse, { pairs, target }: ForeignKey): number {
  const scores = pairs.map(({ from, to }) => {
    const name = attributeName(ground, from);
    const held = new Set(plainWords(attributeName(ground, to)));
    const role = tellingWords(name).filter((word) => !held.has(word));
    return Math.max(likeness(fact.name, name), role.length === 0 ? 0 : likeness(fact.name, role.join(' ')));
  });
  // A role of its own says more than the thing that plays it.
  const byTarget = likeness(fact.name, relationName(ground, target)) >= MIN_SHARE ? MIN_SHARE : 0;
  return Math.max(byTarget, ...scores);
}

function placeAsText(
  ground: PlaceGround,
  placed: ReadonlyMap<string, ThingPlaces>,
  thing: ThingPlaces,
  fact: FactUse,
): void {
  if (fact.targets.size > 0 && targetOf(placed, fact) === undefined) return;
  const attribute = attributeCalled(ground, thing.relation, fact.name);
  if (attribute !== undefined && isText(ground, attribute)) {
    thing.references.set(fact.key, { kind: 'text', attribute });
    return;
  }
  const own = relationName(ground, thing.relation);
  const target = targetOf(placed, fact);
  const keys = ground.index.foreignKeysFrom(thing.relation).map((key) => nameOfKey(ground, key));
  const known = keys.length === 0 ? 'It refers to nothing.' : `Its references: ${keys.join(', ')}.`;
  const far = target === undefined ? 'another row' : JSON.stringify(relationName(ground, target));
  addGap(thing, fact, `Nothing connects ${JSON.stringify(own)} with ${far} that is clearly this fact. ${known}`);
}

function isText(ground: PlaceGround, attribute: AttributeId): boolean {
  return ground.index.attribute(attribute)?.type === 'TEXT' && foreignKeysAt(ground, attribute).length === 0;
}

function nameOfKey(ground: PlaceGround, { pairs, target }: ForeignKey): string {
  return `${pairs.map(({ from }) => attributeName(ground, from)).join(', ')} to ${relationName(ground, target)}`;
}

function placeGiven(ground: PlaceGround, placed: ReadonlyMap<string, ThingPlaces>, thing: ThingPlaces): void {
  for (const fact of openFacts(thing)) {
    const given = givenFact(ground, thing, fact);
    if (given === undefined) continue;
    const { relation, attribute, namesAttribute, says } = given;
    const isThere = relation !== undefined && (!namesAttribute || attribute !== undefined);
    const ways = isThere ? waysAt(ground, thing.relation, targetOf(placed, fact), relation, attribute) : [];
    const free = ways.filter((way) => !isTaken(thing, way));
    const [way] = free;
    if (way !== undefined && (free.length === 1 || attribute !== undefined)) {
      thing.references.set(fact.key, way);
      continue;
    }
    const reason =
      ways.length > free.length ? 'holds another fact' : isThere ? 'does not connect the two' : 'is not there';
    setGap(thing, fact, `${says} ${reason}.`);
  }
}

function isTaken({ references }: ThingPlaces, way: ReferencePlace): boolean {
  return [...references.values()].some((other) =>
    way.kind === 'part' && other.kind === 'part'
      ? other.attribute === way.attribute
      : JSON.stringify(other) === JSON.stringify(way),
  );
}

/** All ways from a thing to the rows that it refers to which go through a given relation and attribute. */
function waysAt(
  ground: PlaceGround,
  own: RelationId,
  target: RelationId | undefined,
  relation: RelationId,
  attribute: AttributeId | undefined,
): readonly ReferencePlace[] {
  const holds = ({ pairs }: ForeignKey): boolean =>
    attribute === undefined || pairs.some(({ from }) => from === attribute);
  const isTarget = (key: ForeignKey): boolean => target === undefined || key.target === target;
  const ways: ReferencePlace[] = [];
  if (relation === own) {
    for (const foreignKey of ground.index.foreignKeysFrom(own))
      if (isTarget(foreignKey) && holds(foreignKey)) ways.push({ kind: 'reference', foreignKey });
    const to = attribute === undefined || target === undefined ? undefined : heldKey(ground, attribute, target);
    if (ways.length === 0 && attribute !== undefined && to !== undefined) ways.push({ kind: 'part', attribute, to });
    if (ways.length === 0 && attribute !== undefined && isText(ground, attribute))
      ways.push({ kind: 'text', attribute });
    return ways;
  }
  if (target === undefined) return ways;
  if (relation === target)
    for (const foreignKey of ground.index.foreignKeysFrom(target))
      if (foreignKey.target === own && holds(foreignKey)) ways.push({ kind: 'back', foreignKey });
  for (const link of linksBetween(ground, own, target))
    if (link.far.relation === relation && (attribute === undefined || holds(link.far) || holds(link.near)))
      ways.push({ kind: 'link', ...link });
  return ways;
}
