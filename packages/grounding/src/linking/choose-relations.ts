import type { Catalog, RelationId, SchemaIndex } from '@askema/core';
import { contentWords } from '../words/content-words.ts';
import { splitWords } from '../words/split-words.ts';

/** What a word of the question counts in the name of a relation, where it is all of it, and in that of an attribute. */
const RELATION_WEIGHT = 4;
const ATTRIBUTE_WEIGHT = 1;
/** What a relation passes on to those that a key connects it with. */
const NEIGHBOUR_SHARE = 0.4;

/**
 * So many of the relations at most, all where there are no more: those whose names and attributes share words with the
 * question, rare words before common ones, and their neighbours along keys; then the others in their order.
 */
export function chooseRelations(
  catalog: Catalog,
  index: SchemaIndex,
  relations: readonly RelationId[],
  question: string,
  most: number,
): readonly RelationId[] {
  if (relations.length <= most) return relations;
  const scores = scoreRelations(catalog, index, contentWords(question));
  const passedOn = new Map<RelationId, number>();
  for (const [id, score] of scores)
    for (const other of index.neighbours(id))
      passedOn.set(other, Math.max(passedOn.get(other) ?? 0, NEIGHBOUR_SHARE * score));
  const score = (id: RelationId): number => (scores.get(id) ?? 0) + (passedOn.get(id) ?? 0);
  const told: { readonly id: RelationId; readonly score: number }[] = [];
  const others: RelationId[] = [];
  for (const id of relations) {
    const own = score(id);
    if (own > 0) told.push({ id, score: own });
    else if (others.length < most) others.push(id);
  }
  told.sort((a, b) => b.score - a.score);
  return [...told.map(({ id }) => id), ...others].slice(0, most);
}

function scoreRelations(
  { schema }: Catalog,
  index: SchemaIndex,
  wanted: ReadonlySet<string>,
): ReadonlyMap<RelationId, number> {
  const known = new Map<string, ReadonlyMap<string, number>>();
  /** The wanted words of a name, with their share of it. */
  const wordsOf = (name: string): ReadonlyMap<string, number> => {
    let found = known.get(name);
    if (found === undefined) {
      const words = splitWords(name);
      found = new Map(words.filter((word) => wanted.has(word)).map((word) => [word, 1 / words.length]));
      known.set(name, found);
    }
    return found;
  };
  const byRelation = new Map<RelationId, Map<string, number>>();
  const note = (id: RelationId, name: string, weight: number): void => {
    const own = wordsOf(name);
    // Most names have none, and there may be many names.
    if (own.size === 0) return;
    for (const [word, share] of own) {
      const words = byRelation.get(id) ?? new Map<string, number>();
      byRelation.set(id, words);
      words.set(word, Math.max(words.get(word) ?? 0, weight * share));
    }
  };
  for (const { id, name } of schema.relations) note(id, name, RELATION_WEIGHT);
  for (const { relation, name } of schema.attributes) note(relation, name, ATTRIBUTE_WEIGHT);
  const holders = new Map<string, number>();
  for (const words of byRelation.values())
    for (const word of words.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  const rarity = (word: string): number => Math.log(1 + index.schema.relations.length / (holders.get(word) ?? 1));
  return new Map(
    [...byRelation].map(([id, words]) => [
      id,
      [...words].reduce((sum, [word, weight]) => sum + weight * rarity(word), 0),
    ]),
  );
}
