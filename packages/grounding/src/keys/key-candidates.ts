import type { Attribute, AttributeId, Catalog, Relation, SchemaIndex } from '@askema/core';
import { isComparable } from '../explore/column-profile.ts';
import { splitWords } from '../words/split-words.ts';

/** A foreign key that names suggest. */
export interface KeyCandidate {
  readonly from: Attribute;
  readonly to: Attribute;
  /** How much the names say, 0 to 1. */
  readonly likeness: number;
}

/** Words by which a name says that it is a key. Alone they say of what only together with their relation. */
const KEY_WORDS: ReadonlySet<string> = new Set(['id', 'code', 'key', 'no', 'num', 'nr', 'number', 'uid', 'uuid', 'pk']);

/** Words of relation names that say nothing of what stands in them. */
const RELATION_NOISE: ReadonlySet<string> = new Set([
  'tbl',
  'table',
  'ref',
  'dim',
  'fact',
  'list',
  'data',
  'detail',
  'info',
  'lookup',
  'master',
  'raw',
  'stg',
  'v',
  'vw',
]);

/** `hero_id` of `superhero`: shorter ends of one word fit by chance. */
const LEAST_TAIL = 4;

/** Relations that one attribute may point to; where more have the name, it says nothing. */
const MAX_TARGETS = 8;

/** What can be pointed at: a relation's key of one attribute. */
interface Target {
  readonly relation: Relation;
  readonly key: Attribute;
  readonly names: readonly TargetName[];
}

/** A name, squashed, that an attribute pointing there may have, and how much it says. */
interface TargetName {
  readonly text: string;
  readonly likeness: number;
  /** Whether words may stand in front of it: `billing_address_id`. */
  readonly isTail: boolean;
  /** The name of the relation alone: its plural is a count or a list, and points nowhere. */
  readonly isSingular?: true;
}

/**
 * The foreign keys that names suggest, best first for each attribute. An attribute points to the key of another
 * relation, or of its own, where it has the name of that key (`customer_id`), the name of that relation with its key
 * (`customer_id` or `customer` for `customers.id`), or one of these behind other words (`billing_customer_id`).
 * Attributes of declared foreign keys are left out. Linear in the attributes.
 */
export function keyCandidates(catalog: Catalog, index: SchemaIndex): readonly KeyCandidate[] {
  const targets = findTargets(catalog, index);
  const byName = new Map<string, { readonly target: Target; readonly name: TargetName }[]>();
  for (const target of targets)
    for (const name of target.names) {
      const group = byName.get(name.text) ?? [];
      byName.set(name.text, group);
      group.push({ target, name });
    }
  const keys = new Set(
    targets.filter(({ key }) => !declaresKeys(catalog) || isWholeKey(index, key)).map(({ key }) => key.id),
  );
  return pointers(catalog, index).flatMap((from) => {
    const best = new Map<AttributeId, KeyCandidate>();
    for (const { text, weight, isTail } of namesOf(splitWords(from.name)))
      for (const { target, name } of byName.get(text) ?? []) {
        if ((isTail && !name.isTail) || target.key.id === from.id || !canCompare(from, target.key)) continue;
        if (!canPoint(from, target, { isTail, isKey: keys.has(from.id) }, index)) continue;
        if (name.isSingular && isPlural(from.name)) continue;
        const likeness = name.likeness * weight;
        if ((best.get(target.key.id)?.likeness ?? 0) < likeness)
          best.set(target.key.id, { from, to: target.key, likeness });
      }
    const found = [...best.values()].sort((one, other) => other.likeness - one.likeness);
    return found.length > MAX_TARGETS ? [] : found;
  });
}

/** Attributes that may be foreign keys that nobody declared. A view has those of its tables, and is costly to read. */
export function pointers({ schema, attributes, relations }: Catalog, index: SchemaIndex): readonly Attribute[] {
  const isRead = (relation: string): boolean =>
    relations[relation]?.kind !== 'view' && relations[relation]?.remote !== true;
  return schema.attributes.filter(
    (attribute) =>
      isRead(attribute.relation) && !isDeclared(index, attribute) && isComparable(attribute, attributes[attribute.id]),
  );
}

/** True for `customer_id` and `AirportCode`. */
export function isNamedLikeKey({ name }: Attribute): boolean {
  return KEY_WORDS.has(splitWords(name).at(-1) ?? '');
}

/**
 * To its own relation an attribute points only behind other words. A key points only to the relation whose name it
 * begins with: two relations with keys of one name may as well be unrelated.
 */
function canPoint(
  from: Attribute,
  { relation }: Target,
  { isTail, isKey }: { readonly isTail: boolean; readonly isKey: boolean },
  index: SchemaIndex,
): boolean {
  if (from.relation === relation.id) return isTail;
  if (!isKey) return true;
  const name = splitWords(from.name).join('');
  const begins = (other: Relation | undefined): boolean => name.startsWith(relationWords(other?.name ?? '').join(''));
  return !isTail && begins(relation) && !begins(index.relation(from.relation));
}

