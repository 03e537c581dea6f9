import type { AttributeId, Catalog, RelationId, SchemaIndex } from '@askema/core';
import { type Bm25, createBm25 } from '../words/bm25.ts';
import { splitWords } from '../words/split-words.ts';

export interface RelevanceLimits {
  readonly maxRelations: number;
  readonly maxAttributes: number;
}

const RELATION_WEIGHT = 3;
const COMMENT_WEIGHT = 0.5;
/** What a word of the question counts that is only a part of a longer word of a name. */
const INSIDE_SHARE = 0.5;
/** Shorter words stand inside of too many others by chance. */
const isLongWord = (word: string): boolean => /^\p{L}{4,}$/u.test(word);
/** Letters of a name around a word at least: `ground` is no sort of `round`. */
const MIN_REST = 2;
/** Words of a question that are sought inside of names. */
const MAX_SOUGHT = 200;
/** What a relation gets from the best of those that keys connect it with. */
const NEIGHBOUR_SHARE = 0.4;
/**
 * What a relation gets, of the best score, when the question mentions one of its cells; common words stand in many
 * relations. No more than a word that stands in one relation only: a long question that one relation answers well
 * leaves room for others by name.
 */
const MENTIONED_SHARE = 0.5;
/** Above any sum of words: such an attribute comes first in its relation. */
const MENTIONED_RANK = 1_000;
const MAX_MENTIONED = 20;
/** Longer questions and comments are cut before they are searched. */
const MAX_CHARACTERS = 20_000;

/** Words that name nothing. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by do doe each for from give had has have how in is it its list many me more most much of on or show than that the their there they this to wa what when where which who whose with'.split(
    ' ',
  ),
);

/**
 * The attributes worth looking at for a question, relation by relation in the order of their relevance (BM25 over names
 * and comments, with a share from key neighbours). In each the attributes that meet the question come first, then those
 * of keys, then the others; the room is divided evenly. `mentioned`: attributes whose cells the question names, best
 * first. Of a family of tables that are alike only the first is taken; where not all relations fit, of those with the
 * same attributes the best one, and others only by a word of their own or a cell that is mentioned. A relation between
 * two of the best is taken with them.
 *
 * Where all relations fit into `maxRelations`, those that nothing speaks for come last and take the room that is left.
 * Of more relations they are left out, so that nothing is chosen where nothing meets the question.
 */
export function relevantAttributes(
  catalog: Catalog,
  index: SchemaIndex,
  question: string,
  limits: RelevanceLimits,
  mentioned: readonly AttributeId[] = [],
): readonly AttributeId[] {
  const words = splitWords(question.slice(0, MAX_CHARACTERS)).filter((word) => !STOP_WORDS.has(word));
  const repeated = new Set(catalog.families.flatMap((family) => family.members.slice(1)));
  const candidates = catalog.schema.relations.map(({ id }) => id).filter((id) => !repeated.has(id));
  const inside = wordsInside(words);
  const bm25 = createBm25(candidates.map((id) => documentOf(catalog, index, id, inside)));
  const seen = new Set(mentioned.slice(0, MAX_MENTIONED));
  const wanted = new Set(words);
  const ranked = rankRelations(index, candidates, bm25, words, seen);
  // Room is scarce only where not all fit.
  const met = candidates.length <= limits.maxRelations ? ranked : withoutLikes(index, ranked, wanted, seen);
  const evident = withBridges(index, met.slice(0, limits.maxRelations), new Set(candidates)).slice(
    0,
    limits.maxRelations,
  );
  const known = new Set([...met, ...evident]);
  const others = candidates.length <= limits.maxRelations ? candidates.filter((id) => !known.has(id)) : [];
  const rank = (relation: RelationId) => rankAttributes(catalog, index, relation, bm25, { wanted, inside, seen });
  const chosen = evenly(evident.map(rank), limits.maxAttributes);
  const taken = new Set([...chosen, ...evenly(others.map(rank), limits.maxAttributes - chosen.length)]);
  return [...evident, ...others].flatMap((relation) =>
    index.attributesOf(relation).flatMap(({ id }) => (taken.has(id) ? [id] : [])),
  );
}

/** Relations with fewer attributes are alike by chance: `(id, name)`. */
const MIN_LIKE_ATTRIBUTES = 3;

/**
 * Without those that have the same attributes as a better one, as the copies of a merged schema: except for one whose
 * name has another word of the question, or whose cells it mentions.
 */
function withoutLikes(
  index: SchemaIndex,
  ranked: readonly RelationId[],
  wanted: ReadonlySet<string>,
  mentioned: ReadonlySet<AttributeId>,
): readonly RelationId[] {
  const wordsOfForm = new Map<string, Set<string>>();
  return ranked.filter((id) => {
    const attributes = index.attributesOf(id);
    if (attributes.length < MIN_LIKE_ATTRIBUTES) return true;
    const form = attributes
      .map(({ name, type }) => `${name.toLowerCase()} ${type}`)
      .sort()
      .join('\n');
    const said = wordsOfForm.get(form);
    const words = splitWords(index.relation(id)?.name ?? '').filter((word) => wanted.has(word));
    wordsOfForm.set(form, new Set([...(said ?? []), ...words]));
    return (
      said === undefined || words.some((word) => !said.has(word)) || attributes.some((one) => mentioned.has(one.id))
    );
  });
}

/** Relations that are looked at for one between them. */
const BRIDGED = 3;

