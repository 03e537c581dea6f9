import type { JoinPath, JoinPathOptions } from './join-path.ts';
import { findJoinPaths } from './join-path.ts';
import type {
  Attribute,
  AttributeId,
  DomainConstraint,
  ForeignKey,
  ForeignKeyId,
  PrimaryKey,
  Relation,
  RelationId,
  Schema,
} from './schema.ts';
import type { NameComparison, NameParts } from './schema-id.ts';
import { foldName, relationId, relationNameParts } from './schema-id.ts';

/** What {@link indexSchema} reads of a catalog. */
export interface IndexableCatalog {
  readonly schema: Schema;
  readonly nameComparison: NameComparison;
  readonly relationComparison?: NameComparison | undefined;
  readonly relations: Readonly<Record<RelationId, { readonly nameParts: NameParts }>>;
}

/** How names compare in a schema without a catalog; a catalog says it itself. */
export interface NameComparisons {
  readonly nameComparison?: NameComparison | undefined;
  /** Of relations, where that differs from `nameComparison`. */
  readonly relationComparison?: NameComparison | undefined;
}

/**
 * The only look-up into a schema. Every list is in the order of the schema; an unknown id gives undefined or an empty
 * list.
 */
export interface SchemaIndex {
  readonly schema: Schema;
  /** Of attributes, and of relations too where `relationComparison` is the same. */
  readonly nameComparison: NameComparison;
  readonly relationComparison: NameComparison;
  relation(id: RelationId): Relation | undefined;
  /**
   * All relations of that name. Parts (outermost first) narrow it: `['sales', 'orders']`. A string is taken for the
   * bare name; if no relation has it, its dots are taken for separators.
   */
  relationsNamed(name: string | readonly string[]): readonly Relation[];
  attribute(id: AttributeId): Attribute | undefined;
  attributesOf(relation: RelationId): readonly Attribute[];
  attributeNamed(relation: RelationId, name: string): Attribute | undefined;
  /** All attributes of that name, in any relation. */
  attributesNamed(name: string): readonly Attribute[];
  primaryKey(relation: RelationId): PrimaryKey | undefined;
  foreignKey(id: ForeignKeyId): ForeignKey | undefined;
  foreignKeysFrom(relation: RelationId): readonly ForeignKey[];
  foreignKeysTo(relation: RelationId): readonly ForeignKey[];
  /** The domain constraints of one attribute. */
  constraintsOn(attribute: AttributeId): readonly DomainConstraint['constraint'][];
  isNotNull(attribute: AttributeId): boolean;
  /** True when a constraint says so, or when the attribute is the whole primary key. */
  isUnique(attribute: AttributeId): boolean;
  /** Relations that a foreign key connects with this one, in either direction, without itself. */
  neighbours(relation: RelationId): readonly RelationId[];
  /**
   * All shortest ways along foreign keys from one relation to another, in a fixed order. `[[]]` from a relation to
   * itself, `[]` when there is no way.
   */
  joinPaths(from: RelationId, to: RelationId, options?: JoinPathOptions): readonly JoinPath[];
}

/** Catalogs are immutable data: each is indexed once. */
const ofCatalogs = new WeakMap<IndexableCatalog, SchemaIndex>();

/**
 * The look-up of a schema or a catalog, built in time linear in its size, for a catalog once. With duplicate ids the
 * first one counts (`validateSchema` reports them).
 */
export function indexSchema(source: Schema | IndexableCatalog, options: NameComparisons = {}): SchemaIndex {
  if (!('schema' in source)) return buildIndex(source, options);
  const known = ofCatalogs.get(source) ?? buildIndex(source, options);
  ofCatalogs.set(source, known);
  return known;
}

