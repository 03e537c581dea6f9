import type { AttributeId, ForeignKey, RelationId } from '@askema/core';
import { MONEY_NOUNS } from '../lexicon/figures.ts';
import { displayAttributes } from '../link/display.ts';
import { findFigures } from '../link/figures.ts';
import type { LinkedCatalog } from '../link/lattice.ts';
import type { TermLink, TermMention, ValueLink } from '../link/links.ts';
import { stems } from '../tokenise/lemma.ts';
import { splitName } from '../tokenise/split-name.ts';
import { attributeClass, BIRTH, isYear } from './attribute-class.ts';
import { amountCandidates, dimensionCandidates } from './dimension-candidates.ts';
import type { Slot } from './slots.ts';

/** What a slot may denote. `at` is near the parent; children are near `anchor`. */
export interface Candidate {
  readonly at: RelationId;
  readonly anchor: RelationId;
  readonly cost: number;
  readonly attribute?: AttributeId | undefined;
  /** Multiplied with the attribute: unit price with quantity. */
  readonly factor?: AttributeId | undefined;
  /** No column is called so: it is added up, and never listed. */
  readonly isFigure?: boolean | undefined;
  /** The key by which `anchor` is reached from `at`. */
  readonly role?: ForeignKey | undefined;
  /** The name by which people know an entity: one attribute, or first and last name. */
  readonly display?: readonly AttributeId[] | undefined;
  /** All attributes of the entity. */
  readonly everything?: boolean | undefined;
  readonly value?: string | undefined;
  /** Of a dimension: which end of the attribute the adjective means. */
  readonly end?: 'high' | 'low' | undefined;
}

/** Denotations of one slot that are tried at most. */
const MAX_CANDIDATES = 10;
/** What stands alone is rather an entity than an attribute of one. */
const NO_ENTITY = 0.1;
const OTHER_ATTRIBUTE = 0.9;
const KEY_VALUE = 0.15;
const ONE_STEP = 0.15;
const FURTHER = 0.5;
const RATHER_ENTITY = 0.15;
const OWNED_BY_ATTRIBUTE = 0.35;
const ENTITY_OF_ATTRIBUTE = 1;
const TEXT_AS_NUMBER = 0.25;
const TIME_AS_NUMBER = 0.3;
/** What a name costs of which the last word was left out. */
const DROPPED_ENDING = 0.25;
const NOT_THE_NAME = 0.1;
const AMOUNT_OF_ROWS = 0.05;

/** The denotations of a slot, given that of its parent, cheapest first. */
export function candidatesOf(slot: Slot, parent: Candidate | undefined, linked: LinkedCatalog): readonly Candidate[] {
  const found = besideOwn(slot, near(rawCandidates(slot, parent, linked), parent, linked), parent, linked);
  return found.sort((a, b) => a.cost - b.cost).slice(0, MAX_CANDIDATES);
}

/** A group by `country` of orders that have a `Ship Country` is rather not that of their customers: both are asked. */
function besideOwn(
  slot: Slot,
  found: Candidate[],
  parent: Candidate | undefined,
  { index }: LinkedCatalog,
): Candidate[] {
  if (slot.kind !== 'phrase' || slot.usage !== 'group' || parent === undefined) return found;
  const last = (id: AttributeId | undefined): string => splitName(index.attribute(id ?? '')?.name ?? '').at(-1) ?? '';
  const own = found.filter((one) => isAttribute(one) && one.at === parent.anchor && one.role === undefined);
  return found.map((one) => {
    const near = own.find(({ attribute }) => last(attribute) === last(one.attribute));
    return isAttribute(one) && one.at !== parent.anchor && near !== undefined && near.cost > one.cost
      ? { ...one, cost: near.cost }
      : one;
  });
}

/** Adds what it costs to be far from the parent; out of reach is out. */
function near(candidates: readonly Candidate[], parent: Candidate | undefined, linked: LinkedCatalog): Candidate[] {
  if (parent === undefined)
    return candidates.map((candidate) =>
      candidate.attribute === undefined ? candidate : { ...candidate, cost: candidate.cost + NO_ENTITY },
    );
  const reach = linked.graph.reach(parent.anchor);
  return candidates.flatMap((candidate) => {
    const distance = reach.get(candidate.at);
    return distance === undefined
      ? []
      : [{ ...candidate, cost: candidate.cost + (isAttribute(candidate) ? distance : flattened(distance)) }];
  });
}

