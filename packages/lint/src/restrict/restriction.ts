import {
  type AttributeId,
  type Catalog,
  type CatalogGap,
  createNameFilter,
  type Dialect,
  finishCatalog,
  foldName,
  type NameParts,
  type RelationId,
  type ViewRead,
} from '@askema/core';
import { ownTypesOf } from './check-types.ts';
import { nameOfGap, type Partitions, readPatterns } from './patterns.ts';
import {
  mentions,
  namingOf,
  restrictedBy,
  shownCatalog,
  withoutLabels,
  withoutTexts,
  wordsOf,
} from './shown-catalog.ts';

/** What `restrict` keeps back. */
export interface RestrictOptions {
  /** Patterns of relations and columns whose names and values nobody gets. */
  readonly hide?: readonly string[] | undefined;
  /** Patterns of columns whose names are known and whose values nobody gets; of a relation: all of its columns. */
  readonly mask?: readonly string[] | undefined;
}

/** What a statement reads by its text, with what stands behind its views. */
export interface Accounted {
  readonly relations: ReadonlySet<RelationId>;
  readonly attributes: ReadonlySet<AttributeId>;
}

/** Patterns, held against one catalog. */
export interface Restriction {
  /** All of it, for looking names up; nobody else gets it. */
  readonly whole: Catalog;
  /** What is left of it. */
  readonly catalog: Catalog;
  readonly hiddenRelations: ReadonlySet<RelationId>;
  readonly hidden: ReadonlySet<AttributeId>;
  readonly masked: ReadonlySet<AttributeId>;
  /** Whether a pattern hides it; partitions are not in the catalog. */
  hides(nameParts: NameParts): boolean;
  /** Relations with a column that is hidden or masked. */
  readonly restricted: ReadonlySet<RelationId>;
  /** What the views that are shown read. */
  readonly views: ReadonlyMap<RelationId, Accounted>;
  /** Views that no pattern names, and whose definition the database does not tell. */
  readonly opaque: ReadonlySet<RelationId>;
  /** Folded names that are hidden and that nothing visible has: no message may have them. */
  readonly secretNames: ReadonlySet<string>;
}

/**
 * Holds patterns against a catalog. A view is hidden unless `accountFor` finds nothing in its definition that is kept
 * back, and so is what mirrors other relations (virtual tables) or is computed from columns of a restricted relation. What holds of a table holds of its children,
 * and what holds of a child of the table.
 *
 * @throws AskemaError `CONFIG_INVALID` for a pattern that names nothing.
 */
