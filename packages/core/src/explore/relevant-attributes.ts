import type { Catalog } from '../catalog/catalog.ts';
import type { AttributeId, RelationId } from '../schema/schema.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { type Bm25, createBm25 } from '../text/bm25.ts';
import { splitWords } from '../text/split-words.ts';

export interface RelevanceLimits {
  readonly maxRelations: number;
  readonly maxAttributes: number;
}

const RELATION_WEIGHT = 3;
const COMMENT_WEIGHT = 0.5;
/** What a relation gets from the best of those that keys connect it with. */
const NEIGHBOUR_SHARE = 0.4;
/** What a relation gets, of the best score, when the question mentions one of its cells; common words stand in many relations. */
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
 * The attributes worth looking at for a question, relation by relation in the order of their relevance (BM25 over names and comments,
 * with a share from key neighbours). In each the attributes that meet the question come first, then those of keys, then the others;
 * the room is divided evenly. `mentioned`: attributes whose cells the question names, best first. Of a family of tables that are alike only the first is taken. Without a common word the first relations
 * stand for the database.
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
  const bm25 = createBm25(candidates.map((id) => documentOf(catalog, index, id)));
  const seen = new Set(mentioned.slice(0, MAX_MENTIONED));
  const relations = rankRelations(index, candidates, bm25, words, seen).slice(0, limits.maxRelations);
  const room = Math.max(1, Math.ceil(limits.maxAttributes / Math.max(1, relations.length)));
  const ranked = relations.map((relation) => rankAttributes(catalog, index, relation, bm25, new Set(words), seen));
  const inTurn = [...ranked.flatMap((ids) => ids.slice(0, room)), ...ranked.flatMap((ids) => ids.slice(room))];
  const wanted = new Set(inTurn.slice(0, limits.maxAttributes));
  return relations.flatMap((relation) =>
    index.attributesOf(relation).flatMap(({ id }) => (wanted.has(id) ? [id] : [])),
  );
}

function documentOf(catalog: Catalog, index: SchemaIndex, id: RelationId) {
  const attributes = index.attributesOf(id);
  const comments = [catalog.relations[id]?.comment, ...attributes.map((one) => catalog.attributes[one.id]?.comment)];
  return [
    { text: index.relation(id)?.name ?? '', weight: RELATION_WEIGHT },
    { text: attributes.map(({ name }) => name).join(' '), weight: 1 },
    { text: comments.join(' ').slice(0, MAX_CHARACTERS), weight: COMMENT_WEIGHT },
  ];
}

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
  const bonus = MENTIONED_SHARE * (matches[0]?.score ?? 1);
  const holders = new Set([...mentioned].flatMap((id) => index.attribute(id)?.relation ?? []));
  for (const id of candidates) if (holders.has(id)) own.set(id, (own.get(id) ?? 0) + bonus);
  if (own.size === 0) return candidates;
  return candidates
    .map((id) => {
      const near = index.neighbours(id).reduce((most, other) => Math.max(most, own.get(other) ?? 0), 0);
      return { id, score: (own.get(id) ?? 0) + NEIGHBOUR_SHARE * near };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
}

function rankAttributes(
  catalog: Catalog,
  index: SchemaIndex,
  relation: RelationId,
  bm25: Bm25,
  wanted: ReadonlySet<string>,
  mentioned: ReadonlySet<AttributeId>,
): readonly AttributeId[] {
  const keys = new Set<AttributeId>(index.primaryKey(relation)?.attributes ?? []);
  for (const key of index.foreignKeysFrom(relation)) for (const { from } of key.pairs) keys.add(from);
  const meet = (text: string): number =>
    [...new Set(splitWords(text.slice(0, MAX_CHARACTERS)))]
      .filter((word) => wanted.has(word))
      .reduce((sum, word) => sum + bm25.rarity(word), 0);
  return index
    .attributesOf(relation)
    .map(({ id, name }) => {
      const score = meet(name) + COMMENT_WEIGHT * meet(catalog.attributes[id]?.comment ?? '');
      return { id, score: score + (mentioned.has(id) ? MENTIONED_RANK : 0) + (keys.has(id) ? 0.001 : 0) };
    })
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
}
