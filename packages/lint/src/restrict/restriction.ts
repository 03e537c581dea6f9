import {
  type AttributeId,
  type Catalog,
  type CatalogGap,
  createNameFilter,
  finishCatalog,
  foldName,
  indexSchema,
  type NameParts,
  type RelationId,
} from '@askema/core';
import { readPatterns } from './patterns.ts';

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
): Promise<Restriction> {
  const hides = readPatterns('hide', hide, given);
  const masks = readPatterns('mask', mask, given);
  const hiddenGaps = given.incomplete.filter(({ subject }) => hides.gap(subject));
  const whole = { ...given, incomplete: given.incomplete.filter((gap) => !hiddenGaps.includes(gap)) };
  const { attributes } = whole.schema;
  const relations = Object.entries(whole.relations);
  const hiddenRelations = new Set<RelationId>();
  const lineage = lineageOf(whole);
  const isHidden = (id: RelationId): boolean => hides.relation(infoOf(whole, id));
  // Who reads a table reads its children.
  const below = new Map<RelationId, RelationId[]>();
  for (const [id, { parents }] of relations)
    if (parents !== undefined) for (const above of lineage(id)) below.set(above, [...(below.get(above) ?? []), id]);
  const family = (id: RelationId): readonly RelationId[] => [...lineage(id), ...(below.get(id) ?? [])];
  for (const [id, { kind }] of relations)
    if (family(id).some(isHidden) || (kind !== 'table' && kind !== 'external table')) hiddenRelations.add(id);
  const hidden = new Set<AttributeId>();
  const masked = new Set<AttributeId>();
  for (const { id, relation, name } of attributes) {
    const info = whole.attributes[id];
    const line = family(relation).map((relative) => infoOf(whole, relative));
    if (hiddenRelations.has(relation) || line.some((one) => hides.column(one, name, info))) hidden.add(id);
    else if (line.some((one) => masks.relation(one) || masks.column(one, name, info))) masked.add(id);
  }
  const restricted = restrictedBy(whole, hidden, masked);
  for (const { id, relation } of attributes) {
    const { generated } = whole.attributes[id] ?? {};
    if (restricted.has(relation) && (generated === 'virtual' || generated === 'stored')) hidden.add(id);
  }
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
    ...{ whole, hiddenRelations, hidden, masked, opaque, hiddenGaps },
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

/** What a definition of a view reads, or undefined where it may not be shown. */
type AccountFor = (definition: string, restriction: Restriction) => Promise<Accounted | undefined>;

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
    const accounted = info?.definition === undefined ? undefined : await accountFor(info.definition, restriction);
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
  const fold = (name: string): string => foldName(name, 'insensitive');
  const secret = new Set(hiddenGaps.map(({ subject }) => fold(subject.split('.').at(-1) ?? subject)));
  for (const [id, { nameParts }] of Object.entries(whole.relations))
    (hiddenRelations.has(id) ? secret : visible).add(fold(nameParts.relation));
  for (const { id, name } of whole.schema.attributes) (hidden.has(id) ? secret : visible).add(fold(name));
  const secretNames = new Set([...secret].filter((name) => !visible.has(name)));
  return {
    ...parts,
    hiddenRelations: new Set(hiddenRelations),
    hidden: new Set(hidden),
    restricted: restrictedBy(whole, hidden, masked),
    secretNames,
    catalog: filtered(parts, secretNames),
  };
}

function restrictedBy(
  { schema }: Catalog,
  hidden: ReadonlySet<AttributeId>,
  masked: ReadonlySet<AttributeId>,
): ReadonlySet<RelationId> {
  return new Set(schema.attributes.flatMap(({ id, relation }) => (hidden.has(id) || masked.has(id) ? [relation] : [])));
}

/** What is left of it among the relations that globs include; see `createNameFilter`. */
export function includedIn(restriction: Restriction, include: readonly string[]): Catalog {
  const { whole, hiddenRelations, secretNames } = restriction;
  const isIncluded = createNameFilter(include, whole.relationComparison ?? whole.nameComparison);
  const others = Object.entries(whole.relations).flatMap(([id, { nameParts }]) => (isIncluded(nameParts) ? [] : [id]));
  return filtered({ ...restriction, hiddenRelations: new Set([...hiddenRelations, ...others]) }, secretNames);
}

/** Whether the last part of a name is that of a relation which is shown. */
export function isShown(name: string, { catalog }: Restriction): boolean {
  const folded = foldName(name, 'insensitive');
  return Object.values(catalog.relations).some(({ nameParts }) => {
    const relation = foldName(nameParts.relation, 'insensitive');
    return folded === relation || folded.endsWith(`.${relation}`);
  });
}