export async function holdAgainst(
  given: Catalog,
  { hide = [], mask = [] }: RestrictOptions,
  accountFor: AccountFor,
  {
    partitions = new Map(),
    types = {},
  }: { readonly partitions?: Partitions; readonly types?: Pick<Dialect['types'], 'own'> } = {},
): Promise<Restriction> {
  const hides = readPatterns('hide', hide, given, partitions);
  const masks = readPatterns('mask', mask, given, partitions);
  const hiddenGaps = given.incomplete.filter(({ subject }) => hides.gap(subject));
  const whole = { ...given, incomplete: given.incomplete.filter((gap) => !hiddenGaps.includes(gap)) };
  const { attributes } = whole.schema;
  const relations = Object.entries(whole.relations);
  const hiddenRelations = new Set<RelationId>();
  const lineage = lineageOf(whole);
  // Who reads a table reads its children.
  const below = new Map<RelationId, RelationId[]>();
  for (const [id, { parents }] of relations)
    if (parents !== undefined) for (const above of lineage(id)) below.set(above, [...(below.get(above) ?? []), id]);
  // And its partitions.
  const family = (id: RelationId): readonly Pick<Info, 'nameParts' | 'tags'>[] =>
    // A child may have other parents, whose columns it has.
    [...new Set([id, ...(below.get(id) ?? [])].flatMap(lineage))].flatMap((one) => [
      infoOf(whole, one),
      ...(partitions.get(one) ?? []).map((nameParts) => ({ nameParts })),
    ]);
  for (const [id, { kind }] of relations)
    if (family(id).some((one) => hides.relation(one)) || (kind !== 'table' && kind !== 'external table'))
      hiddenRelations.add(id);
  const hidden = new Set<AttributeId>();
  const masked = new Set<AttributeId>();
  for (const { id, relation, name } of attributes) {
    const info = whole.attributes[id];
    const line = family(relation);
    if (hiddenRelations.has(relation) || line.some((one) => hides.column(one, name, info))) hidden.add(id);
    // Of a view as well, which is hidden until its definition was looked at.
    if (line.some((one) => masks.relation(one) || masks.column(one, name, info))) masked.add(id);
  }
  const restricted = restrictedBy(whole, hidden, masked);
  const ownTypes = ownTypesOf(types);
  const rowTypes = new Set([...hiddenRelations, ...restricted].map((id) => fold(infoOf(whole, id).nameParts.relation)));
  const namesRow = namingOf(rowTypes, ownTypes);
  const keptOf = Map.groupBy(
    attributes.filter(({ id }) => hidden.has(id) || masked.has(id)),
    ({ relation }) => relation,
  );
  const mayHold = ({ id, relation }: (typeof attributes)[number]): boolean => {
    const { generated, defaultExpression = '', nativeType } = whole.attributes[id] ?? {};
    const names = new Set((keptOf.get(relation) ?? []).map(({ name }) => fold(name)));
    // What a default computes of another column stays in the row; a row of a restricted relation may be a value.
    return (
      (restricted.has(relation) && (generated === 'virtual' || generated === 'stored')) ||
      (defaultExpression !== '' && mentions(names)(defaultExpression)) ||
      (nativeType !== undefined && namesRow(withoutTexts(nativeType))) ||
      // In a UNION with such a column a number is shown as a name.
      (restricted.size > 0 && NAMES_BY_NUMBER.test(nativeType ?? ''))
    );
  };
  const holding = attributes.filter(mayHold);
  const holdingOf = Map.groupBy(holding, ({ name }) => name);
  for (const { id, relation, name } of attributes)
    if (holdingOf.get(name)?.some((one) => one.relation === relation || below.get(relation)?.includes(one.relation)))
      hidden.add(id);
  for (const [id] of relations) {
    const own = attributes.filter(({ relation }) => relation === id);
    if (own.length > 0 && own.every((attribute) => hidden.has(attribute.id))) hiddenRelations.add(id);
  }
  const opaque = new Set(
    relations.flatMap(([id, info]) =>
      info.definition === undefined && isView(info) && !hides.relation(info) ? [id] : [],
    ),
  );
  const isHiddenName = (nameParts: NameParts): boolean => hides.relation({ nameParts });
  const parts = {
    ...{ whole, hiddenRelations, hidden, masked, opaque, hiddenGaps, ownTypes },
    hides: isHiddenName,
    views: new Map(),
  };
  return withViews(
    parts,
    (info) => !hides.relation(info),
    (info, id, name) => hides.column(info, name, whole.attributes[id]),
    accountFor,
  );
}

const fold = (name: string): string => foldName(name, 'insensitive');

/** Types of PostgreSQL that hold the number of a relation, a type or the like, and show its name. */
const NAMES_BY_NUMBER = /\breg(?:class|collation|config|dictionary|namespace|oper|operator|proc|procedure|role|type)\b/;

/** What a definition of a view reads, or undefined where it may not be shown. */
type AccountFor = (view: ViewRead, restriction: Restriction) => Promise<Accounted | undefined>;

function infoOf({ relations }: Catalog, id: RelationId): Pick<Info, 'nameParts' | 'tags'> {
  return relations[id] ?? { nameParts: { relation: '' } };
}

/** A relation, the tables of which it is a child, and theirs. */
export function lineageOf({ relations }: Catalog): (id: RelationId) => readonly RelationId[] {
  const key = (parts: NameParts): string => JSON.stringify([parts.database, parts.schema, parts.relation]);
  const byName = new Map(Object.entries(relations).map(([id, { nameParts }]) => [key(nameParts), id]));
  return (id) => {
    const found = new Set([id]);
    for (const each of found)
      for (const parent of relations[each]?.parents ?? []) {
        const above = byName.get(key(parent));
        if (above !== undefined) found.add(above);
      }
    return [...found];
  };
}

