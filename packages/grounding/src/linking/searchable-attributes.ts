import { type Attribute, type AttributeId, type Catalog, indexSchema, type RelationId } from '@askema/core';
import { isComparable } from '../explore/column-profile.ts';
import { ofRelation } from './of-relation.ts';

/**
 * Relations in which to look for cells: not remote, not empty, and not bigger than the limit. Small ones come first, so
 * that a short budget reads as many as it can, unknown counts last. Views only where there is nothing else: their cells
 * are those of their tables.
 */
export function searchableRelations(catalog: Catalog, maxRelationRows: number): readonly RelationId[] {
  const known = searchable.get(catalog) ?? { all: findSearchable(catalog), within: new Map<number, RelationId[]>() };
  searchable.set(catalog, known);
  const found =
    known.within.get(maxRelationRows) ??
    known.all.filter(({ rows = 0 }) => rows <= maxRelationRows).map(({ relation }) => relation);
  known.within.set(maxRelationRows, found);
  return found;
}

/** `rows` is undefined where nobody knows. */
interface Searchable {
  readonly relation: RelationId;
  readonly rows: number | undefined;
}

const searchable = new WeakMap<
  Catalog,
  { readonly all: readonly Searchable[]; readonly within: Map<number, readonly RelationId[]> }
>();

function findSearchable({ schema, relations }: Catalog): readonly Searchable[] {
  const [tables, views]: [Searchable[], Searchable[]] = [[], []];
  for (const { id: relation } of schema.relations) {
    const { rowCount: rows, kind, remote } = relations[relation] ?? {};
    if (remote !== true) (kind === 'view' ? views : tables).push({ relation, rows });
  }
  return (tables.length > 0 ? tables : views)
    .filter(({ rows }) => rows === undefined || rows > 0)
    .sort((a, b) => (a.rows ?? Number.POSITIVE_INFINITY) - (b.rows ?? Number.POSITIVE_INFINITY) || 0);
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
    .filter((id) => index.attributesOf(id).some((attribute) => isText(catalog, attribute)));
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
