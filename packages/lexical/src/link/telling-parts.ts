import { type Catalog, foldName, type NameParts, type RelationId } from '@askema/core';

/** Memo of what is derived from catalogs, which are immutable data. */
const memo = new WeakMap<Catalog, ReadonlyMap<RelationId, readonly string[]>>();

/**
 * The parts of a relation's name that tell it from others of the same name, outermost first: its schema, its database,
 * or both. Relations whose name no other has are not among them.
 */
export function tellingParts(catalog: Catalog): ReadonlyMap<RelationId, readonly string[]> {
  const known = memo.get(catalog) ?? findTellingParts(catalog);
  memo.set(catalog, known);
  return known;
}

function findTellingParts(catalog: Catalog): ReadonlyMap<RelationId, readonly string[]> {
  const isTold = Object.values(catalog.relations).some(({ nameParts: { schema, database } }) => schema ?? database);
  if (!isTold) return new Map();
  const groups = new Map<string, [RelationId, NameParts][]>();
  for (const { id, name } of catalog.schema.relations) {
    const nameParts = catalog.relations[id]?.nameParts ?? { relation: name };
    // Who asks does not write a name in the case that tells it from another one.
    const key = foldName(nameParts.relation, 'insensitive');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [[id, nameParts]]);
    else group.push([id, nameParts]);
  }
  const found = new Map<RelationId, readonly string[]>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const differs = (part: 'database' | 'schema'): boolean => new Set(group.map(([, parts]) => parts[part])).size > 1;
    const telling = (['database', 'schema'] as const).filter(differs);
    for (const [id, parts] of group)
      found.set(
        id,
        telling.flatMap((part) => parts[part] ?? []),
      );
  }
  return found;
}
