import type { Attribute, AttributeId, RelationId } from '@askema/core';
import { splitWords } from '@askema/grounding';
import type { CheckedCatalog } from './checked-catalog.ts';

/** An attribute that is named like a reference to the key of another relation, though no foreign key says so. */
export interface NamedReference {
  readonly relation: RelationId;
  readonly from: AttributeId;
  readonly target: RelationId;
  readonly to: AttributeId;
}

/** Words at the end of a name that say that it identifies something. */
const IDENTIFIERS: readonly string[] = [
  'id',
  'code',
  'key',
  'no',
  'nr',
  'num',
  'number',
  'uid',
  'uuid',
  'pk',
  'fk',
  'ref',
  'reference',
  '编号',
  '号',
];

/** Shorter stems name too much. */
const LEAST_CHARACTERS = 2;

interface Target {
  readonly relation: RelationId;
  readonly key: Attribute;
  /** Names of attributes that mean this key, without separators. */
  readonly whole: ReadonlySet<string>;
  /** Those that may also stand behind another word: `billing_address_id`. */
  readonly endings: ReadonlySet<string>;
  /** The relation's name, without separators. */
  readonly name: string;
}

/**
 * Attributes that by their names refer to a key of one attribute, and have its type: `customer_id` to `customers.id`,
 * `current_address_id` to `Addresses.address_id`, `CountryCode` to `country.Code`, `airline` to `airlines.uid`.
 * Attributes that are in a foreign key already are left out, and so are keys that merely share a name. At most one
 * target each: the one whose relation is named, else the first.
 */
export function namedReferences({ index, catalog, tables }: CheckedCatalog): readonly NamedReference[] {
  const targets = tables.flatMap((relation) => targetOf(relation));
  const byName = new Map<string, Target[]>();
  for (const target of targets)
    for (const name of target.whole) byName.set(name, [...(byName.get(name) ?? []), target]);
  const declared = new Set(catalog.schema.foreignKeys.flatMap(({ pairs }) => pairs.map(({ from }) => from)));
  return tables.flatMap((relation) =>
    index.attributesOf(relation).flatMap((attribute) => {
      const found = declared.has(attribute.id) ? undefined : targetFor(attribute);
      return found === undefined ? [] : [{ relation, from: attribute.id, target: found.relation, to: found.key.id }];
    }),
  );

  function targetOf(relation: RelationId): readonly Target[] {
    const key = index.primaryKey(relation)?.attributes ?? [];
    const attribute = key.length === 1 ? index.attribute(key[0] ?? '') : undefined;
    const name = squash(index.relation(relation)?.name ?? '');
    if (attribute === undefined || name.length < LEAST_CHARACTERS) return [];
    const keyName = squash(attribute.name);
    const words = splitWords(attribute.name);
    const isBare = words.length === 1 && IDENTIFIERS.includes(words[0] ?? '');
    const endings = new Set(IDENTIFIERS.map((ending) => name + ending));
    if (!isBare && isIdentifier(words)) endings.add(keyName);
    return [{ relation, key: attribute, name, endings, whole: new Set([...endings, name]) }];
  }

  function targetFor(attribute: Attribute): Target | undefined {
    const words = splitWords(attribute.name);
    const isKey = index.primaryKey(attribute.relation)?.attributes.join() === attribute.id;
    const own = squash(index.relation(attribute.relation)?.name ?? '');
    for (let from = 0; from < words.length; from += 1) {
      const ending = words.slice(from).join('');
      const fitting = (byName.get(ending) ?? []).filter(
        ({ relation, key, endings, name }) =>
          key.id !== attribute.id &&
          key.type === attribute.type &&
          (from === 0 || endings.has(ending)) &&
          // A key of the same name is a reference only where it is called after the other relation, and not after its
          // own.
          (!isKey || (ending.startsWith(name) && !(own !== '' && ending.startsWith(own)))) &&
          (relation !== attribute.relation || from > 0),
      );
      const named = fitting.find(({ name }) => ending.startsWith(name));
      if (named !== undefined || fitting[0] !== undefined) return named ?? fitting[0];
    }
    return undefined;
  }
}

function isIdentifier(words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  return IDENTIFIERS.some((ending) => last === ending || (words.length === 1 && last.endsWith(ending)));
}

/**
 * True for an attribute whose name says that it identifies a row of its own relation: `id`, `customer_id` in
 * `customers`.
 */
export function isOwnIdentifier(attribute: string, relation: string): boolean {
  const name = squash(attribute);
  const own = squash(relation);
  return name === 'id' || name === 'uid' || name === 'uuid' || (own !== '' && name === `${own}id`);
}

function squash(name: string): string {
  return splitWords(name).join('');
}
