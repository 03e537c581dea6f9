import { quoted, quotedList } from '../conceptual/name-lookup.ts';
import type { KeyedEntity } from './entity-order.ts';
import type { MappingReporter } from './mapping-codes.ts';

/** What the search for an entity set's key found out. */
export function reportKey({ entity, keyed }: KeyedEntity, add: MappingReporter): void {
  const { name, attributes, proposed } = entity;
  const { chosen, key, origin, undetermined } = keyed;
  const nameOf = (id: string): string => attributes[Number(id.slice(1))]?.name ?? '';
  const own = undetermined.filter((id) => id.startsWith('a'));
  if (attributes.length === 0)
    add(
      'entity-without-key',
      name,
      `${quoted(name)} has no attributes.`,
      'Give it attributes, something that identifies it above all; or make it an attribute of the set that it describes.',
    );
  else if (origin === 'name' && proposed !== undefined && attributes.length > 1)
    add(
      'dependencies-missing',
      name,
      `The proposal has no dependencies of ${quoted(name)}.`,
      `Write what identifies it; ${key.map(nameOf).map(quoted).join(', ')} was taken for its key.`,
    );
  else if (keyIsEverything(keyed, attributes.length))
    add(
      'entity-without-key',
      name,
      `The only key of ${quoted(name)} is all of its attributes: ${quotedList(attributes.map((one) => one.name))}.`,
      'Add an attribute that identifies it, as an id; if another entity set identifies it, name that one on the left side of a dependency; if it is the connection of others, make it a relationship set.',
    );
  const binary = key.filter((id) => attributes[Number(id.slice(1))]?.type === 'BINARY' && id.startsWith('a'));
  if (binary.length > 0)
    add(
      'binary-in-key',
      name,
      `The key of ${quoted(name)} holds ${quotedList(binary.map(nameOf))}, of type BINARY.`,
      `Add an id to ${quoted(name)} that identifies it.`,
    );
  if (proposed !== undefined && origin === 'proposal' && own.length > 0)
    add(
      'attribute-undetermined',
      name,
      `No dependency of ${quoted(name)} names ${quotedList(own.map(nameOf))}.`,
      'Write it on the right side of the dependency that determines it; else it is taken to depend on the key.',
    );
  if (!chosen.honoured)
    add(
      'preferred-key-no-key',
      name,
      `The preferred key ${(proposed?.preferredKey ?? []).map(quoted).join(', ')} of ${quoted(name)} is no candidate key: ${key.length === 1 ? 'another one' : 'others'} follows from its dependencies.`,
      'Prefer a candidate key, or correct the dependencies.',
    );
  if (!chosen.keys.complete)
    add(
      'keys-incomplete',
      name,
      `${quoted(name)} has very many candidate keys; not all were looked at.`,
      'Name the preferred key, and leave out dependencies that only rename attributes.',
    );
}

/** True where nothing but all of its own attributes identifies a row: two or more, and no owner among them. */
function keyIsEverything({ chosen, key }: KeyedEntity['keyed'], own: number): boolean {
  const only = chosen.keys.complete && chosen.keys.keys.length === 1;
  return only && own > 1 && key.length === own && key.every((id) => id.startsWith('a'));
}