/** Of entities and cells the first step away counts most; attributes are looked for nearby. */
function flattened(distance: number): number {
  return Math.min(distance, ONE_STEP) + Math.max(0, distance - ONE_STEP) * FURTHER;
}

function rawCandidates(slot: Slot, parent: Candidate | undefined, linked: LinkedCatalog): Candidate[] {
  switch (slot.kind) {
    case 'phrase':
      return [
        ...meaningfulLinks(slot.head.links, slot.usage).flatMap((link) => phraseCandidate(link, slot, linked)),
        ...genericCandidates(slot.head, slot.usage, parent, linked),
      ].map((candidate) => ({ ...candidate, cost: candidate.cost + ofAttribute(slot, parent, candidate) }));
    case 'cell':
      return behindOfRole(slot, parent) ? [] : cellCandidates(slot, parent, linked);
    case 'dimension':
      return slot.summed ? amountCandidates(slot.dimension, parent, linked) : dimensionCandidates(slot, parent, linked);
    case 'time':
      return timeCandidates(slot, parent, linked);
    case 'verb':
      return slot.verb.links.map(fromLink);
  }
}

/** True for a denotation that is an attribute, not a cell or an entity. */
function isAttribute(candidate: Candidate): boolean {
  return candidate.attribute !== undefined && candidate.value === undefined;
}

/**
 * Where a relation is called just so, an attribute that is only nearly called so is not meant; where rows are counted,
 * hardly any.
 */
function meaningfulLinks(links: readonly TermLink[], usage: string): readonly TermLink[] {
  const named = links.some((link) => link.kind === 'relation' && link.cost < 0.05);
  if (!named) return links;
  const entity = usage === 'entity' || usage === 'counted';
  return links
    .filter((link) => link.kind === 'relation' || link.cost < 0.2)
    .map((link) => (link.kind === 'relation' || !entity ? link : { ...link, cost: link.cost + RATHER_ENTITY }));
}

/** "the capacity of the country", where the country is an attribute itself: attributes own nothing but their name. */
function ofAttribute(
  slot: Extract<Slot, { kind: 'phrase' }>,
  parent: Candidate | undefined,
  candidate: Candidate,
): number {
  const owned = slot.parent?.kind === 'phrase' && slot.phrase.owner === slot.parent.phrase && !slot.parent.phrase.each;
  if (!owned || parent === undefined || !isAttribute(parent) || candidate.attribute === parent.attribute) return 0;
  return candidate.attribute === undefined ? ENTITY_OF_ATTRIBUTE : OWNED_BY_ATTRIBUTE;
}

function fromLink(link: TermLink): Candidate {
  const { relation, cost } = link;
  if (link.kind === 'relation') return { at: relation, anchor: relation, cost };
  if (link.kind === 'attribute') {
    const { attribute, factor, isFigure } = link;
    return { at: relation, anchor: relation, attribute, factor, isFigure, cost };
  }
  return { at: relation, anchor: link.foreignKey.target, role: link.foreignKey, cost };
}

/** "total donations": what they come to, where the rows hold one amount of money. */
function amountOf({ at, role, cost }: Candidate, { vocabulary }: LinkedCatalog): Candidate[] {
  if (role !== undefined) return [];
  return findFigures(vocabulary)
    .money.filter(({ relation }) => relation === at)
    .map((link) => ({ ...fromLink(link), cost: cost + AMOUNT_OF_ROWS }));
}

function phraseCandidate(
  link: TermLink,
  { usage, head: { text } }: Extract<Slot, { kind: 'phrase' }>,
  linked: LinkedCatalog,
): Candidate[] {
  const candidate = fromLink(link);
  if (usage !== 'number') return [candidate];
  if (candidate.attribute === undefined) return MONEY_NOUNS.test(text) ? amountOf(candidate, linked) : [];
  const kind = attributeClass(candidate.attribute, linked);
  // "the largest order" is no date, unless the question says so.
  if (kind === 'time' && link.cost >= DROPPED_ENDING) return [{ ...candidate, cost: candidate.cost + TIME_AS_NUMBER }];
  if (kind === 'number' || kind === 'any' || kind === 'time') return [candidate];
  return kind === 'text' ? [{ ...candidate, cost: candidate.cost + TEXT_AS_NUMBER }] : [];
}

