import type { RelationId } from '../schema/schema.ts';
import type { RenderInput } from './render-relation.ts';

const RELATION_WEIGHT = 3;
const ATTRIBUTE_WEIGHT = 1;
const COMMENT_WEIGHT = 0.5;
/** What a relation passes on to those that a foreign key connects it with. */
const NEIGHBOUR_SHARE = 0.3;

/**
 * All relations, those that share most words with the question first, then their key neighbours; ties in the order of the
 * catalog. A plain count of words; it knows no synonyms.
 */
export function rankRelations(input: Pick<RenderInput, 'catalog' | 'index'>, question: string): RelationId[] {
  const wanted = new Set(words(question));
  const relations = input.catalog.schema.relations.map(({ id }) => id);
  const own = new Map(relations.map((id) => [id, ownScore(input, id, wanted)]));
  const scored = relations.map((id) => {
    const neighbours = input.index.neighbours(id).map((neighbour) => own.get(neighbour) ?? 0);
    return {
      id,
      score: (own.get(id) ?? 0) + NEIGHBOUR_SHARE * neighbours.reduce((most, score) => Math.max(most, score), 0),
    };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ id }) => id);
}

function ownScore(
  { catalog, index }: Pick<RenderInput, 'catalog' | 'index'>,
  id: RelationId,
  wanted: ReadonlySet<string>,
): number {
  if (wanted.size === 0) return 0;
  const weights = new Map<string, number>();
  const note = (text: string, weight: number): void => {
    for (const word of words(text)) {
      if (wanted.has(word)) weights.set(word, Math.max(weights.get(word) ?? 0, weight));
    }
  };
  note(index.relation(id)?.name ?? '', RELATION_WEIGHT);
  note(catalog.relations[id]?.comment ?? '', COMMENT_WEIGHT);
  for (const attribute of index.attributesOf(id)) {
    note(attribute.name, ATTRIBUTE_WEIGHT);
    note(catalog.attributes[attribute.id]?.comment ?? '', COMMENT_WEIGHT);
  }
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0);
}

/** Lower case words of at least two letters, split at case changes too, without the s of plurals. */
function words(text: string): string[] {
  const split = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (split.match(/[\p{L}\p{N}]{2,}/gu) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
}
