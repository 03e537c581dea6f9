import { type Catalog, indexSchema, type Relation, type RelationId } from '@askema/core';
import { type Bm25, contentWords, createBm25, splitWords, type WeightedText } from '@askema/grounding';

/** What a word counts by where it stands. */
const WEIGHTS = { relation: 4, qualifier: 1, attribute: 1, comment: 0.4 } as const;

/** Longer comments say no more about what a relation is. */
const COMMENT_CHARACTERS = 240;

/** Catalogs are immutable data: each is indexed once. */
const known = new WeakMap<Catalog, Bm25>();

/**
 * The relations that words are about, best first: BM25 over names and comments. Without words, all of them in the order
 * of the catalog.
 */
export function searchRelations(catalog: Catalog, words: string): readonly Relation[] {
  const { relations } = catalog.schema;
  if (words.trim() === '') return relations;
  const index = known.get(catalog) ?? createBm25(documentsOf(catalog));
  known.set(catalog, index);
  return index.rank(queryOf(words)).flatMap(({ document }) => relations[document] ?? []);
}

/** How many of the words names and comments have; orders the attributes of a relation. */
export function countWords(words: string): (texts: readonly (string | undefined)[]) => number {
  const wanted = new Set(splitWords(queryOf(words)));
  return (texts) => new Set(texts.flatMap((text) => splitWords(text ?? '').filter((word) => wanted.has(word)))).size;
}

/** Words that name something, where there are any. */
function queryOf(words: string): string {
  const content = [...contentWords(words)];
  return content.length === 0 ? words : content.join(' ');
}

function documentsOf(catalog: Catalog): readonly (readonly WeightedText[])[] {
  const index = indexSchema(catalog);
  return catalog.schema.relations.map(({ id }) => [
    ...namesOf(catalog, id),
    { text: commentOf(catalog.relations[id]?.comment), weight: WEIGHTS.comment },
    ...index.attributesOf(id).flatMap((attribute) => [
      { text: attribute.name, weight: WEIGHTS.attribute },
      { text: commentOf(catalog.attributes[attribute.id]?.comment), weight: WEIGHTS.comment },
    ]),
  ]);
}

function namesOf({ relations }: Catalog, id: RelationId): readonly WeightedText[] {
  const { database, schema, relation } = relations[id]?.nameParts ?? { relation: '' };
  return [
    { text: relation, weight: WEIGHTS.relation },
    ...[database, schema].flatMap((text) => (text === undefined ? [] : [{ text, weight: WEIGHTS.qualifier }])),
  ];
}

function commentOf(comment: string | undefined): string {
  return (comment ?? '').slice(0, COMMENT_CHARACTERS);
}
