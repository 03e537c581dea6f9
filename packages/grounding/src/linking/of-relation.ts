import type { Catalog, RelationId, SchemaIndex } from '@askema/core';

type OfRelation<T> = (catalog: Catalog, index: SchemaIndex, relation: RelationId) => T;

/** Makes it of each relation once, and keeps it as long as the catalog is in use: every question needs it. */
export function ofRelation<T>(make: OfRelation<T>): OfRelation<T> {
  const made = new WeakMap<Catalog, Map<RelationId, T>>();
  return (catalog, index, relation) => {
    let known = made.get(catalog);
    if (known === undefined) {
      known = new Map();
      made.set(catalog, known);
    }
    if (!known.has(relation)) known.set(relation, make(catalog, index, relation));
    return known.get(relation) as T;
  };
}