type Parts = Pick<Restriction, 'whole' | 'hiddenRelations' | 'hidden' | 'masked' | 'hides' | 'opaque' | 'views'> & {
  readonly hiddenGaps: readonly CatalogGap[];
  /** Types of the engine itself. */
  readonly ownTypes: ReadonlySet<string>;
};
type Info = Catalog['relations'][RelationId];

const isView = ({ kind }: Info): boolean => /view/.test(kind);

/** Views come back one after the other: one view may read another. A name with a quote in it may stay unseen. */
async function withViews(
  parts: Parts,
  isWanted: (info: Info) => boolean,
  isHiddenColumn: (info: Info, id: AttributeId, name: string) => boolean,
  accountFor: AccountFor,
): Promise<Restriction> {
  const { whole } = parts;
  const hiddenRelations = new Set(parts.hiddenRelations);
  const hidden = new Set(parts.hidden);
  const views = new Map(parts.views);
  let restriction = finished({ ...parts, hiddenRelations, hidden, views });
  const left = new Set(
    [...hiddenRelations].filter((id) => {
      const info = whole.relations[id];
      return info !== undefined && info.definition !== undefined && isView(info) && isWanted(info);
    }),
  );
  const textOf = (id: RelationId): string => foldName(whole.relations[id]?.definition ?? '', 'insensitive');
  // One that was refused is tried again when a view that it names is shown.
  const due = new Set(left);
  for (const id of due) {
    due.delete(id);
    const info = whole.relations[id];
    const accounted = info?.definition === undefined ? undefined : await accountFor(info, restriction);
    if (info === undefined || accounted === undefined || mayBeOlder(info, accounted, whole)) continue;
    views.set(id, accounted);
    left.delete(id);
    hiddenRelations.delete(id);
    for (const attribute of whole.schema.attributes)
      if (attribute.relation === id && !isHiddenColumn(info, attribute.id, attribute.name)) hidden.delete(attribute.id);
    restriction = finished({ ...parts, hiddenRelations, hidden, views });
    const name = foldName(info.nameParts.relation, 'insensitive');
    for (const other of left) if (textOf(other).includes(name)) due.add(other);
  }
  return restriction;
}

/** A materialized view has what the views that it reads were when it was filled. */
function mayBeOlder({ kind }: Info, { relations }: Accounted, whole: Catalog): boolean {
  return kind === 'materialized view' && [...relations].some((id) => isView(whole.relations[id] as Info));
}

function finished(parts: Parts): Restriction {
  const { whole, hiddenRelations, hidden, masked, hiddenGaps } = parts;
  const visible = new Set<string>();
  const secret = new Set(hiddenGaps.map(({ subject }) => fold(nameOfGap(subject))));
  for (const [id, { nameParts }] of Object.entries(whole.relations))
    (hiddenRelations.has(id) ? secret : visible).add(fold(nameParts.relation));
  for (const { id, name } of whole.schema.attributes) (hidden.has(id) ? secret : visible).add(fold(name));
  const secretNames = new Set([...secret].filter((name) => !visible.has(name)));
  const shown = { ...parts, hidden: new Set([...hidden, ...named(parts, secretNames)]) };
  return {
    ...shown,
    hiddenRelations: new Set(hiddenRelations),
    restricted: restrictedBy(whole, hidden, masked),
    secretNames,
    catalog: shownCatalog(shown, secretNames),
  };
}

/** Whether its fields come from documents that were looked into: they are not in its type. */
export function isSampled({ nativeType = '', nestedFields = [] }: Catalog['attributes'][AttributeId]): boolean {
  return nestedFields.some(({ path }) => !nativeType.includes(path[0] ?? ''));
}

