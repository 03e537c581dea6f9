import type { AttributeId, RelationId } from '@askema/core';
import { MEASURE_NOUNS } from '../lexicon/name-words.ts';
import type { LinkedCatalog } from '../link/lattice.ts';
import { nameWords } from '../link/vocabulary.ts';
import { lemma } from '../tokenise/lemma.ts';

/** How an attribute compares. `any`: the engine gives it no type, so cells compare as what they are (SQLite). */
export type AttributeClass = 'number' | 'text' | 'time' | 'bool' | 'any' | 'other';

export function attributeClass(id: AttributeId, { catalog, index, hasUntyped }: LinkedCatalog): AttributeClass {
  const attribute = index.attribute(id);
  if (attribute === undefined) return 'other';
  if (hasUntyped && catalog.attributes[id]?.nativeType === '') return 'any';
  if (attribute.type === 'NUMERIC') return 'number';
  if (attribute.type === 'TEXT') return (catalog.attributes[id]?.nestedFields ?? []).length > 0 ? 'other' : 'text';
  if (attribute.type === 'DATETIME') return 'time';
  return attribute.type === 'BOOL' ? 'bool' : 'other';
}

/** Nobody means a birth who does not say so. */
export const BIRTH: RegExp = /birth|(?:^|_)dob(?:_|$)|born/iu;

/** True for an attribute whose name says that it holds years. */
export function isYear(id: AttributeId, linked: LinkedCatalog): boolean {
  const kind = attributeClass(id, linked);
  const words = nameWords(linked.index.attribute(id)?.name ?? '');
  return (kind === 'number' || kind === 'text' || kind === 'any') && words.some((word) => YEAR_WORDS.has(word));
}

/** An attribute called just `founded` holds a year, when it holds no date. */
const YEAR_WORDS: ReadonlySet<string> = new Set(
  'year yr founded established founding built opened released published launched'.split(' ').map(lemma),
);

/** `Order No`, `ticket_id`: its size says nothing. */
export function looksLikeKey(name: string): boolean {
  const words = nameWords(name);
  return words.length > 1 && KEY_WORDS.has(words[words.length - 1] ?? '');
}

const KEY_WORDS: ReadonlySet<string> = new Set(['id', 'no', 'nbr', 'code', 'key', 'uid'].map(lemma));

/** True for a relation of persons, by its name or by what its rows have. */
export function isPerson(relation: RelationId, { index }: LinkedCatalog): boolean {
  const own = nameWords(index.relation(relation)?.name ?? '');
  if (own.some((word) => PERSONS.has(word))) return true;
  return index.attributesOf(relation).some(({ name }) => /^(?:first|last|full|f|l)_?name$|birth/iu.test(name));
}

const PERSONS: ReadonlySet<string> = new Set(
  (
    'person member customer client employee staff worker emp patient student pupil teacher guest user doctor nurse vet ' +
    'driver rep agent trainer instructor mechanic technician buyer donor volunteer visitor passenger subscriber tenant ' +
    'owner author player coach contractor attendee participant applicant candidate contact reader borrower mechanic'
  )
    .split(' ')
    .map(lemma),
);

/** True for an attribute whose name says that it is measured or counted. */
export function isMeasure(id: AttributeId, linked: LinkedCatalog): boolean {
  return nameWords(linked.index.attribute(id)?.name ?? '').some((word) => MEASURE_NOUNS.has(word));
}
