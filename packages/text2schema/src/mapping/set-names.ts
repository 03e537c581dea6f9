import type { FunctionalDependency } from '@askema/normal-form';
import { isBareName, keyLikeAttributes, keyStem } from '../conceptual/key-name.ts';
import { foldedName, hint, type NameLookup, quoted } from '../conceptual/name-lookup.ts';
import type { MappingReporter } from './mapping-codes.ts';
import type { DesignEntity, DesignSet } from './read-model.ts';

/** What a name in a dependency stands for: attributes and connected entity sets under opaque ids. */
export interface SetNames {
  readonly known: NameLookup<string>;
  /** Names of entity sets of which there are many to each. */
  readonly many: NameLookup<string>;
}

/** What the proposal says of a set, in ids. */
export interface ReadDependencies {
  readonly dependencies: readonly FunctionalDependency[];
  readonly preferredKey: readonly string[];
}

/** Names under which a dependency may call a connected entity set: its role, its name, and the names of its key. */
export function addEntityNames(
  lookup: NameLookup<string>,
  id: string,
  entity: DesignEntity,
  role: string | undefined,
  options: { readonly keyNames?: readonly string[] | undefined; readonly roleOnly?: boolean | undefined } = {},
): void {
  const own = keyLikeAttributes({ name: entity.name, attributes: entity.attributes.map(({ name }) => name) });
  const preferred = entity.proposed?.preferredKey ?? [];
  const keys = [...own, ...(preferred.length === 1 ? preferred : []), ...(options.keyNames ?? [])];
  if (role !== undefined) {
    lookup.add(role, id);
    for (const key of keys) {
      lookup.add(`${role} ${key}`, id);
      const stem = keyStem(key);
      if (stem === undefined) continue;
      const ending = key.slice(key.length - (foldedName(key).length - stem.length));
      lookup.add(`${role} ${ending.trim()}`, id);
    }
  }
  if (options.roleOnly === true) return;
  lookup.add(entity.name, id);
  for (const key of keys) {
    if (!isBareName(key)) lookup.add(key, id);
    lookup.add(`${entity.name} ${key}`, id);
  }
}

/** Resolves the dependencies and the preferred key of a set; reports and drops what does not exist. */
export function readDependencies(set: DesignSet, names: SetNames, add: MappingReporter): ReadDependencies {
  const dependencies: FunctionalDependency[] = [];
  const resolve = (name: string, where: string): string | undefined => {
    const id = names.known.find(name);
    if (id !== undefined) return id;
    const many = names.many.find(name);
    if (many !== undefined)
      add(
        'dependency-names-many',
        set.name,
        `${where} of ${quoted(set.name)} names ${quoted(name)}, of which there are many to one row of ${quoted(set.name)}.`,
        'State it for the relationship set between them; or, if there is only one, tell the conceptual designer that the cardinality is wrong.',
      );
    else
      add(
        'dependency-unknown-name',
        set.name,
        `${where} of ${quoted(set.name)} names ${quoted(name)}, which it does not have.${hint(names.known.nearest(name))}`,
        'Use the names of its attributes and of the entity sets (or roles) it is connected with.',
      );
    return undefined;
  };
  for (const { name } of set.proposed?.attributes ?? [])
    if (names.known.find(name) === undefined)
      add(
        'attribute-unknown',
        set.name,
        `${quoted(set.name)} has no attribute ${quoted(name)}.${hint(names.known.nearest(name))}`,
        'Use the names of the model. If an attribute is missing in it, tell the conceptual designer; keys of other sets come by themselves.',
      );
  for (const { left, right } of set.proposed?.dependencies ?? []) {
    const where = `The dependency ${left.join(', ')} -> ${right.join(', ')}`;
    if (left.length === 0) {
      add(
        'dependency-without-left',
        set.name,
        `${where} of ${quoted(set.name)} has nothing on its left side.`,
        'Write what determines the right side; a value that never changes needs no attribute.',
      );
      continue;
    }
    const from = left.map((name) => resolve(name, where));
    const to = right.map((name) => resolve(name, where));
    if (from.includes(undefined)) continue;
    dependencies.push({ left: unique(present(from)), right: unique(present(to)) });
  }
  const preferred = (set.proposed?.preferredKey ?? []).map((name) => resolve(name, 'The preferred key'));
  return { dependencies, preferredKey: preferred.includes(undefined) ? [] : unique(present(preferred)) };
}

export function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function present(ids: readonly (string | undefined)[]): string[] {
  return ids.filter((id) => id !== undefined);
}