/** The same, without the fields inside of these attributes. */
export function withoutFields(restriction: Restriction, ids: ReadonlySet<AttributeId>): Restriction {
  if (ids.size === 0) return restriction;
  const without = (catalog: Catalog): Catalog =>
    finishCatalog({
      ...catalog,
      attributes: Object.fromEntries(
        Object.entries(catalog.attributes).map(([id, { nestedFields, ...info }]) => [
          id,
          nestedFields === undefined || ids.has(id) ? info : { ...info, nestedFields },
        ]),
      ),
    });
  return { ...restriction, whole: without(restriction.whole), catalog: without(restriction.catalog) };
}

/** Columns whose type, or whose name, which SQLite makes of the expression of a view, has a hidden name in it as a word. */
function named(
  { whole: { schema, attributes }, masked, ownTypes }: Parts,
  secret: ReadonlySet<string>,
): readonly AttributeId[] {
  const isExpression = (name: string): boolean => /[^\p{L}\p{N}_$ ]/u.test(name);
  const isNaming = namingOf(secret, ownTypes);
  return schema.attributes.flatMap(({ id, name }) => {
    const isNamed = isExpression(name) && wordsOf(name).some((word) => secret.has(word));
    const { nativeType = '' } = attributes[id] ?? {};
    return isNamed || isNaming(masked.has(id) ? withoutLabels(nativeType) : nativeType) ? [id] : [];
  });
}

/** What is left of it among the relations that globs include; see `createNameFilter`. */
export function includedIn(restriction: Restriction, include: readonly string[]): Catalog {
  const { whole, hiddenRelations, secretNames } = restriction;
  const isIncluded = createNameFilter(include, whole.relationComparison ?? whole.nameComparison);
  const others = Object.entries(whole.relations).flatMap(([id, { nameParts }]) => (isIncluded(nameParts) ? [] : [id]));
  return shownCatalog({ ...restriction, hiddenRelations: new Set([...hiddenRelations, ...others]) }, secretNames);
}

/** Whether the last part of a name is that of a relation which is shown. */
export function isShown(name: string, { catalog }: Restriction): boolean {
  const folded = foldName(name, 'insensitive');
  return Object.values(catalog.relations).some(({ nameParts }) => {
    const relation = foldName(nameParts.relation, 'insensitive');
    return folded === relation || folded.endsWith(`.${relation}`);
  });
}

/** What the relations of a catalog are called; names are folded. */
export function relationNames({ whole, hiddenRelations, restricted }: Restriction) {
  const names = Object.entries(whole.relations).map(([id, { nameParts }]) => [id, fold(nameParts.relation)] as const);
  const byName = Map.groupBy(names, ([, name]) => name);
  const kept = (id: RelationId): boolean => hiddenRelations.has(id) || restricted.has(id);
  return {
    kept,
    /** All that a name may mean, where it may mean more than one. */
    severalOf: (path: readonly string[]): readonly RelationId[] => {
      const [relation = '', ...outer] = path.toReversed().map(fold);
      const named = (byName.get(relation) ?? []).map(([id]) => {
        const { schema, database } = whole.relations[id]?.nameParts ?? {};
        return { id, places: [schema, database].filter((part) => part !== undefined).map(fold) };
      });
      // One without a schema is meant by any, unless the schema that is written has one.
      const written = named.filter(({ places }) => outer.every((part, at) => places[at] === part));
      const fitting = named.filter(({ places }) =>
        outer.every((part, at) => places[at] === undefined || places[at] === part),
      );
      // One that has no schema stands in the one that is meant where none is written.
      const own = fitting.filter(({ places }) => places.length === 0);
      const meant =
        outer.length > 0 && written.length > 0 ? written : own.length > 0 && outer.length === 0 ? own : fitting;
      return meant.length > 1 ? meant.map(({ id }) => id) : [];
    },
    all: new Set(names.map(([, name]) => name)),
    hiddenRelations: new Set(names.flatMap(([id, name]) => (hiddenRelations.has(id) ? [name] : []))),
    rowTypes: new Set(names.flatMap(([id, name]) => (kept(id) ? [name] : []))),
  };
}
