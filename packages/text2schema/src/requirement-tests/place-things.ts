import { didYouMean, type Relation, type RelationId } from '@askema/core';
import type { TestGap } from '../model/requirement-test.ts';
import { foldWords } from '../test-plan/fold-words.ts';
import { likeness, pairUp, SAME_WORDS } from './match-names.ts';
import { givenPlace, type PlaceGround, relationCalled, relationName, type ThingPlaces } from './place-ground.ts';
import type { StatedThing } from './stated-words.ts';

/** The relation of each thing, or why there is none: what a role gave first, then names. */
export function placeThings(ground: PlaceGround): {
  readonly placed: ReadonlyMap<string, ThingPlaces>;
  readonly gaps: ReadonlyMap<string, TestGap>;
} {
  const { index, things } = ground;
  const relations = new Map<string, RelationId>();
  const reasons = new Map<string, string>();
  for (const thing of things.values()) {
    const given = givenPlace(ground, thing.key, null);
    if (given === undefined) continue;
    const relation = relationCalled(ground, given.relation);
    if (relation === undefined)
      reasons.set(thing.key, `The given place ${JSON.stringify(given.relation)} is no relation.`);
    else relations.set(thing.key, relation);
  }
  const taken = new Set(relations.values());
  const asking = [...things.values()].filter(({ key }) => !relations.has(key));
  // A relation that a role gave to another thing is still that of the thing whose name it has.
  const like = (one: StatedThing, other: Relation): number => {
    const score = likeness(one.name, other.name);
    return score >= SAME_WORDS || !taken.has(other.id) ? score : 0;
  };
  for (const [thing, relation] of pairUp(asking, index.schema.relations, like)) relations.set(thing.key, relation.id);
  dropMerged(ground, relations, reasons);

  const placed = new Map<string, ThingPlaces>();
  const gaps = new Map<string, TestGap>();
  for (const thing of things.values()) {
    const relation = relations.get(thing.key);
    if (relation === undefined)
      gaps.set(thing.key, { thing: thing.name, fact: null, reason: reasonOf(ground, thing, reasons.get(thing.key)) });
    else placed.set(thing.key, { thing, relation, facts: new Map(), references: new Map(), gaps: new Map() });
  }
  return { placed, gaps };
}

/**
 * Two things in one relation are kinds of one another (a table with a column for the kind), unless one refers to the
 * other: then the design repeats the facts of the one in the rows of the other, and the one cannot stand alone.
 */
function dropMerged(ground: PlaceGround, relations: Map<string, RelationId>, reasons: Map<string, string>): void {
  for (const thing of ground.things.values()) {
    const relation = relations.get(thing.key);
    if (relation === undefined || foldWords(relationName(ground, relation)) === thing.key) continue;
    const holder = [...ground.things.values()].find(
      (other) => other !== thing && relations.get(other.key) === relation && refersTo(other, thing),
    );
    if (holder === undefined) continue;
    relations.delete(thing.key);
    reasons.set(
      thing.key,
      `The relation ${JSON.stringify(relationName(ground, relation))} holds ${JSON.stringify(holder.name)}, which refers to it: a ${thing.name} has no row of its own.`,
    );
  }
}

function refersTo(thing: StatedThing, other: StatedThing): boolean {
  return [...thing.facts.values()].some(({ targets }) => targets.has(other.key));
}

function reasonOf({ index }: PlaceGround, { name }: StatedThing, known: string | undefined): string {
  const names = index.schema.relations.map((relation) => relation.name);
  const hint = didYouMean(name, names) || `There are: ${names.slice(0, 20).join(', ')}.`;
  return `${known ?? 'No relation has that name.'} ${hint}`;
}
