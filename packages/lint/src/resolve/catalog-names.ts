import {
  type Catalog,
  type Dialect,
  nearestNames,
  qualifiedName,
  quoteIfNeeded,
  type RelationId,
  type SchemaIndex,
} from '@askema/core';
import { namePattern } from '@askema/grounding';
import type { NameKeys } from './scope.ts';

/** What the name of a relation means in a catalog. */
type CatalogRelation =
  /** `isOpen`: it may have other columns than the catalog says. */
  | { readonly kind: 'relation'; readonly id: RelationId; readonly isOpen: boolean }
  | { readonly kind: 'unknown'; readonly nearest: readonly string[] }
  | { readonly kind: 'opaque' };

/** Finds relations by the parts of their name as the engine stores them, outermost first. */
export type FindCatalogRelation = (parts: readonly string[]) => CatalogRelation;

const OPAQUE: CatalogRelation = { kind: 'opaque' };

/** Relations of the engine itself, which catalogs leave out. */
const SYSTEM_RELATION =
  /^(sqlite_(master|schema|temp_master|temp_schema|sequence|stat\d|dbpage)|pragma_.*|dbstat|pg_.*|duckdb_.*|__tables__|__tables_summary__|dual)$/i;
const SYSTEM_SCHEMA = /^(information_schema|pg_catalog|sys|account_usage|organization_usage)$/i;
/** Schemas that SQLite has without being told; its catalogs have none. */
const SQLITE_SCHEMA = /^(main|temp)$/i;
/** Relations that are looked through for near names. */
const MAX_NEAR_RELATIONS = 100_000;

