import type { RelationId } from '@askema/core';
import type { Bm25, WeightedText } from '../words/bm25.ts';
import { createBm25 } from '../words/bm25.ts';
import { STOP_WORDS } from '../words/content-words.ts';
import { splitWords } from '../words/split-words.ts';
import type { Sheet, SheetSource } from './relation-sheet.ts';
import type { RemarkSource } from './remarks.ts';

/** What a word counts by where it stands. */
const RELATION_WEIGHT = 4;
const QUALIFIER_WEIGHT = 1;
const ATTRIBUTE_WEIGHT = 1;
const COMMENT_WEIGHT = 0.4;
const VALUE_WEIGHT = 0.4;
const KNOWLEDGE_WEIGHT = 0.3;

/** What a family passes on to those that a foreign key connects it with. */
const NEIGHBOUR_SHARE = 0.4;

/** Longer comments and values say no more about what a relation is. */
const TEXT_CHARACTERS = 240;

/** Which families a question is about. */
export interface FamilyRanking {
  /**
   * Positions of all families, those first that the question is about: BM25 over names, comments and values, then what
   * a foreign key passes on from neighbours. Families without any score keep their order at the end.
   */
  rank(question: string, knowledge: string, samples: RemarkSource['samples']): number[];
}

/** Made once for a catalog, in time linear in its names and comments. */
export function createFamilyRanking(source: SheetSource, families: readonly (readonly Sheet[])[]): FamilyRanking {
  const index: Bm25 = createBm25(families.map((family) => describeFamily(source, family)));
  const familyOf = new Map<RelationId, number>();
  const byName = new Map<string, number>();
  let longest = 0;
  for (const [position, family] of families.entries())
    for (const { id, name } of family) {
      familyOf.set(id, position);
      const words = splitWords(name);
      longest = Math.max(longest, words.length);
      if (words.length > 1) byName.set(words.join(' '), position);
    }
  /** Families of which the question has a whole name of several words. */
  const named = (question: string): Set<number> => {
    const words = splitWords(question);
    const ends = (start: number): number[] =>
      words.slice(start + 1, start + longest).map((_, more) => start + more + 2);
    return new Set(
      words.flatMap((_, start) => ends(start).flatMap((end) => byName.get(words.slice(start, end).join(' ')) ?? [])),
    );
  };
  const neighbours = new Map<number, readonly number[]>();
  /** Other families that a foreign key connects with this one. */
  const neighboursOf = (position: number): readonly number[] => {
    let found = neighbours.get(position);
    if (found === undefined) {
      const others = (families[position] ?? []).flatMap(({ id }) => source.index.neighbours(id));
      found = [...new Set(others.flatMap((other) => familyOf.get(other) ?? []))].filter((to) => to !== position);
      neighbours.set(position, found);
    }
    return found;
  };
  return {
    rank(question, knowledge, samples) {
      const query = [
        { text: withoutStopWords(question), weight: 1 },
        { text: withoutStopWords(knowledge), weight: KNOWLEDGE_WEIGHT },
      ];
      const own = new Map(index.rank(query).map(({ document, score }) => [document, score]));
      for (const [family, score] of valueScores(source, samples, query, familyOf, index))
        own.set(family, (own.get(family) ?? 0) + score);
      const neighbour = new Map<number, number>();
      for (const [position, score] of own)
        for (const to of neighboursOf(position)) neighbour.set(to, Math.max(neighbour.get(to) ?? 0, score));
      const isNamed = named(question);
      const most = Math.max(0, ...own.values());
      const scores = families.map(
        (_, position) =>
          (isNamed.has(position) ? most : 0) +
          (own.get(position) ?? 0) +
          NEIGHBOUR_SHARE * (neighbour.get(position) ?? 0),
      );
      const told = Map.groupBy(families.keys(), (position) => (scores[position] ?? 0) > 0);
      const first = (told.get(true) ?? []).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
      return [...first, ...(told.get(false) ?? [])];
    },
  };
}

/** Sampled values that share a word with the question: each word counts once for a family. */
function valueScores(
  { index: schema }: SheetSource,
  samples: RemarkSource['samples'],
  query: readonly WeightedText[],
  familyOf: ReadonlyMap<RelationId, number>,
  names: Bm25,
): Map<number, number> {
  const wanted = new Map<string, number>();
  for (const { text, weight } of query)
    for (const word of splitWords(text)) wanted.set(word, Math.max(wanted.get(word) ?? 0, weight));
  const found = new Map<number, Set<string>>();
  for (const [id, values] of Object.entries(samples)) {
    const family = familyOf.get(schema.attribute(id)?.relation ?? '');
    if (family === undefined) continue;
    const words = values.flatMap((value) =>
      typeof value === 'string' ? splitWords(value.slice(0, TEXT_CHARACTERS)).filter((word) => wanted.has(word)) : [],
    );
    if (words.length > 0) found.set(family, new Set([...(found.get(family) ?? []), ...words]));
  }
  // A word that no name has is as rare as can be.
  const most = Math.log(1 + 2 * familyOf.size);
  const weigh = (word: string): number => (wanted.get(word) ?? 0) * VALUE_WEIGHT * (names.rarity(word) || most);
  return new Map([...found].map(([family, words]) => [family, [...words].reduce((sum, word) => sum + weigh(word), 0)]));
}

function withoutStopWords(text: string): string {
  return splitWords(text)
    .filter((word) => !STOP_WORDS.has(word))
    .join(' ');
}

/** A family as one document: what its members have in common is said once. */
function describeFamily({ catalog }: SheetSource, family: readonly Sheet[]): WeightedText[] {
  const pieces: WeightedText[] = [];
  const said = new Set<string>();
  const say = (text: string | undefined, weight: number): void => {
    if (text === undefined || text === '' || said.has(text)) return;
    said.add(text);
    pieces.push({ text: text.slice(0, TEXT_CHARACTERS), weight });
  };
  const relationWords = new Set(family.flatMap(({ name }) => splitWords(name)));
  pieces.push({ text: [...relationWords].join(' '), weight: RELATION_WEIGHT });
  say(family[0]?.qualifier, QUALIFIER_WEIGHT);
  for (const { id, columns } of family) {
    say(catalog.relations[id]?.comment, COMMENT_WEIGHT);
    for (const column of columns) {
      if (said.has(column.name)) continue;
      say(column.name, ATTRIBUTE_WEIGHT);
      say(catalog.attributes[column.id]?.comment, COMMENT_WEIGHT);
      for (const field of catalog.attributes[column.id]?.nestedFields ?? []) {
        say(field.path.at(-1), ATTRIBUTE_WEIGHT);
        say(field.comment, COMMENT_WEIGHT);
      }
    }
  }
  return pieces;
}