function buildIndex(source: Schema | IndexableCatalog, options: NameComparisons): SchemaIndex {
  const catalog = 'schema' in source ? source : undefined;
  const schema = 'schema' in source ? source.schema : source;
  const comparison = catalog?.nameComparison ?? options.nameComparison ?? 'insensitive';
  const ofRelations =
    catalog === undefined
      ? (options.relationComparison ?? comparison)
      : (catalog.relationComparison ?? catalog.nameComparison);
  const relations = firstById(schema.relations);
  const foreignKeys = once(() => firstById(schema.foreignKeys));
  const attributesByRelation = byRelation(schema.attributes);
  const attributes = attributesById(schema.attributes, attributesByRelation);
  const keys = new Map<RelationId, PrimaryKey>();
  for (const key of schema.primaryKeys) if (!keys.has(key.relation)) keys.set(key.relation, key);
  const outgoing = Map.groupBy(schema.foreignKeys, (key) => key.relation);
  const incoming = Map.groupBy(schema.foreignKeys, (key) => key.target);
  const constraints = constraintsByAttribute(schema.domainConstraints);
  const constraintsOn = (id: AttributeId) => constraints.get(id) ?? [];
  const byName = once(() => relationsByName(schema.relations, ofRelations, catalog));
  const attributesByName = once(() => Map.groupBy(schema.attributes, ({ name }) => foldName(name, comparison)));
  const attributesByPlace = once(() => attributesInRelations(schema.attributes, comparison));

  const index: SchemaIndex = {
    schema,
    nameComparison: comparison,
    relationComparison: ofRelations,
    relation: (id) => relations.get(id),
    relationsNamed(name) {
      const parts = typeof name === 'string' ? [name] : name;
      const found = byName().get(relationId(parts, ofRelations));
      if (found !== undefined || typeof name !== 'string') return found ?? [];
      return name.includes('.') ? (byName().get(relationId(name.split('.'), ofRelations)) ?? []) : [];
    },
    attribute: attributes,
    attributesOf: (relation) => attributesByRelation.get(relation) ?? [],
    attributeNamed: (relation, name) => attributesByPlace().get(relation)?.get(foldName(name, comparison)),
    attributesNamed: (name) => attributesByName().get(foldName(name, comparison)) ?? [],
    primaryKey: (relation) => keys.get(relation),
    foreignKey: (id) => foreignKeys().get(id),
    foreignKeysFrom: (relation) => outgoing.get(relation) ?? [],
    foreignKeysTo: (relation) => incoming.get(relation) ?? [],
    constraintsOn,
    isNotNull: (id) => constraintsOn(id).includes('not null'),
    isUnique(id) {
      if (constraintsOn(id).includes('unique')) return true;
      const owner = attributes(id)?.relation;
      const key = owner === undefined ? undefined : keys.get(owner);
      return key?.attributes.length === 1 && key.attributes[0] === id;
    },
    neighbours(relation) {
      const found = new Set<RelationId>();
      for (const key of outgoing.get(relation) ?? []) found.add(key.target);
      for (const key of incoming.get(relation) ?? []) found.add(key.relation);
      found.delete(relation);
      return [...found];
    },
    joinPaths: (from, to, pathOptions) => findJoinPaths(index, from, to, pathOptions),
  };
  return index;
}

/** So many are entered at once; of more, a process that ends after one question would look up few. */
const ENTERED_AT_ONCE = 20_000;

function attributesById(
  attributes: readonly Attribute[],
  ofRelation: ReadonlyMap<RelationId, readonly Attribute[]>,
): (id: AttributeId) => Attribute | undefined {
  const all = once(() => firstById(attributes));
  if (attributes.length <= ENTERED_AT_ONCE) return (id) => all().get(id);
  const known = new Map<AttributeId, Attribute>();
  return (id) => {
    const found = known.get(id) ?? ofRelation.get(id.slice(0, id.lastIndexOf('#')))?.find((one) => one.id === id);
    if (found === undefined) return all().get(id);
    known.set(id, found);
    return found;
  };
}

/** Those of one relation mostly stand together. */
function byRelation(attributes: readonly Attribute[]): Map<RelationId, Attribute[]> {
  const groups = new Map<RelationId, Attribute[]>();
  let last: RelationId | undefined;
  let group: Attribute[] = [];
  for (const attribute of attributes) {
    if (attribute.relation !== last) {
      last = attribute.relation;
      group = groups.get(last) ?? [];
      groups.set(last, group);
    }
    group.push(attribute);
  }
  return groups;
}

function firstById<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  const map = new Map<string, T>();
  // From the end, so that the first one stays: to look before each is as much work again.
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at] as T;
    map.set(item.id, item);
  }
  return map;
}

function constraintsByAttribute(
  constraints: readonly DomainConstraint[],
): Map<AttributeId, DomainConstraint['constraint'][]> {
  const groups = new Map<AttributeId, DomainConstraint['constraint'][]>();
  for (const { attribute, constraint } of constraints) {
    const group = groups.get(attribute);
    if (group === undefined) groups.set(attribute, [constraint]);
    else group.push(constraint);
  }
  return groups;
}

/** Each relation under its bare name and under every longer end of its qualified name. */
function relationsByName(
  relations: readonly Relation[],
  comparison: NameComparison,
  catalog: IndexableCatalog | undefined,
): Map<string, Relation[]> {
  const map = new Map<string, Relation[]>();
  for (const relation of relations) {
    const parts = catalog?.relations[relation.id]?.nameParts;
    const qualifiers =
      parts === undefined
        ? relationNameParts(relation.id).slice(0, -1)
        : [parts.database, parts.schema].filter((part) => part !== undefined);
    let ending: string[] = [parts?.relation ?? relation.name];
    for (let next = qualifiers.length; next >= 0; next -= 1) {
      const key = relationId(ending, comparison);
      const group = map.get(key);
      if (group === undefined) map.set(key, [relation]);
      else group.push(relation);
      ending = [qualifiers[next - 1] ?? '', ...ending];
    }
  }
  return map;
}

function attributesInRelations(
  attributes: readonly Attribute[],
  comparison: NameComparison,
): Map<RelationId, Map<string, Attribute>> {
  const places = new Map<RelationId, Map<string, Attribute>>();
  for (const attribute of attributes) {
    let names = places.get(attribute.relation);
    if (names === undefined) {
      names = new Map();
      places.set(attribute.relation, names);
    }
    const name = foldName(attribute.name, comparison);
    if (!names.has(name)) names.set(name, attribute);
  }
  return places;
}

function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