/** "name", "id" and "details" of the entity that they belong to. */
function genericCandidates(
  head: TermMention,
  usage: string,
  parent: Candidate | undefined,
  linked: LinkedCatalog,
): Candidate[] {
  if (parent === undefined || head.generic === undefined || usage === 'number') return [];
  const { anchor } = parent;
  const base = { at: anchor, anchor };
  if (isAttribute(parent)) return head.generic === 'name' ? [{ ...base, attribute: parent.attribute, cost: 0.02 }] : [];
  if (head.generic === 'details') return usage === 'output' ? [{ ...base, everything: true, cost: 0.1 }] : [];
  if (head.generic === 'id') {
    const key = linked.index.primaryKey(anchor)?.attributes ?? [];
    return key.length === 1 && key[0] !== undefined ? [{ ...base, attribute: key[0], cost: 0.03 }] : [];
  }
  const display = displayAttributes(anchor, linked.catalog, linked.index);
  if (display === undefined || display[0] === undefined) return [];
  if (display.length > 1) return usage === 'output' ? [{ ...base, display, cost: 0.05 }] : [];
  return [{ ...base, attribute: display[0], cost: 0.06 }];
}

/** "the manager of Uma" is not a manager called Uma. */
function behindOfRole(slot: Extract<Slot, { kind: 'cell' }>, parent: Candidate | undefined): boolean {
  return parent?.role !== undefined && slot.parent?.kind === 'phrase' && slot.parent.phrase.valuesBehindOf === true;
}

function cellCandidates(
  slot: Extract<Slot, { kind: 'cell' }>,
  parent: Candidate | undefined,
  linked: LinkedCatalog,
): Candidate[] {
  return slot.operand.mention.links.map((link) => {
    const base = { at: link.relation, anchor: link.relation, attribute: link.attribute, value: link.value };
    return { ...base, cost: link.cost + besideParent(link, slot.beside, parent, linked) };
  });
}

/** A cell beside an attribute belongs to that attribute; beside an entity rather to its name. */
function besideParent(
  { attribute, relation }: ValueLink,
  beside: boolean,
  parent: Candidate | undefined,
  linked: LinkedCatalog,
): number {
  if (parent === undefined) return 0;
  // The key that the question names holds the value itself: no way through the other relation is needed.
  if (parent.role !== undefined && linked.index.primaryKey(parent.anchor)?.attributes.includes(attribute))
    return KEY_VALUE;
  if (beside && isAttribute(parent)) return parent.attribute === attribute ? 0 : OTHER_ATTRIBUTE;
  const display = displayAttributes(relation, linked.catalog, linked.index) ?? [];
  return display.includes(attribute) ? 0 : NOT_THE_NAME;
}

/** The time of an order is when it was ordered, rather than when it was shipped. */
function isOwnMoment(name: string, parent: Candidate, { index }: LinkedCatalog): boolean {
  const named = parent.value === undefined ? index.attribute(parent.attribute ?? '')?.name : undefined;
  const own = new Set([index.relation(parent.anchor)?.name ?? '', named ?? ''].flatMap(splitName).flatMap(stems));
  return splitName(name)
    .flatMap(stems)
    .some((form) => own.has(form));
}

/** What is there from the start tells the time of a thing, rather than what follows, or may not have come. */
function isLater(id: AttributeId, name: string, { index }: LinkedCatalog): boolean {
  return !index.isNotNull(id) || splitName(name).some((word) => LATER.has(word));
}

const LATER: ReadonlySet<string> = new Set(
  'due end ended ends expiry expires expiration until next return returned closed updated modified deadline checkout finish finished'.split(
    ' ',
  ),
);

/** Dates, times and years near the parent; the parent itself, when it is one. */
function timeCandidates(
  slot: Extract<Slot, { kind: 'time' }>,
  parent: Candidate | undefined,
  linked: LinkedCatalog,
): Candidate[] {
  if (parent === undefined) return [];
  const fits = (id: AttributeId): boolean =>
    attributeClass(id, linked) === 'time' || (slot.wholeYear && isYear(id, linked));
  const relation = parent.anchor;
  if (parent.attribute !== undefined && parent.value === undefined && fits(parent.attribute))
    return [{ at: relation, anchor: relation, attribute: parent.attribute, cost: 0 }];
  return linked.index
    .attributesOf(relation)
    .filter(({ id, name }) => fits(id) && !BIRTH.test(name))
    .map(({ id, name }) => ({
      at: relation,
      anchor: relation,
      attribute: id,
      cost: isOwnMoment(name, parent, linked) ? 0.03 : isLater(id, name, linked) ? 0.18 : 0.1,
    }));
}
