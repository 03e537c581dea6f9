import type { Attribute, AttributeId, Catalog, ForeignKey, Relation, RelationId, SchemaIndex } from '@askema/core';
import { expandAbbreviations, LINKING_WORDS, RELATION_NOISE } from '../lexicon/name-words.ts';
import { lemma, stems } from '../tokenise/lemma.ts';
import { splitName } from '../tokenise/split-name.ts';
import type { JoinGraph } from './join-graph.ts';
import { tellingParts } from './telling-parts.ts';

/** A relation of the catalog with the words of its name. */
export interface RelationEntry {
  readonly kind: 'relation';
  readonly relation: Relation;
  /** Among the relations of the catalog. */
  readonly place: number;
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

/**
 * All names of a catalog by their words. Built once for a catalog, in time linear in its relations and in the different
 * names of its attributes; what is known of one attribute is put together when a word asks for it.
 */
export interface Vocabulary {
  readonly relations: readonly RelationEntry[];
  relation(id: RelationId): RelationEntry | undefined;
  /** Names that have this lemma among their words. */
  withWord(word: string): readonly NameEntry[];
  /** Names whose words, written together, are this text: `highschooler`. */
  squashed(text: string): readonly NameEntry[];
  /** Names that have a word with this stem. */
  withStem(stem: string): readonly NameEntry[];
}

/** By a word, the relations, and the names of attributes, that have it. */
interface Holders {
  readonly relations: Map<string, RelationEntry[]>;
  readonly names: Map<string, string[]>;
}

const NO_WORDS: readonly string[] = [];

export function createVocabulary(catalog: Catalog, index: SchemaIndex, graph: JoinGraph): Vocabulary {
  const [byWord, bySquashed, byPart] = [noHolders(), noHolders(), noHolders()];

  const telling = tellingParts(catalog);
  const relations = catalog.schema.relations.map((relation, place): RelationEntry => {
    const words = nameWords(relation.name);
    const placeWords = telling.get(relation.id)?.flatMap(nameWords) ?? NO_WORDS;
    return { kind: 'relation', relation, place, words, plainWords: expandWords(withoutNoise(words)), placeWords };
  });
  const owners = new Map(relations.map((entry) => [entry.relation.id, entry]));
  for (const entry of relations) {
    const { words, plainWords, placeWords } = entry;
    const isPlain = words === plainWords && placeWords.length === 0;
    enter(byWord.relations, isPlain ? words : [...words, ...plainWords, ...placeWords], entry);
    push(bySquashed.relations, words.join(''), entry);
    enter(byPart.relations, splitName(entry.relation.name), entry);
  }
  const forms = new Map<string, Pick<AttributeEntry, 'words' | 'plainWords'>>();
  for (const name of new Set(catalog.schema.attributes.map(({ name }) => name))) {
    const words = nameWords(name);
    const plainWords = expandWords(words);
    forms.set(name, { words, plainWords });
    enter(byWord.names, [...words, ...plainWords], name);
    push(bySquashed.names, words.join(''), name);
    enter(byPart.names, splitName(name), name);
  }
  /** Parts of names are few, and share their stems. */
  const partsByStem = once(() => {
    const parts = new Map<string, string[]>();
    for (const part of new Set([...byPart.relations.keys(), ...byPart.names.keys()]))
      for (const stem of new Set(stems(part))) push(parts, stem, part);
    return parts;
  });
  const compounds = splitCompounds(relations, (word) => byWord.relations.has(word) || byWord.names.has(word));

  const entries = new Map<AttributeId, AttributeEntry>();
  const entryOf = (attribute: Attribute): AttributeEntry | undefined => {
    const known = entries.get(attribute.id);
    const owner = owners.get(attribute.relation);
    const form = forms.get(attribute.name);
    if (known !== undefined || owner === undefined || form === undefined) return known;
    const entry: AttributeEntry = {
      kind: 'attribute',
      attribute,
      owner,
      ...form,
      foreignKey: singleKey(graph, attribute),
      isKey: index.primaryKey(attribute.relation)?.attributes.join() === attribute.id,
    };
    entries.set(attribute.id, entry);
    return entry;
  };
  /** Relation by relation, each before its attributes. */
  const found = ({ relations: named, names }: Holders, ...words: readonly string[]): readonly NameEntry[] => {
    const attributes = unique(words, names).flatMap((name) =>
      index.attributesNamed(name).filter((attribute) => attribute.name === name),
    );
    const all = [...unique(words, named), ...attributes.flatMap((attribute) => entryOf(attribute) ?? [])];
    const rank = (entry: NameEntry): number =>
      entry.kind === 'relation' ? 0 : (catalog.attributes[entry.attribute.id]?.position ?? 1);
    return all.sort((a, b) => ownerOf(a).place - ownerOf(b).place || rank(a) - rank(b));
  };
  return {
    relations,
    relation: (id) => owners.get(id),
    withWord: memo((word: string) => [...found(byWord, word), ...(compounds.get(word) ?? [])]),
    squashed: memo((text: string) => found(bySquashed, text)),
    withStem: memo((stem: string) => found(byPart, ...(partsByStem().get(stem) ?? []))),
  };
}

/** What any of the words has, once. */
function unique<T>(words: readonly string[], holders: ReadonlyMap<string, readonly T[]>): readonly T[] {
  const [only = '', second] = words;
  return second === undefined
    ? (holders.get(only) ?? [])
    : [...new Set(words.flatMap((word) => holders.get(word) ?? []))];
}

function noHolders(): Holders {
  return { relations: new Map(), names: new Map() };
}

function ownerOf(entry: NameEntry): RelationEntry {
  return entry.kind === 'relation' ? entry : entry.owner;
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

/** The key of this attribute alone, declared or inferred. */
function singleKey(graph: JoinGraph, { id, relation }: Attribute): ForeignKey | undefined {
  return graph.keysFrom(relation).find(({ pairs }) => pairs.length === 1 && pairs[0]?.from === id);
}

/** A name like `countrylanguage` is also found by "language", when both halves are words of this catalog. */
function splitCompounds(
  relations: readonly RelationEntry[],
  isWord: (word: string) => boolean,
): ReadonlyMap<string, readonly RelationEntry[]> {
  const compounds = new Map<string, RelationEntry[]>();
  for (const entry of relations) {
    const [only, second] = entry.words;
    if (only === undefined || second !== undefined || only.length < 7) continue;
    for (let cut = 3; cut <= only.length - 3; cut += 1) {
      const tail = only.slice(cut);
      if (isWord(only.slice(0, cut)) && isWord(tail)) push(compounds, tail, entry);
    }
  }
  return compounds;
}

/** Under each of the keys, once. */
function enter<T>(map: Map<string, T[]>, keys: readonly string[], item: T): void {
  for (const [at, key] of keys.entries()) if (keys.indexOf(key) === at) push(map, key, item);
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const group = map.get(key);
  if (group === undefined) map.set(key, [item]);
  else group.push(item);
}

function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
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
