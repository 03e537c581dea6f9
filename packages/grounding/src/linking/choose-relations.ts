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
  const least = scores.size <= most ? 0 : ([...scores.values()].sort((a, b) => b - a)[most - 1] ?? 0);
  const passedOn = new Map<RelationId, number>();
  for (const [id, score] of scores) {
    // Only those that may be among the chosen pass something on: the rest would be thousands.
    if (score < least) continue;
    for (const other of index.neighbours(id))
      passedOn.set(other, Math.max(passedOn.get(other) ?? 0, NEIGHBOUR_SHARE * score));
  }
  const score = (id: RelationId): number => (scores.get(id) ?? 0) + (passedOn.get(id) ?? 0);
  const told: { readonly id: RelationId; readonly score: number }[] = [];
  const others: RelationId[] = [];
  for (const id of relations) {
    const own = score(id);
    if (own > 0) told.push({ id, score: own });
    else if (others.length < most) others.push(id);
  }
  const best = told.filter(({ score }) => score >= least);
  const ranked = (best.length < most ? told : best).sort((a, b) => b.score - a.score);
  return [...ranked.map(({ id }) => id), ...others].slice(0, most);
}

function scoreRelations(
  catalog: Catalog,
  index: SchemaIndex,
  wanted: ReadonlySet<string>,
): ReadonlyMap<RelationId, number> {
  const { relations, names } = namesByWord(catalog);
  const scores = new Map<RelationId, number>();
  for (const word of wanted) {
    const holders = new Map<RelationId, number>();
    const note = (id: RelationId, weight: number): void => {
      holders.set(id, Math.max(holders.get(id) ?? 0, weight));
    };
    for (const [id, share] of relations.get(word) ?? []) note(id, RELATION_WEIGHT * share);
    for (const [name, share] of names.get(word) ?? [])
      for (const { relation } of index.attributesNamed(name)) note(relation, ATTRIBUTE_WEIGHT * share);
    const rarity = Math.log(1 + index.schema.relations.length / Math.max(1, holders.size));
    for (const [id, weight] of holders) scores.set(id, (scores.get(id) ?? 0) + weight * rarity);
  }
  return scores;
}

/** What has a word in its name, with the word's share of it. */
type ByWord<T> = ReadonlyMap<string, readonly (readonly [of: T, share: number])[]>;

interface NamesByWord {
  readonly relations: ByWord<RelationId>;
  /** Different names of attributes: there are far fewer of them than attributes. */
  readonly names: ByWord<string>;
}

const known = new WeakMap<Catalog, NamesByWord>();

function namesByWord(catalog: Catalog): NamesByWord {
  const found = known.get(catalog) ?? {
    relations: byWord(catalog.schema.relations.map(({ id, name }) => [id, name])),
    names: byWord([...new Set(catalog.schema.attributes.map(({ name }) => name))].map((name) => [name, name])),
  };
  known.set(catalog, found);
  return found;
}

function byWord<T>(named: readonly (readonly [of: T, name: string])[]): ByWord<T> {
  const found = new Map<string, (readonly [T, number])[]>();
  for (const [of, name] of named) {
    const words = splitWords(name);
    for (const word of new Set(words)) {
      const group = found.get(word);
      const entry = [of, 1 / words.length] as const;
      if (group === undefined) found.set(word, [entry]);
      else group.push(entry);
    }
  }
  return found;
}