export function catalogNames(
  catalog: Catalog,
  index: SchemaIndex,
  dialect: Dialect,
  keys: NameKeys,
): FindCatalogRelation {
  const gaps = catalog.incomplete.filter(({ affects }) => affects !== 'counts');
  // A gap about the whole may be about any column; one about something that is not there, about any relation.
  const isWholeOpen = gaps.some(({ subject }) => subject === 'catalog');
  const missesAny = gaps.some(({ subject }) => index.relationsNamed(subject).length === 0);
  const isGap = (id: RelationId): boolean => isWholeOpen || index.attributesOf(id).length === 0;
  let families: ReadonlySet<string> | undefined;
  const isOfFamily = (name: string): boolean => {
    families ??= new Set(
      catalog.families.flatMap(({ members }) =>
        members.slice(0, 1).map((id) => keys.keyOfStored(namePattern(index.relation(id)?.name ?? ''))),
      ),
    );
    return families.has(keys.keyOfStored(namePattern(name)));
  };

  return (written) => {
    const name = written.at(-1) ?? '';
    const outer = written.slice(0, -1);
    if (SYSTEM_RELATION.test(name) || written.some((part) => SYSTEM_SCHEMA.test(part)) || /^[@$#]/.test(name))
      return OPAQUE;
    const parts =
      dialect.identifiers.qualifiers.length === 0 && outer.length === 1 && SQLITE_SCHEMA.test(outer[0] ?? '')
        ? [name]
        : written;
    const [found, ...others] = inDefaultSchema(catalog, index, parts) ?? index.relationsNamed(parts);
    // The same bare name in several schemas: which one depends on the session.
    if (found !== undefined)
      return others.length > 0
        ? sameOrOpaque(index, [found, ...others])
        : { kind: 'relation', id: found.id, isOpen: isGap(found.id) };
    if (name.includes('*')) return wildcard(index, parts);
    if (missesAny || isOfFamily(name)) return OPAQUE;
    const elsewhere = index.relationsNamed([name]);
    if (elsewhere.length === 0 && !areKnownQualifiers(catalog, outer)) return OPAQUE;
    return unknownRelation(() => nearRelations(catalog, index, dialect, name));
  };
}

/** Near names are found when they are asked for: comparing takes a millisecond for some thousand. */
function unknownRelation(find: () => readonly string[]): CatalogRelation {
  let near: readonly string[] | undefined;
  return {
    kind: 'unknown',
    get nearest() {
      near ??= find();
      return near;
    },
  };
}

/** Relations of the schema that is meant where none is written, of an engine that has others beside it (DuckDB's `main`). */
function inDefaultSchema(catalog: Catalog, index: SchemaIndex, parts: readonly string[]) {
  const [name = '', schema, ...more] = parts.toReversed();
  if (more.length > 0 || (schema !== undefined && !/^main$/i.test(schema))) return undefined;
  const found = index.relationsNamed([name]).filter(({ id }) => catalog.relations[id]?.nameParts.schema === undefined);
  return found.length === 0 ? undefined : found;
}

/** Memo: catalogs are immutable. */
const qualifiersOf = new WeakMap<Catalog, { readonly databases: Set<string>; readonly schemas: Set<string> }>();

/**
 * Whether a catalog has relations in the schema, and in the database, that stand in front of a name, outermost first.
 * Others may be there without the catalog having been asked for them.
 */
export function areKnownQualifiers(catalog: Catalog, outer: readonly string[]): boolean {
  let known = qualifiersOf.get(catalog);
  if (known === undefined) {
    known = { databases: new Set(), schemas: new Set() };
    for (const { nameParts } of Object.values(catalog.relations)) {
      if (nameParts.database !== undefined) known.databases.add(nameParts.database.toLowerCase());
      if (nameParts.schema !== undefined) known.schemas.add(nameParts.schema.toLowerCase());
    }
    qualifiersOf.set(catalog, known);
  }
  const { databases, schemas } = known;
  const [schema, database] = [...outer].reverse().map((part) => part.toLowerCase());
  const isSchema = schema === undefined || schemas.has(schema) || (schemas.size === 0 && databases.has(schema));
  return isSchema && (database === undefined || databases.size === 0 || databases.has(database));
}

/** Several relations of one name are as good as one where they have the same columns. */
function sameOrOpaque(index: SchemaIndex, found: readonly { readonly id: RelationId }[]): CatalogRelation {
  const [first] = found;
  const names = (id: RelationId): string =>
    JSON.stringify(index.attributesOf(id).map(({ name, type }) => [name.toLowerCase(), type]));
  if (first === undefined) return OPAQUE;
  const wanted = names(first.id);
  return found.every(({ id }) => names(id) === wanted) ? { kind: 'relation', id: first.id, isOpen: true } : OPAQUE;
}

/**
 * BigQuery's `events_*`: https://cloud.google.com/bigquery/docs/querying-wildcard-tables (the newest table gives the
 * columns).
 */
function wildcard(index: SchemaIndex, parts: readonly string[]): CatalogRelation {
  const prefix = (parts.at(-1) ?? '').replace(/\*.*$/s, '');
  let last: { readonly id: RelationId; readonly name: string } | undefined;
  for (const relation of index.schema.relations) {
    if (!relation.name.startsWith(prefix) || (last !== undefined && relation.name <= last.name)) continue;
    if (index.relationsNamed([...parts.slice(0, -1), relation.name]).some(({ id }) => id === relation.id))
      last = relation;
  }
  return last === undefined ? OPAQUE : { kind: 'relation', id: last.id, isOpen: true };
}

function nearRelations(catalog: Catalog, index: SchemaIndex, dialect: Dialect, name: string): string[] {
  const relations = index.schema.relations.slice(0, MAX_NEAR_RELATIONS);
  const near = nearestNames(
    name,
    relations.map((relation) => relation.name),
  );
  const same = index.relationsNamed([name]).map((relation) => relation.name);
  return [...new Set([...same, ...near])].slice(0, 3).map((candidate) => {
    const found = relations.filter((relation) => relation.name === candidate);
    const only = found.length === 1 ? catalog.relations[found[0]?.id ?? '']?.nameParts : undefined;
    return only === undefined ? quoteIfNeeded(candidate, dialect) : qualifiedName(only, dialect);
  });
}