/** Adapters put the words of their engine behind a colon. */
export function beforeEngineWords(text: string): string {
  return text.split(/:\s/)[0] ?? '';
}

/** Whether a text has one of the names in it, as a word or in one. */
export function mentions(text: string, names: ReadonlySet<string>): boolean {
  const folded = foldName(text, 'insensitive');
  for (const name of names) if (folded.includes(name)) return true;
  return false;
}

/** The catalog without what is hidden: neither entries nor texts (comments, defaults, checks) that name it. */
function filtered(
  { whole, hiddenRelations, hidden, masked }: Omit<Parts, 'hiddenGaps'>,
  secret: ReadonlySet<string>,
): Catalog {
  const index = indexSchema(whole);
  const isRelation = (id: RelationId): boolean => !hiddenRelations.has(id);
  const isAttribute = (id: AttributeId): boolean => !hidden.has(id) && isRelation(index.attribute(id)?.relation ?? '');
  const isSaid = (text: string | undefined): boolean => text !== undefined && !mentions(text, secret);
  const said = <Key extends string>(key: Key, text: string | undefined) => (isSaid(text) ? { [key]: text } : {});
  const { schema } = whole;
  const foreignKeys = schema.foreignKeys.filter(
    ({ relation, target, pairs }) =>
      isRelation(relation) && isRelation(target) && pairs.every(({ from, to }) => isAttribute(from) && isAttribute(to)),
  );
  const keys = new Set<string>(foreignKeys.map(({ id }) => id));
  const { fingerprint: _, ...rest } = whole;
  const relations = Object.entries(whole.relations).filter(([id]) => isRelation(id));
  const attributes = Object.entries(whole.attributes).filter(([id]) => isAttribute(id));
  return finishCatalog({
    ...rest,
    schema: {
      relations: schema.relations.filter(({ id }) => isRelation(id)),
      attributes: schema.attributes.filter(({ id }) => isAttribute(id)),
      primaryKeys: schema.primaryKeys.filter(
        ({ relation, attributes }) => isRelation(relation) && attributes.every(isAttribute),
      ),
      foreignKeys,
      domainConstraints: schema.domainConstraints.filter(({ attribute }) => isAttribute(attribute)),
    },
    relations: Object.fromEntries(
      relations.map(([id, { comment, definition, partitioning, parents: _parents, tags: _tags, ...info }]) => [
        id,
        {
          ...info,
          ...said('comment', comment),
          ...said('definition', definition),
          ...(partitioning?.attributes.every(isAttribute) === true ? { partitioning } : {}),
        },
      ]),
    ),
    attributes: Object.fromEntries(
      attributes.map(([id, { comment, defaultExpression, nestedFields, tags: _tags, ...info }]) => [
        id,
        masked.has(id)
          ? // What a stored index or sample holds of it then belongs to another column.
            { ...info, nativeType: withoutLabels(info.nativeType), masked: true, collation: 'masked', comment: MASKED }
          : {
              ...info,
              ...said('comment', comment),
              ...said('defaultExpression', defaultExpression),
              ...(nestedFields === undefined ? {} : { nestedFields }),
            },
      ]),
    ),
    uniqueKeys: whole.uniqueKeys.filter(
      ({ relation, attributes }) => isRelation(relation) && attributes.every(isAttribute),
    ),
    checks: whole.checks.filter(
      ({ relation, expression }) => isRelation(relation) && isSaid(expression) && !restrictsIn(whole, relation, masked),
    ),
    families: whole.families
      .map((family) => ({ ...family, members: family.members.filter(isRelation) }))
      .filter(({ members, pattern }) => members.length > 1 && isSaid(pattern)),
    keyStanding: Object.fromEntries(
      Object.entries(whole.keyStanding).filter(([id]) => keys.has(id) || (id in whole.relations && isRelation(id))),
    ),
    incomplete: whole.incomplete
      .filter((gap) => isSaid(JSON.stringify(gap)))
      .map((gap) => ({ ...gap, reason: beforeEngineWords(gap.reason) })),
  });
}

const MASKED =
  'masked: values cannot be read; it may be counted, tested with IS NULL, and compared with a masked column';

/** `enum('a','b')` shows values. */
function withoutLabels(nativeType: string): string {
  return nativeType.replace(/\s*\([^)]*['"].*/s, '');
}

/** A check such as `ssn IN ('…')` would show values. */
function restrictsIn({ schema }: Catalog, relation: RelationId, masked: ReadonlySet<AttributeId>): boolean {
  return schema.attributes.some((attribute) => attribute.relation === relation && masked.has(attribute.id));
}
