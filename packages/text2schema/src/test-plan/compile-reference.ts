import type { Attribute, RelationId } from '@askema/core';
import { type CompileGround, foreignKeysOf, isReported, namesOf } from './compile-ground.ts';
import type { Target } from './compile-target.ts';
import { foldWords } from './fold-words.ts';

/** Keys that consist of foreign keys are followed so far. */
const MAX_KEY_DEPTH = 4;

/** What plans write for the key of a subject that has none in the report: `Author ID`. */
const ADDED_KEY = 'id';

/**
 * True when a cell of that (folded) name is the near side of a foreign key: `Customer`, `Customer ID`, and with a role
 * `Manager`, `Manager Employee ID` for the attribute `Manager ID`.
 */
export function refersTo(ground: CompileGround, attribute: Attribute, wanted: string, depth = 0): boolean {
  if (depth > MAX_KEY_DEPTH) return false;
  const near = foldWords(attribute.name);
  return foreignKeysOf(ground, attribute.id).some(({ target, pairs }) => {
    const pair = pairs.find(({ from }) => from === attribute.id);
    const far = pair === undefined ? undefined : ground.index.attribute(pair.to);
    if (far === undefined || isSameSource(ground, attribute.relation, target)) return false;
    const owners = namesOf(ground, target).map(foldWords);
    if (pairs.length === 1 && owners.includes(wanted)) return true;
    const key = foldWords(far.name);
    const keys = [key, ...owners.map((owner) => owner + key)];
    if (keys.slice(1).includes(wanted) || (key === wanted && isNameOfOwner(key, owners))) return true;
    const isAdded = pairs.length === 1 && !isReported(ground, far.name);
    if (isAdded && ground.report !== undefined && owners.some((owner) => owner + ADDED_KEY === wanted)) return true;
    if (rolesOf(near, key, owners).some((role) => isOfRole(role, wanted, keys, owners))) return true;
    return far.id !== attribute.id && refersTo(ground, far, wanted, depth + 1);
  });
}

/**
 * What stands before the referenced key in the name of a foreign key: `manager` of `manager_id` and of
 * `manager_employee_id`.
 */
function rolesOf(near: string, key: string, owners: readonly string[]): readonly string[] {
  const rest = owners.flatMap((owner) => (key.startsWith(owner) && key !== owner ? [key.slice(owner.length)] : []));
  const endings = [...owners.map((owner) => owner + key), key, ...owners, ...rest];
  const roles = endings.flatMap((ending) =>
    near.endsWith(ending) ? [near.slice(0, near.length - ending.length)] : [],
  );
  return roles.filter((role) => role !== '' && !owners.includes(role));
}

function isOfRole(role: string, wanted: string, keys: readonly string[], owners: readonly string[]): boolean {
  return wanted === role || [...keys, ...owners].some((ending) => wanted === role + ending);
}

/** `Customer ID` says whose key it is; `ID` does not. */
function isNameOfOwner(key: string, owners: readonly string[]): boolean {
  return owners.some((owner) => key.length > owner.length && key.startsWith(owner));
}

/**
 * `Order` in a row of `places` that stands in the order itself: its key. `Author ID`, where a designer added the key of
 * authors.
 */
export function ownKey(ground: CompileGround, target: Target, folded: string): Attribute | undefined {
  const key = singleKey(ground, target);
  if (key === undefined) return undefined;
  const owners = namesOf(ground, target.main).map(foldWords);
  const isAdded = ground.report !== undefined && !isReported(ground, key.name);
  return owners.includes(folded) || (isAdded && owners.some((owner) => owner + ADDED_KEY === folded)) ? key : undefined;
}

/** The key of the row in which a relationship of an entity set with itself stands, by the role that it has there. */
export function ownRole(ground: CompileGround, target: Target, folded: string): Attribute | undefined {
  const key = singleKey(ground, target);
  if (key === undefined || target.relationship === undefined) return undefined;
  const named = foldWords(target.relationship);
  const set = ground.conceptual?.relationshipSets.find(({ name }) => foldWords(name) === named);
  const owners = namesOf(ground, target.main).map(foldWords);
  const wanted = foldWords(key.name);
  const keys = [wanted, ...owners.map((owner) => owner + wanted)];
  const roles = (set?.participants ?? []).flatMap(({ entity, role }) =>
    role !== undefined && owners.includes(foldWords(entity)) ? [foldWords(role)] : [],
  );
  return roles.some((role) => isOfRole(role, folded, keys, owners)) ? key : undefined;
}

function singleKey({ index }: CompileGround, { main }: Target): Attribute | undefined {
  const key = index.primaryKey(main)?.attributes ?? [];
  return key.length === 1 && key[0] !== undefined ? index.attribute(key[0]) : undefined;
}

/** True for two parts of one decomposed set. */
export function isSameSource(ground: CompileGround, a: RelationId, b: RelationId): boolean {
  const source = ground.designed.get(a)?.source.set;
  return a !== b && source !== undefined && source === ground.designed.get(b)?.source.set;
}
