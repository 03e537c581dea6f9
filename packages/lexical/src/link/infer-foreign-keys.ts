import {
  type Attribute,
  type Catalog,
  type ForeignKey,
  foreignKeyId,
  type Relation,
  type SchemaIndex,
} from '@askema/core';
import { nameWords } from './vocabulary.ts';

/** Key names that only mean something together with the name of their relation. */
const BARE_KEY_NAMES: ReadonlySet<string> = new Set(['id', 'code', 'key', 'number', 'no', 'uid', 'name', 'pk']);

/**
 * Foreign keys that nobody declared: an attribute named like the one key attribute of another relation (`customer_id`,
 * or `customer_id` for `customers.id`, or an attribute called `airline` of the key's type), of the same data type,
 * without a declared key of its own. A name that fits the keys of two relations infers nothing. Where no relation at
 * all declares a key, `customer_id` of `customers` counts as one.
 */
export function inferForeignKeys(catalog: Catalog, index: SchemaIndex): readonly ForeignKey[] {
  const targets = keyTargets(catalog, index);
  const inferred: ForeignKey[] = [];
  const byName = new Map<string, readonly KeyTarget[]>();
  for (const attribute of catalog.schema.attributes) {
    let candidates = byName.get(attribute.name);
    if (candidates === undefined) {
      candidates = targets.get(squashed(attribute.name)) ?? [];
      byName.set(attribute.name, candidates);
    }
    // Of three targets one at most is the attribute's own relation.
    if (candidates.length === 0 || candidates.length > 2) continue;
    const others = candidates.filter(({ relation }) => relation.id !== attribute.relation);
    const [target] = others;
    if (target === undefined || others.length !== 1) continue;
    if (isWholeKey(index, attribute) && candidates.length > 1) continue;
    if (!sameType(catalog, attribute, target.key) || hasDeclaredKey(index, attribute)) continue;
    const pairs = [{ from: attribute.id, to: target.key.id }];
    inferred.push({
      id: foreignKeyId(attribute.relation, target.relation.id, pairs),
      relation: attribute.relation,
      target: target.relation.id,
      pairs,
    });
  }
  return inferred;
}

const squashed = (name: string): string => nameWords(name).join('');

interface KeyTarget {
  readonly relation: Relation;
  readonly key: Attribute;
}

/** What a key is called in a relation that declares none: `id`, or the name of the relation and one of these. */
const ID_NAMES: readonly string[] = ['id', 'key', 'code', 'number', 'no'];

/** The one attribute of the key of a relation. */
function declaredKey({ id: relation }: Relation, index: SchemaIndex): Attribute | undefined {
  const [only, second] = index.primaryKey(relation)?.attributes ?? [];
  return second === undefined ? index.attributesOf(relation).find(({ id }) => id === only) : undefined;
}

/**
 * Of a relation without a declared key, in a catalog that declares none at all, as files of data do not: the one that
 * is named like one.
 */
function keyByName(relation: Relation, index: SchemaIndex): Attribute | undefined {
  const own = squashed(relation.name);
  const names = new Set(['id', ...ID_NAMES.map((ending) => own + ending)]);
  const named = index.attributesOf(relation.id).filter(({ name }) => names.has(squashed(name)));
  return named.length === 1 ? named[0] : undefined;
}

/** By the squashed names that an attribute pointing there would have. */
function keyTargets(catalog: Catalog, index: SchemaIndex): Map<string, KeyTarget[]> {
  const targets = new Map<string, KeyTarget[]>();
  const keyNames = new Map<string, string>();
  const declaresKeys = catalog.schema.primaryKeys.length > 0;
  for (const relation of catalog.schema.relations) {
    const key = declaresKeys ? declaredKey(relation, index) : keyByName(relation, index);
    if (key === undefined) continue;
    let keyName = keyNames.get(key.name);
    if (keyName === undefined) {
      keyName = squashed(key.name);
      keyNames.set(key.name, keyName);
    }
    const own = BARE_KEY_NAMES.has(keyName) ? squashed(relation.name) : '';
    for (const name of own === '' ? [keyName] : [own + keyName, own]) {
      const group = targets.get(name);
      if (group === undefined) targets.set(name, [{ relation, key }]);
      else group.push({ relation, key });
    }
  }
  return targets;
}

/** Two relations whose keys have one and the same name may as well be unrelated. */
function isWholeKey(index: SchemaIndex, attribute: Attribute): boolean {
  const key = index.primaryKey(attribute.relation)?.attributes ?? [];
  return key.length === 1 && key[0] === attribute.id;
}

function sameType(catalog: Catalog, a: Attribute, b: Attribute): boolean {
  if (a.type !== b.type) return false;
  const isText = (id: string): boolean => /char|text|clob|string/iu.test(catalog.attributes[id]?.nativeType ?? '');
  return isText(a.id) === isText(b.id);
}

function hasDeclaredKey(index: SchemaIndex, attribute: Attribute): boolean {
  return index.foreignKeysFrom(attribute.relation).some((key) => key.pairs.some((pair) => pair.from === attribute.id));
}