/** Numbers are kept as texts now and then. */
function canCompare(one: Attribute, other: Attribute): boolean {
  return one.type === other.type || [one.type, other.type].every((type) => type === 'TEXT' || type === 'NUMERIC');
}

function isPlural(name: string): boolean {
  return name.toLowerCase().endsWith('s') && splitWords(name).at(-1)?.endsWith('s') === false;
}

/** The squashed forms of a name under which targets are looked up: whole, and each of its tails. */
function namesOf(
  words: readonly string[],
): { readonly text: string; readonly weight: number; readonly isTail: boolean }[] {
  const forms = [{ text: words.join(''), weight: 1, isTail: false }];
  for (let at = 1; at < words.length; at += 1) {
    const tail = words.slice(at);
    forms.push({ text: tail.join(''), weight: 0.9, isTail: true });
  }
  return forms;
}

function findTargets(catalog: Catalog, index: SchemaIndex): readonly Target[] {
  return catalog.schema.relations.flatMap((relation) => {
    if (catalog.relations[relation.id]?.remote === true) return [];
    const keys = declaresKeys(catalog) ? declaredKeys(index, relation) : keyByName(index, relation);
    return keys
      .filter((key) => isComparable(key, catalog.attributes[key.id]))
      .map((key) => ({ relation, key, names: targetNames(relation, key) }));
  });
}

function declaresKeys({ schema }: Catalog): boolean {
  return schema.primaryKeys.length > 0;
}

/** The key of one attribute, and other attributes that are unique and named like a key or like their relation. */
function declaredKeys(index: SchemaIndex, relation: Relation): readonly Attribute[] {
  const own = relationWords(relation.name).join('');
  return index.attributesOf(relation.id).filter((attribute) => {
    if (isWholeKey(index, attribute)) return true;
    const isNamed = isNamedLikeKey(attribute) || splitWords(attribute.name).join('').startsWith(own);
    return isNamed && index.isUnique(attribute.id);
  });
}

/** Where no relation declares a key, as files of data do not: the one attribute that is named like one. */
function keyByName(index: SchemaIndex, relation: Relation): readonly Attribute[] {
  const own = relationWords(relation.name).join('');
  const named = index.attributesOf(relation.id).filter(({ name }) => {
    const text = splitWords(name).join('');
    return text === 'id' || [...KEY_WORDS].some((word) => text === own + word);
  });
  return named.length === 1 ? named : [];
}

function targetNames(relation: Relation, key: Attribute): readonly TargetName[] {
  const own = relationWords(relation.name);
  const words = splitWords(key.name);
  const keyName = words.join('');
  const isBare = words.length === 1 && KEY_WORDS.has(keyName);
  const names: TargetName[] = [];
  const ending = words.at(-1) ?? '';
  // The relation that the key is named after comes before others whose key has that name.
  if (!isBare)
    names.push({ text: keyName, likeness: keyName.startsWith(own.join('')) ? 1 : 0.95, isTail: words.length > 1 });
  names.push({ text: own.join('') + keyName, likeness: 0.98, isTail: true });
  names.push({ text: own.join(''), likeness: 0.9, isTail: true, isSingular: true });
  // `uid` of `users`.
  if (keyName === `${own[0]?.[0]}id`) names.push({ text: `${own.join('')}id`, likeness: 0.95, isTail: true });
  if (!isBare && KEY_WORDS.has(ending)) names.push({ text: own.join('') + ending, likeness: 0.95, isTail: true });
  // The last word of a relation alone: `channel_id` of `tv_channel`, `hero_id` of `superhero`.
  const last = own.at(-1) ?? '';
  const endings = KEY_WORDS.has(ending) ? [ending, ''] : [''];
  if (own.length > 1) for (const end of endings) names.push({ text: last + end, likeness: 0.7, isTail: false });
  for (let at = 1; at <= last.length - LEAST_TAIL; at += 1)
    for (const end of endings) if (end !== '') names.push({ text: last.slice(at) + end, likeness: 0.6, isTail: false });
  return names;
}

function relationWords(name: string): readonly string[] {
  const words = splitWords(name);
  const kept = words.filter((word) => !RELATION_NOISE.has(word));
  return kept.length > 0 ? kept : words;
}

export function isWholeKey(index: SchemaIndex, { id, relation }: Attribute): boolean {
  const key = index.primaryKey(relation)?.attributes ?? [];
  return key.length === 1 && key[0] === id;
}

function isDeclared(index: SchemaIndex, { id, relation }: Attribute): boolean {
  return index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === id));
}
