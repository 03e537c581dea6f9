import { singularOf } from '../../../linking/surface-forms.ts';
import type { AttributeId, RelationId } from '../../../schema/schema.ts';
import type { SchemaIndex } from '../../../schema/schema-index.ts';

/** Key names that say nothing without the name of their relation. */
const BARE_NAMES: ReadonlySet<string> = new Set([
  'id',
  'code',
  'key',
  'number',
  'no',
  'nr',
  'num',
  'uid',
  'name',
  'pk',
]);

/** The attributes that an attribute refers to along foreign keys, any number of steps, with itself. */
export function referredAttributes(index: SchemaIndex, attribute: AttributeId): ReadonlySet<AttributeId> {
  const found = new Set([attribute]);
  for (const next of found) {
    const owner = index.attribute(next)?.relation;
    if (owner === undefined) continue;
    for (const key of index.foreignKeysFrom(owner))
      for (const { from, to } of key.pairs) if (from === next) found.add(to);
  }
  return found;
}

/** True when the values of both are those of one key: one refers to the other, or both to a third. */
export function sharesKey(index: SchemaIndex, left: AttributeId, right: AttributeId): boolean {
  const referred = referredAttributes(index, left);
  for (const attribute of referredAttributes(index, right)) if (referred.has(attribute)) return true;
  return false;
}

/** Relations that an attribute refers to by a foreign key of its own. */
export function targetsOf(index: SchemaIndex, attribute: AttributeId): readonly RelationId[] {
  const owner = index.attribute(attribute)?.relation;
  if (owner === undefined) return [];
  return index
    .foreignKeysFrom(owner)
    .filter(({ pairs }) => pairs.some(({ from }) => from === attribute))
    .map(({ target }) => target);
}

/** True when foreign keys of the relation or to it are declared at all. */
export function hasForeignKeys(index: SchemaIndex, relation: RelationId): boolean {
  return index.foreignKeysFrom(relation).length > 0 || index.foreignKeysTo(relation).length > 0;
}

/**
 * True when names alone make a join plausible, as where nobody declared keys: the same name, one that ends in the other
 * (`country_code`, `code`), or one with the name of the other's relation in it (`channel`, `tv_channel.id`). Two keys that are both called
 * `id`, or the like, say nothing.
 */
export function namesFit(index: SchemaIndex, left: AttributeId, right: AttributeId): boolean {
  const [a, b] = [left, right].map((id) => {
    const attribute = index.attribute(id);
    const relation = attribute === undefined ? undefined : index.relation(attribute.relation);
    return {
      name: squash(attribute?.name ?? ''),
      relation: singularOf(squash(relation?.name ?? '')),
      isKey: index.isUnique(id),
    };
  });
  if (a === undefined || b === undefined) return false;
  if (BARE_NAMES.has(a.name) && BARE_NAMES.has(b.name) && a.isKey && b.isKey) return false;
  if (a.name.endsWith(b.name) || b.name.endsWith(a.name)) return true;
  const stem = (name: string): string => singularOf(name.replace(/(?:id|code|key|no|num|number)$/, ''));
  const isStemOf = (one: string, other: string): boolean =>
    one.length > 2 && other.length > 2 && (other.endsWith(one) || one.endsWith(other));
  return (
    isStemOf(stem(a.name), b.relation) || isStemOf(stem(b.name), a.relation) || isStemOf(stem(a.name), stem(b.name))
  );
}

/** A reference that nobody declared, as its name gives it away: `flights.airline` and the key of `airlines`. */
export interface InferredPair {
  readonly from: AttributeId;
  readonly to: AttributeId;
}

/**
 * The one attribute of either relation that is called like the other relation, or like its key, and has the type of that key; where no
 * primary key is known, the one number that both have by the same name. Undefined where there is none, or several.
 */
export function inferredPair(index: SchemaIndex, left: RelationId, right: RelationId): InferredPair | undefined {
  const found: InferredPair[] = [];
  for (const [from, to] of [
    [left, right],
    [right, left],
  ] as const) {
    const key = index.primaryKey(to)?.attributes;
    const target = key?.length === 1 ? index.attribute(key[0] ?? '') : undefined;
    const relation = singularOf(squash(index.relation(to)?.name ?? ''));
    if (target === undefined || relation === '') continue;
    const keyName = squash(target.name);
    const names = new Set([relation, `${relation}id`, ...(BARE_NAMES.has(keyName) ? [relation + keyName] : [keyName])]);
    for (const { id, name, type } of index.attributesOf(from))
      if (type === target.type && names.has(squash(name)) && targetsOf(index, id).length === 0)
        found.push({ from: id, to: target.id });
  }
  if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  return sharedNumber(index, left, right);
}

/** Where no primary key tells: the only attribute that numbers something (`…id`) and is called the same in both relations. */
function sharedNumber(index: SchemaIndex, left: RelationId, right: RelationId): InferredPair | undefined {
  if (index.primaryKey(left) !== undefined && index.primaryKey(right) !== undefined) return undefined;
  const shared = index.attributesOf(left).flatMap((from) => {
    const name = squash(from.name);
    if (!name.endsWith('id') || BARE_NAMES.has(name)) return [];
    const to = index.attributesOf(right).find((other) => squash(other.name) === name && other.type === from.type);
    return to === undefined ? [] : [{ from: from.id, to: to.id }];
  });
  return shared.length === 1 ? shared[0] : undefined;
}

function squash(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
