import type { Attribute, Catalog, ForeignKey, Relation, SchemaIndex } from '@askema/core';
import { expandAbbreviations, LINKING_WORDS, RELATION_NOISE } from '../lexicon/name-words.ts';
import { lemma, stems } from '../tokenise/lemma.ts';
import { splitName } from '../tokenise/split-name.ts';
import type { JoinGraph } from './join-graph.ts';
import { tellingParts } from './telling-parts.ts';

/** A relation of the catalog with the words of its name. */
export interface RelationEntry {
  readonly kind: 'relation';
  readonly relation: Relation;
  /** Lemmas of the name as written. */
  readonly words: readonly string[];
  /** With abbreviations written out, without words like `tbl`. */
  readonly plainWords: readonly string[];
  /**
   * Lemmas of the schema or database that tells it from another relation of the same name; none where there is no
   * other.
   */
  readonly placeWords: readonly string[];
}

/** An attribute with the words of its name, and the foreign key that it is, when it is one by itself. */
export interface AttributeEntry {
  readonly kind: 'attribute';
  readonly attribute: Attribute;
  readonly owner: RelationEntry;
  readonly words: readonly string[];
  readonly plainWords: readonly string[];
  readonly foreignKey: ForeignKey | undefined;
  /** True for the one attribute of the key of its relation. */
  readonly isKey: boolean;
}

export type NameEntry = RelationEntry | AttributeEntry;

/** All names of a catalog by their words. Built once for a catalog, in time linear in its size. */
export interface Vocabulary {
  readonly relations: readonly RelationEntry[];
  /** Names that have this lemma among their words. */
  withWord(word: string): readonly NameEntry[];
  /** Names whose words, written together, are this text: `highschooler`. */
  squashed(text: string): readonly NameEntry[];
  /** Names that have a word with this stem. */
  withStem(stem: string): readonly NameEntry[];
}

export function createVocabulary(catalog: Catalog, index: SchemaIndex, graph: JoinGraph): Vocabulary {
  const byWord = new Map<string, NameEntry[]>();
  const bySquashed = new Map<string, NameEntry[]>();
  const byStem = new Map<string, NameEntry[]>();
  const words = memo((name: string) => nameWords(name));
  const stemsOf = memo((word: string) => stems(word));

  const register = (entry: NameEntry, name: string): void => {
    const place = entry.kind === 'relation' ? entry.placeWords : [];
    const seen = new Set([...entry.words, ...entry.plainWords, ...place]);
    for (const word of seen) push(byWord, word, entry);
    push(bySquashed, entry.words.join(''), entry);
    for (const found of new Set(splitName(name).flatMap(stemsOf))) push(byStem, found, entry);
  };

  const relations = catalog.schema.relations.map((relation): RelationEntry => {
    const own = words(relation.name);
    const placeWords = tellingParts(catalog, relation.id).flatMap((part) => words(part));
    return { kind: 'relation', relation, words: own, plainWords: expandWords(withoutNoise(own)), placeWords };
  });
  for (const owner of relations) {
    register(owner, owner.relation.name);
    const keys = singleKeys(graph, owner.relation);
    for (const attribute of index.attributesOf(owner.relation.id)) {
      const own = words(attribute.name);
      const entry: AttributeEntry = {
        kind: 'attribute',
        attribute,
        owner,
        words: own,
        plainWords: expandWords(own),
        foreignKey: keys.get(attribute.id),
        isKey: index.primaryKey(owner.relation.id)?.attributes.join() === attribute.id,
      };
      register(entry, attribute.name);
    }
  }
  splitCompounds(relations, byWord);
  return {
    relations,
    withWord: (word) => byWord.get(word) ?? [],
    squashed: (text) => bySquashed.get(text) ?? [],
    withStem: (wanted) => byStem.get(wanted) ?? [],
  };
}

/** The lemmas of a name, without "of" and "the" where anything else is left. */
export function nameWords(name: string): readonly string[] {
  const parts = splitName(name);
  const content = parts.filter((part) => !LINKING_WORDS.has(part));
  return (content.length > 0 ? content : parts).map(lemma);
}

function expandWords(words: readonly string[]): readonly string[] {
  const expanded = expandAbbreviations(words);
  return expanded === words ? words : expanded.filter((word) => !LINKING_WORDS.has(word)).map(lemma);
}

function withoutNoise(words: readonly string[]): readonly string[] {
  const kept = words.filter((word) => !RELATION_NOISE.has(word));
  return kept.length > 0 ? kept : words;
}

/** Keys of one attribute, declared or inferred, by that attribute. */
function singleKeys(graph: JoinGraph, relation: Relation): Map<string, ForeignKey> {
  const keys = new Map<string, ForeignKey>();
  for (const { foreignKey: key, direction } of graph.edges(relation.id)) {
    if (direction === 'backward') continue;
    const only = key.pairs.length === 1 ? key.pairs[0] : undefined;
    if (only !== undefined && !keys.has(only.from)) keys.set(only.from, key);
  }
  return keys;
}

/** A name like `countrylanguage` is also found by "language", when both halves are words of this catalog. */
function splitCompounds(relations: readonly RelationEntry[], byWord: Map<string, NameEntry[]>): void {
  for (const entry of relations) {
    const [only, second] = entry.words;
    if (only === undefined || second !== undefined || only.length < 7) continue;
    for (let cut = 3; cut <= only.length - 3; cut += 1) {
      const tail = only.slice(cut);
      if (byWord.has(only.slice(0, cut)) && byWord.has(tail)) push(byWord, tail, entry);
    }
  }
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const group = map.get(key);
  if (group === undefined) map.set(key, [item]);
  else if (group[group.length - 1] !== item) group.push(item);
}

function memo<T>(compute: (key: string) => T): (key: string) => T {
  const cache = new Map<string, T>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
}
