import type { Dialect } from '../dialect/dialect.ts';
import { logicalType } from '../dialect/logical-type.ts';
import type {
  Attribute,
  AttributeId,
  DataType,
  DomainConstraint,
  ForeignKey,
  ForeignKeyId,
  PrimaryKey,
  Relation,
  RelationId,
} from '../schema/schema.ts';
import type { NameParts } from '../schema/schema-id.ts';
import { attributeId, foreignKeyId, type NameComparison, relationId } from '../schema/schema-id.ts';
import { shortened } from '../text/shortened.ts';
import type {
  AttributeInfo,
  Catalog,
  CatalogGap,
  KeyStanding,
  NestedField,
  RelationInfo,
  RelationKind,
} from './catalog.ts';
import { finishCatalog } from './finish-catalog.ts';
import { createNameFilter } from './name-filter.ts';

/** What an introspector has read, by names. Everything that the engine does not say is left out. */
export interface CatalogDraft {
  readonly dialect: Pick<Dialect, 'name' | 'identifiers' | 'types'>;
  /** A name to show, never a secret. */
  readonly name: string;
  readonly relations: readonly DraftRelation[];
  readonly gaps?: readonly CatalogGap[] | undefined;
  /**
   * Globs over qualified names; undefined means everything. An introspector that filters by itself may pass them all
   * the same.
   */
  readonly include?: readonly string[] | undefined;
}

export interface DraftRelation extends Omit<RelationInfo, 'partitioning'> {
  readonly nameParts: NameParts;
  readonly kind: RelationKind;
  /** In their order; positions are counted from 1. */
  readonly attributes: readonly DraftAttribute[];
  /** In key order. One of an attribute that is not there is a gap, and so is such a unique key. */
  readonly primaryKey?: readonly string[] | undefined;
  readonly uniqueKeys?: readonly (readonly string[])[] | undefined;
  readonly foreignKeys?: readonly DraftForeignKey[] | undefined;
  /** SQL texts of CHECK constraints. */
  readonly checks?: readonly string[] | undefined;
  /** How its primary and foreign keys are known. Default: `enforced`. */
  readonly keyStanding?: KeyStanding | undefined;
  readonly partitioning?:
    | {
        readonly attributes: readonly string[];
        readonly filterRequired: boolean;
        readonly kind: 'partition' | 'cluster';
      }
    | undefined;
  /** Relations with the same pattern and a part in the same namespace are shards of one family (`events_*`). */
  readonly familyPattern?: string | undefined;
}

export interface DraftAttribute extends Omit<AttributeInfo, 'position'> {
  readonly name: string;
  /** By the dialect's patterns when left out. */
  readonly type?: DataType | undefined;
  readonly notNull?: boolean | undefined;
  readonly nestedFields?: readonly NestedField[] | undefined;
}

/** The name of a relation stands in the ids of its attributes and in each gap: a planted one of megabytes would fill the memory. */
const MAX_NAME = 1_000;

export interface DraftForeignKey {
  readonly attributes: readonly string[];
  readonly target: NameParts;
  /** The primary key of the target when left out. */
  readonly targetAttributes?: readonly string[] | undefined;
}

/**
 * Makes a catalog of what an introspector has read: ids by the dialect's comparison of names, logical types, keys,
 * families, gaps, fingerprint. A foreign key whose target was not read is a gap; one to a relation that `include`
 * leaves out is left out with it.
 *
 * @throws AskemaError `SCHEMA_INVALID` when a relation or an attribute is there twice.
 */
