import { type Attribute, type AttributeId, type Catalog, indexSchema, type RelationId } from '@askema/core';
import { isComparable } from '../explore/column-profile.ts';
import { ofRelation } from './of-relation.ts';

/**
 * Relations in which to look for cells: not remote, not empty, and not bigger than the limit. Small ones come first, so
 * that a short budget reads as many as it can, unknown counts last. Views only where there is nothing else: their cells
 * are those of their tables.
 */
export function searchableRelations(catalog: Catalog, maxRelationRows: number): readonly RelationId[] {
  const known = searchable.get(catalog) ?? new Map<number, readonly RelationId[]>();
  searchable.set(catalog, known);
  const found = known.get(maxRelationRows) ?? findSearchable(catalog, maxRelationRows);
  known.set(maxRelationRows, found);
  return found;
}

const searchable = new WeakMap<Catalog, Map<number, readonly RelationId[]>>();

function findSearchable(catalog: Catalog, maxRelationRows: number): readonly RelationId[] {
  const rows = (id: RelationId): number => catalog.relations[id]?.rowCount ?? maxRelationRows;
  const all = catalog.schema.relations.map(({ id }) => id).filter((id) => catalog.relations[id]?.remote !== true);
  const tables = all.filter((id) => catalog.relations[id]?.kind !== 'view');
  return (tables.length > 0 ? tables : all)
    .filter((id) => rows(id) > 0 && rows(id) <= maxRelationRows)
    .sort((a, b) => rows(a) - rows(b));
}

/** Those whose text may be looked for, here or where they lie, in the order of the catalog. */
export function relationsWithCells(catalog: Catalog): readonly RelationId[] {
  const found = withCells.get(catalog) ?? findWithCells(catalog);
  withCells.set(catalog, found);
  return found;
}

const withCells = new WeakMap<Catalog, readonly RelationId[]>();

function findWithCells(catalog: Catalog): readonly RelationId[] {
  const index = indexSchema(catalog);
  const isSearchable = new Set(searchableRelations(catalog, Number.POSITIVE_INFINITY));
  return catalog.schema.relations
    .map(({ id }) => id)
    .filter((id) => isSearchable.has(id) || catalog.relations[id]?.remote === true)
    .filter((id) => textAttributes(catalog, index, id).length > 0);
}

/**
 * Attributes whose cells are plain text: logical type TEXT, nothing nested, and comparable (JSON is not, wherever its
 * type says so).
 */
export const textAttributes = ofRelation((catalog, index, relation): readonly AttributeId[] =>
  index
    .attributesOf(relation)
    .filter((attribute) => isText(catalog, attribute))
    .map(({ id }) => id),
);

function isText(catalog: Catalog, attribute: Attribute): boolean {
  if (attribute.type !== 'TEXT') return false;
  const info = catalog.attributes[attribute.id];
  return (info?.nestedFields?.length ?? 0) === 0 && isComparable(attribute, info);
}
