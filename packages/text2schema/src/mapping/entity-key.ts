import { attributeClosure, type FunctionalDependency, synthesize3NF } from '@askema/normal-form';
import { isKeyName, keyLikeAttributes } from '../conceptual/key-name.ts';
import { type ChosenKey, chooseKey } from './choose-key.ts';
import type { DesignEntity } from './read-model.ts';
import { type ReadDependencies, unique } from './set-names.ts';

/** Where the key of an entity set comes from. */
type KeyOrigin =
  /** The dependencies, or a preferred key. */
  | 'proposal'
  /** No dependencies: an attribute that reads like a key. */
  | 'name'
  /** No dependencies, and nothing reads like a key: all attributes. */
  | 'nothing';

/** The key of an entity set, in ids of attributes (`a0`) and of connected entity sets (`r2.1`). */
export interface EntityKey {
  readonly attributes: readonly string[];
  /** Those of the proposal, and those that were assumed. */
  readonly dependencies: readonly FunctionalDependency[];
  readonly key: readonly string[];
  readonly chosen: ChosenKey;
  readonly origin: KeyOrigin;
  /** Attributes that were assumed to depend on the key. */
  readonly undetermined: readonly string[];
  /** Connected entity sets whose keys stand in this set, whatever becomes of the relationship set. */
  readonly references: readonly string[];
}

/**
 * Finds the key of an entity set from its dependencies. Connected entity sets count where dependencies or the preferred
 * key name them; they identify it where the left sides need them (weak entity sets). What is in no dependency is taken
 * to depend on the key. `connected` are the ids of entity sets of which there is one to each row; `cut` those that must
 * not stand in the key, because they lead back here.
 */
export function keyOfEntity(
  entity: DesignEntity,
  read: ReadDependencies,
  connected: readonly string[],
  cut: ReadonlySet<string>,
): EntityKey {
  const own = entity.attributes.map((_, index) => `a${index}`);
  const nameOf = (id: string): string => entity.attributes[own.indexOf(id)]?.name ?? '';
  const keep = (ids: readonly string[]): string[] => ids.filter((id) => !cut.has(id));
  const stated = read.dependencies
    .map(({ left, right }) => ({ left: keep(left), right: keep(right) }))
    .filter(({ left }) => left.length > 0);
  const preferred = keep(read.preferredKey);
  const needed = new Set([...preferred, ...stated.flatMap(({ left }) => left)]);
  const named = new Set([...needed, ...stated.flatMap(({ right }) => right)]);
  const owners = own.length === 0 ? keep(connected) : connected.filter((id) => needed.has(id));
  const others = own.length === 0 ? [] : connected.filter((id) => named.has(id) && !needed.has(id));
  const attributes = [...owners, ...own, ...others];
  const likely = likelyKey(entity, own);
  const dependencies: FunctionalDependency[] = [...stated];
  let origin: KeyOrigin = 'proposal';
  let undetermined: readonly string[] = [];
  const says = preferred.length > 0 || stated.some(({ left, right }) => right.some((id) => !left.includes(id)));
  if (!says) {
    origin = likely === undefined ? 'nothing' : 'name';
    if (likely !== undefined) dependencies.push({ left: [likely], right: attributes.filter((id) => id !== likely) });
  } else {
    const unnamed = own.filter((id) => !named.has(id));
    if (stated.length === 0) {
      undetermined = attributes.filter((id) => !preferred.includes(id));
      dependencies.push({ left: preferred, right: undetermined });
    } else if (likely !== undefined && unnamed.includes(likely)) {
      undetermined = unnamed;
      dependencies.push({ left: [likely], right: attributes.filter((id) => id !== likely) });
    } else {
      dependencies.push(...impliedReferences(own, owners, stated, preferred));
      undetermined = unnamed;
      if (unnamed.length > 0) {
        const known = attributes.filter((id) => !unnamed.includes(id));
        const scheme = { name: entity.name, attributes: known, dependencies };
        dependencies.push({ left: chooseKey(scheme, preferred, () => false).key, right: unnamed });
      }
    }
  }
  const scheme = { name: entity.name, attributes, dependencies };
  const chosen = chooseKey(scheme, preferred, (id) => isKeyName(nameOf(id)));
  // The key must be one that a part keeps whole: others reference it.
  const main = attributes.length === 0 ? undefined : synthesize3NF(scheme, { preferredKey: chosen.key }).relations[0];
  const key = main?.key ?? [];
  return {
    attributes,
    dependencies,
    key,
    chosen,
    origin,
    undetermined,
    references: neededReferences(connected, attributes, dependencies, key),
  };
}

/** The attribute that reads most like the key of the set. */
function likelyKey(entity: DesignEntity, own: readonly string[]): string | undefined {
  const names = entity.attributes.map(({ name }) => name);
  const [likely] = keyLikeAttributes({ name: entity.name, attributes: names });
  return likely === undefined ? undefined : own[names.indexOf(likely)];
}

/**
 * An entity set on a left side identifies a row only where the own attributes do not: in `Class -> Room` of a student
 * who has a number of his own, the class follows from the number, because there is one class to each student.
 */
function impliedReferences(
  own: readonly string[],
  owners: readonly string[],
  stated: readonly FunctionalDependency[],
  preferred: readonly string[],
): FunctionalDependency[] {
  const open = owners.filter((id) => !preferred.includes(id) && !stated.some(({ right }) => right.includes(id)));
  if (open.length === 0) return [];
  const determined = new Set(stated.flatMap(({ left, right }) => right.filter((id) => !left.includes(id))));
  const start = own.filter((id) => !determined.has(id) && stated.some(({ left }) => left.includes(id)));
  const alone = stated.filter(({ left }) => left.every((id) => own.includes(id)));
  const reached = new Set(attributeClosure(start, alone));
  const named = own.filter((id) => start.includes(id) || determined.has(id));
  // What follows from a connected set without what identifies the row cannot count against the own attributes: it will
  // be a part of its own.
  const aside = (id: string): boolean => open.includes(id) || (own.includes(id) && !start.includes(id));
  const beside = new Set(stated.filter(({ left }) => left.every(aside)).flatMap(({ right }) => right));
  const whole = start.length > 0 && named.every((id) => reached.has(id) || beside.has(id));
  return whole && alone.length > 0 ? [{ left: start, right: open }] : [];
}

/** References in the key, on left sides, and on right sides of what does not determine the whole row anyway. */
function neededReferences(
  connected: readonly string[],
  attributes: readonly string[],
  dependencies: readonly FunctionalDependency[],
  key: readonly string[],
): readonly string[] {
  const wanted = new Set(key);
  for (const { left, right } of dependencies) {
    for (const id of left) wanted.add(id);
    const closure = new Set(attributeClosure(left, dependencies));
    if (!attributes.every((id) => closure.has(id))) for (const id of right) wanted.add(id);
  }
  return unique(connected.filter((id) => wanted.has(id)));
}