export function buildCatalog(draft: CatalogDraft): Catalog {
  const comparison = draft.dialect.identifiers.comparison;
  const relationComparison = draft.dialect.identifiers.relationComparison ?? comparison;
  const passes = createNameFilter(draft.include, relationComparison);
  const named = draft.relations.filter(({ nameParts }) => passes(nameParts));
  const drafts = named.filter(({ nameParts }) => nameParts.relation.length <= MAX_NAME);
  const parts = drafts.map((relation) => buildRelation(relation, draft.dialect));
  const gaps: CatalogGap[] = [...(draft.gaps ?? [])];
  for (const { nameParts } of named)
    if (nameParts.relation.length > MAX_NAME)
      gaps.push({
        subject: shortened(nameParts.relation, 100),
        reason: `left out: its name has more than ${MAX_NAME} characters`,
      });
  for (const part of parts) gaps.push(...part.gaps);
  const attributes: Record<AttributeId, AttributeInfo> = {};
  for (const { attributeInfos } of parts) for (const [id, info] of attributeInfos) attributes[id] = info;
  const foreignKeys = resolveForeignKeys(drafts, parts, attributes, {
    comparison,
    relationComparison,
    passes,
    gaps,
  });
  return finishCatalog({
    schemaVersion: 1,
    dialect: draft.dialect.name,
    name: draft.name,
    nameComparison: comparison,
    // Left out where it says nothing: catalogs stay what they were.
    ...(relationComparison === comparison ? {} : { relationComparison }),
    schema: {
      relations: parts.map(({ relation }) => relation),
      attributes: parts.flatMap(({ attributes }) => attributes),
      primaryKeys: parts.flatMap(({ primaryKey }) => primaryKey ?? []),
      foreignKeys,
      domainConstraints: parts.flatMap(({ constraints }) => constraints),
    },
    relations: Object.fromEntries(parts.map(({ relation, info }) => [relation.id, info])),
    attributes,
    uniqueKeys: parts.flatMap(({ uniqueKeys }) => uniqueKeys),
    checks: drafts.flatMap(({ checks = [] }, index) =>
      checks.map((expression) => ({ relation: parts[index]?.relation.id ?? '', expression })),
    ),
    families: familiesOf(drafts, parts),
    keyStanding: standingOf(drafts, parts, foreignKeys),
    incomplete: gaps,
  });
}

interface BuiltRelation {
  readonly relation: Relation;
  readonly info: RelationInfo;
  readonly attributes: readonly Attribute[];
  readonly attributeInfos: readonly (readonly [AttributeId, AttributeInfo])[];
  readonly primaryKey: PrimaryKey | undefined;
  readonly uniqueKeys: Catalog['uniqueKeys'];
  readonly constraints: readonly DomainConstraint[];
  readonly gaps: readonly CatalogGap[];
}

function buildRelation(draft: DraftRelation, dialect: CatalogDraft['dialect']): BuiltRelation {
  const { comparison, relationComparison = comparison } = dialect.identifiers;
  const id = relationId(partsOf(draft.nameParts), relationComparison);
  const ids = new Map<string, AttributeId>();
  // Folded and encoded once: each name is asked for several times.
  const idOf = (name: string): AttributeId => {
    const before = ids.get(name);
    if (before !== undefined) return before;
    const made = attributeId(id, name, comparison);
    ids.set(name, made);
    return made;
  };
  const { attributes, primaryKey, uniqueKeys = [], partitioning, foreignKeys: _keys, checks: _checks, ...own } = draft;
  const { keyStanding: _standing, familyPattern: _pattern, ...info } = own;
  const known = new Set(attributes.map(({ name }) => idOf(name)));
  const gaps: CatalogGap[] = [];
  const fits = (kind: string, names: readonly string[]): boolean => {
    const unknown = names.filter((name) => !known.has(idOf(name)));
    if (unknown.length > 0)
      gaps.push({
        subject: partsOf(draft.nameParts).join('.'),
        reason: `${kind} (${names.join(', ')}): it has no attribute ${unknown.join(', ')}`,
      });
    return names.length > 0 && unknown.length === 0;
  };
  const key = primaryKey !== undefined && fits('primary key', primaryKey) ? primaryKey : undefined;
  const unique = new Map(
    uniqueKeys.filter((names) => fits('unique key', names)).map((names) => [names.map(idOf).join(), names]),
  );
  return {
    relation: { id, name: draft.nameParts.relation },
    info: partitioning === undefined ? info : { ...info, partitioning: withIds(partitioning, idOf, known) },
    attributes: attributes.map(({ name, type, nativeType }) => ({
      id: idOf(name),
      relation: id,
      name,
      type: type ?? logicalType(nativeType, dialect),
    })),
    attributeInfos: attributes.map(({ name, type: _type, notNull: _notNull, ...rest }, index) => [
      idOf(name),
      { position: index + 1, ...rest },
    ]),
    primaryKey: key && { relation: id, attributes: key.map(idOf) },
    uniqueKeys: [...unique.values()].map((names) => ({ relation: id, attributes: names.map(idOf) })),
    constraints: [
      ...attributes.flatMap(({ name, notNull }): DomainConstraint[] =>
        notNull ? [{ attribute: idOf(name), constraint: 'not null' }] : [],
      ),
      ...[...unique.values()].flatMap(([only, ...others]): DomainConstraint[] =>
        only === undefined || others.length > 0 ? [] : [{ attribute: idOf(only), constraint: 'unique' }],
      ),
    ],
    gaps,
  };
}

