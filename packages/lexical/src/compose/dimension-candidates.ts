import type { AttributeId, RelationId } from '@askema/core';
import type { Dimension } from '../lexicon/dimensions.ts';
import { AMOUNT_FACTORS } from '../lexicon/figures.ts';
import { UNIT_ENDINGS } from '../lexicon/name-words.ts';
import type { LinkedCatalog } from '../link/lattice.ts';
import { nameWords } from '../link/vocabulary.ts';
import { lemma } from '../tokenise/lemma.ts';
import { attributeClass, BIRTH, isPerson, isYear } from './attribute-class.ts';
import type { Candidate } from './candidates.ts';
import type { Slot } from './slots.ts';

const PARTIAL_SCALE = 0.2;
const PRODUCT = 0.1;

/** Attributes near the parent that an adjective may measure. The first scale that fits a relation wins there. */
export function dimensionCandidates(
  slot: Extract<Slot, { kind: 'dimension' }>,
  parent: Candidate | undefined,
  linked: LinkedCatalog,
): Candidate[] {
  if (parent === undefined)
    return linked.vocabulary.relations
      .filter(({ relation }) => isPerson(relation.id, linked))
      .flatMap(({ relation: { id } }) => dimensionCandidates(slot, { at: id, anchor: id, cost: 0 }, linked))
      .filter(({ at, attribute }) => isPerson(at, linked) && attribute !== undefined);
  const scales = slot.dimension.scales.map((scale) => ({ ...scale, words: scale.noun.split(' ').map(lemma) }));
  const isMoment = scales.some(({ noun, kind }) => noun === 'date' && kind === 'time');
  const found: Candidate[] = [];
  for (const [relation, distance] of linked.graph.reach(parent.anchor)) {
    if (distance > 1 || !isOfOneRow(parent.anchor, relation, linked)) continue;
    for (const { id, name } of linked.index.attributesOf(relation)) {
      // The latest of something is told by its own time, and never by a birth.
      if (isMoment && (distance > 0 || BIRTH.test(name))) continue;
      const words = withoutUnit(nameWords(name));
      const kind = attributeClass(id, linked);
      const place = scales.findIndex(
        (scale) =>
          endsWith(words, scale.words) &&
          (scale.kind === 'time' ? kind === 'time' || isYear(id, linked) : kind !== 'time' && kind !== 'bool'),
      );
      const scale = scales[place];
      if (scale === undefined || isKey(id, relation, linked)) continue;
      const extra = words.length - scale.words.length;
      const cost = (extra > 0 ? PARTIAL_SCALE : 0) + 0.01 * place + (kind === 'text' ? 0.1 : 0);
      found.push({ at: relation, anchor: relation, attribute: id, end: scale.end, cost });
    }
  }
  return found.length === 0 && isMoment
    ? onlyTime(parent.anchor, scales[0]?.end ?? 'high', linked)
    : withoutCosts(found, linked);
}

/** What something costs is its price: what it has cost whoever sells it is meant only where there is no price. */
function withoutCosts(found: readonly Candidate[], { index }: LinkedCatalog): Candidate[] {
  const named =
    (word: string) =>
    ({ attribute }: Candidate): boolean =>
      nameWords(index.attribute(attribute ?? '')?.name ?? '').includes(lemma(word));
  return found.filter(
    (one) => !named('cost')(one) || !found.some((other) => other.at === one.at && named('price')(other)),
  );
}

/** The one time that a relation has, whatever it is called. */
function onlyTime(relation: RelationId, end: 'high' | 'low', linked: LinkedCatalog): Candidate[] {
  const times = linked.index
    .attributesOf(relation)
    .filter(({ id, name }) => attributeClass(id, linked) === 'time' && !BIRTH.test(name));
  const certain = times.filter(({ id }) => linked.index.isNotNull(id));
  const [only, second] = times.length > 1 ? certain : times;
  if (only === undefined || second !== undefined) return [];
  return [{ at: relation, anchor: relation, attribute: only.id, end, cost: PARTIAL_SCALE }];
}