/** With relations that connect two of the best along keys, right behind these, where no key does so directly. */
function withBridges(
  index: SchemaIndex,
  ranked: readonly RelationId[],
  candidates: ReadonlySet<RelationId>,
): readonly RelationId[] {
  const best = ranked.slice(0, BRIDGED);
  const bridge = (one: RelationId, other: RelationId): readonly RelationId[] => {
    const near = index.neighbours(one);
    if (near.includes(other)) return [];
    const between = near.filter((id) => candidates.has(id) && index.neighbours(other).includes(id));
    return [ranked.find((id) => between.includes(id)) ?? between[0] ?? []].flat();
  };
  const bridged = best.flatMap((one, at) => [one, ...best.slice(0, at).flatMap((before) => bridge(before, one))]);
  return [...new Set([...bridged, ...ranked])];
}

/** From the head of each list as many as an even share of the room holds, then the others while room is left. */
function evenly(lists: readonly (readonly AttributeId[])[], room: number): readonly AttributeId[] {
  const share = Math.max(1, Math.ceil(room / Math.max(1, lists.length)));
  const inTurn = [...lists.flatMap((ids) => ids.slice(0, share)), ...lists.flatMap((ids) => ids.slice(share))];
  return inTurn.slice(0, Math.max(0, room));
}

type WordsInside = (name: string) => readonly string[];

/**
 * Which words of a question stand inside of longer words of a name: `sbtransaction` holds `transaction`. Each word is
 * looked at once.
 */
function wordsInside(words: readonly string[]): WordsInside {
  const sought = [...new Set(words)].filter((word) => isLongWord(word)).slice(0, MAX_SOUGHT);
  const known = new Map<string, readonly string[]>();
  const of = (token: string): readonly string[] => {
    const found =
      known.get(token) ?? sought.filter((word) => token.length >= word.length + MIN_REST && token.includes(word));
    known.set(token, found);
    return found;
  };
  return (name) => splitWords(name).flatMap(of);
}

function documentOf(catalog: Catalog, index: SchemaIndex, id: RelationId, inside: WordsInside) {
  const attributes = index.attributesOf(id);
  const comments = [catalog.relations[id]?.comment, ...attributes.map((one) => catalog.attributes[one.id]?.comment)];
  const name = index.relation(id)?.name ?? '';
  const names = attributes.map((one) => one.name).join(' ');
  return [
    { text: name, weight: RELATION_WEIGHT },
    { text: names, weight: 1 },
    { text: inside(name).join(' '), weight: RELATION_WEIGHT * INSIDE_SHARE },
    { text: inside(names).join(' '), weight: INSIDE_SHARE },
    { text: comments.join(' ').slice(0, MAX_CHARACTERS), weight: COMMENT_WEIGHT },
  ];
}

/** The relations that something speaks for, best first. */
function rankRelations(
  index: SchemaIndex,
  candidates: readonly RelationId[],
  bm25: Bm25,
  words: readonly string[],
  mentioned: ReadonlySet<AttributeId>,
): readonly RelationId[] {
  const own = new Map<RelationId, number>();
  const matches = bm25.rank(words.join(' '));
  for (const { document, score } of matches) {
    const id = candidates[document];
    if (id !== undefined) own.set(id, score);
  }
  const rareWord = Math.log(1 + (candidates.length - 0.5) / 1.5);
  const bonus = Math.min(MENTIONED_SHARE * (matches[0]?.score ?? 1), rareWord);
  const holders = new Set([...mentioned].flatMap((id) => index.attribute(id)?.relation ?? []));
  const known = new Set(candidates);
  // The best mention comes first; the later ones are cells that many relations hold.
  for (const [position, id] of [...holders].filter((one) => known.has(one)).entries())
    own.set(id, (own.get(id) ?? 0) + bonus / Math.log2(position + 2));
  return candidates
    .map((id) => {
      const near = index.neighbours(id).reduce((most, other) => Math.max(most, own.get(other) ?? 0), 0);
      return { id, score: (own.get(id) ?? 0) + NEIGHBOUR_SHARE * near };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
}

interface Evidence {
  /** Words of the question. */
  readonly wanted: ReadonlySet<string>;
  readonly inside: WordsInside;
  /** Attributes whose cells the question names. */
  readonly seen: ReadonlySet<AttributeId>;
}

function rankAttributes(
  catalog: Catalog,
  index: SchemaIndex,
  relation: RelationId,
  bm25: Bm25,
  { wanted, inside, seen }: Evidence,
): readonly AttributeId[] {
  const keys = new Set<AttributeId>(index.primaryKey(relation)?.attributes ?? []);
  for (const key of index.foreignKeysFrom(relation)) for (const { from } of key.pairs) keys.add(from);
  const rarity = (words: readonly string[]): number =>
    [...new Set(words)].filter((word) => wanted.has(word)).reduce((sum, word) => sum + bm25.rarity(word), 0);
  const meet = (text: string): number => rarity(splitWords(text.slice(0, MAX_CHARACTERS)));
  return index
    .attributesOf(relation)
    .map(({ id, name }) => {
      const score =
        meet(name) + INSIDE_SHARE * rarity(inside(name)) + COMMENT_WEIGHT * meet(catalog.attributes[id]?.comment ?? '');
      return { id, score: score + (seen.has(id) ? MENTIONED_RANK : 0) + (keys.has(id) ? 0.001 : 0) };
    })
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
}