/** Pseudo-columns (`_PARTITIONTIME`) are no attributes and have no id. */
function withIds(
  partitioning: NonNullable<DraftRelation['partitioning']>,
  idOf: (name: string) => AttributeId,
  known: ReadonlySet<AttributeId>,
) {
  return { ...partitioning, attributes: partitioning.attributes.map(idOf).filter((id) => known.has(id)) };
}

/** Only keys that are not enforced. */
function standingOf(
  drafts: readonly DraftRelation[],
  parts: readonly BuiltRelation[],
  foreignKeys: readonly ForeignKey[],
): Catalog['keyStanding'] {
  const standings = new Map<RelationId, KeyStanding>();
  const entries: [RelationId | ForeignKeyId, KeyStanding][] = [];
  for (const [index, { relation, primaryKey }] of parts.entries()) {
    const standing = drafts[index]?.keyStanding ?? 'enforced';
    if (standing === 'enforced') continue;
    standings.set(relation.id, standing);
    if (primaryKey !== undefined) entries.push([relation.id, standing]);
  }
  for (const { id, relation } of foreignKeys) {
    const standing = standings.get(relation);
    if (standing !== undefined) entries.push([id, standing]);
  }
  return Object.fromEntries(entries);
}

/** The parts of a qualified name that are there, outermost first. */
function partsOf({ database, schema, relation }: NameParts): string[] {
  return [database, schema, relation].filter((part) => part !== undefined);
}

function resolveForeignKeys(
  drafts: readonly DraftRelation[],
  parts: readonly BuiltRelation[],
  attributes: Catalog['attributes'],
  {
    comparison,
    relationComparison,
    passes,
    gaps,
  }: {
    readonly comparison: NameComparison;
    readonly relationComparison: NameComparison;
    readonly passes: (nameParts: NameParts) => boolean;
    readonly gaps: CatalogGap[];
  },
): ForeignKey[] {
  const built = new Map<RelationId, BuiltRelation>(parts.map((part) => [part.relation.id, part]));
  const known = (id: AttributeId): boolean => Object.hasOwn(attributes, id);
  const found = new Map<string, ForeignKey>();
  for (const [index, { nameParts, foreignKeys = [] }] of drafts.entries()) {
    const relation = parts[index]?.relation.id ?? '';
    for (const key of foreignKeys) {
      if (!passes(key.target)) continue;
      const target = relationId(partsOf(key.target), relationComparison);
      const to =
        key.targetAttributes?.map((name) => attributeId(target, name, comparison)) ??
        built.get(target)?.primaryKey?.attributes ??
        [];
      const pairs = key.attributes.map((name, place) => ({
        from: attributeId(relation, name, comparison),
        to: to[place] ?? '',
      }));
      const reason = reasonOf(built.has(target), pairs, to.length, known, { own: nameParts, target: key.target });
      if (reason === undefined) {
        const id = foreignKeyId(relation, target, pairs);
        if (!found.has(id)) found.set(id, { id, relation, target, pairs });
        continue;
      }
      const targetName = partsOf(key.target).join('.');
      gaps.push({
        subject: partsOf(nameParts).join('.'),
        reason: `foreign key (${key.attributes.join(', ')}) to ${targetName}: ${reason}`,
        foreignKey: { attributes: key.attributes, target: targetName },
      });
    }
  }
  return [...found.values()];
}

/** Why a foreign key cannot stand in a schema; undefined when it can. */
function reasonOf(
  isThere: boolean,
  pairs: ForeignKey['pairs'],
  targets: number,
  known: (id: AttributeId) => boolean,
  names: { readonly own: NameParts; readonly target: NameParts },
): string | undefined {
  if (!isThere) return 'its target does not exist or may not be seen';
  if (pairs.length === 0 || pairs.length !== targets)
    return `it has ${pairs.length} columns, and what it refers to has ${targets}: they do not fit together`;
  const unknown = pairs.find(({ from, to }) => !known(from) || !known(to));
  if (unknown === undefined) return undefined;
  return `${(known(unknown.from) ? names.target : names.own).relation} has no such column`;
}

/** One member is not a family. */
function familiesOf(drafts: readonly DraftRelation[], parts: readonly BuiltRelation[]): Catalog['families'] {
  const members = new Map<string, { readonly pattern: string; readonly members: RelationId[] }>();
  for (const [index, { familyPattern, nameParts }] of drafts.entries()) {
    const id = parts[index]?.relation.id;
    if (familyPattern === undefined || id === undefined) continue;
    const key = JSON.stringify([nameParts.database, nameParts.schema, familyPattern]);
    const family = members.get(key) ?? { pattern: familyPattern, members: [] };
    family.members.push(id);
    members.set(key, family);
  }
  return [...members.values()].filter((family) => family.members.length > 1);
}