/** Numbers that only tell rows from each other measure nothing. */
function isKey(id: AttributeId, relation: RelationId, { index }: LinkedCatalog): boolean {
  return (
    (index.primaryKey(relation)?.attributes.includes(id) ?? false) ||
    index.foreignKeysFrom(relation).some((key) => key.pairs.some((pair) => pair.from === id))
  );
}

/** One row has one such attribute: an old team is no team of old players. */
function isOfOneRow(from: RelationId, to: RelationId, linked: LinkedCatalog): boolean {
  return linked.graph.routes(from, to)[0]?.every(({ functional }) => functional) ?? false;
}

/** `height_cm` measures the height. */
function withoutUnit(words: readonly string[]): readonly string[] {
  return words.length > 1 && UNIT_ENDINGS.has(words[words.length - 1] ?? '') ? words.slice(0, -1) : words;
}

function endsWith(words: readonly string[], ending: readonly string[]): boolean {
  const tail = words.slice(-ending.length);
  const head = words.slice(0, ending.length);
  const same = (part: readonly string[]): boolean =>
    part.length === ending.length && part.every((word, place) => word === ending[place]);
  return same(tail) || same(head);
}

/**
 * Amounts that add up over the rows of whoever spent them: of the nearest relations that hold many rows for one of the
 * parent's. A nearer amount is meant rather than one further away, whatever they are called.
 */
export function amountCandidates(
  dimension: Dimension,
  parent: Candidate | undefined,
  linked: LinkedCatalog,
): Candidate[] {
  if (parent === undefined) return [];
  const wanted = dimension.scales.map(({ noun }) => lemmas(noun));
  const found: (Candidate & { readonly distance: number })[] = [];
  for (const [relation, distance] of linked.graph.reach(parent.anchor)) {
    const isOwn = relation === parent.anchor && parent.attribute !== undefined && parent.value === undefined;
    if (!isOwn && !holdsMany(parent.anchor, relation, linked)) continue;
    const names = linked.index
      .attributesOf(relation)
      .filter(({ id }) => attributeClass(id, linked) === 'number' && !isKey(id, relation, linked))
      .map(({ id, name }) => ({ id, words: nameWords(name) }));
    const single = names.find(({ words }) => wanted.some((ending) => endsWith(words, ending)));
    const base = { at: relation, anchor: relation, end: 'high', distance } as const;
    if (single !== undefined) found.push({ ...base, attribute: single.id, cost: 0.05 });
    else for (const pair of factors(names)) found.push({ ...base, attribute: pair[0], factor: pair[1], cost: PRODUCT });
  }
  const nearest = Math.min(...found.map(({ distance }) => distance));
  return found.filter(({ distance }) => distance === nearest).map(({ distance: _, ...candidate }) => candidate);
}

/**
 * Along the first way there, each step back can meet many rows, and no step leaves the rows of the parent for those of
 * others.
 */
function holdsMany(from: RelationId, to: RelationId, linked: LinkedCatalog): boolean {
  const route = linked.graph.routes(from, to)[0] ?? [];
  return route.length > 0 && route.every(({ direction }) => direction === 'backward');
}

function factors(
  names: readonly { readonly id: AttributeId; readonly words: readonly string[] }[],
): (readonly [AttributeId, AttributeId])[] {
  const named = (wanted: string): AttributeId | undefined =>
    names.find(({ words }) => words.join(' ') === lemmas(wanted).join(' '))?.id;
  for (const [count, price] of AMOUNT_FACTORS) {
    const first = named(count);
    const second = named(price);
    if (first !== undefined && second !== undefined) return [[first, second]];
  }
  return [];
}

function lemmas(noun: string): string[] {
  return noun.split(' ').map(lemma);
}
