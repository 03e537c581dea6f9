import {
  AskemaError,
  type AttributeId,
  type Catalog,
  type Dialect,
  foldName,
  indexSchema,
  type NameParts,
  oneLine,
  qualifiedName,
  type RelationId,
  type Schema,
  type SchemaIndex,
  type SchemaRule,
  validateSchema,
} from '@askema/core';
import { nameLength } from './name-length.ts';

/** What the writers of DDL and diagrams read: a schema, and a catalog around it if there is one. */
export interface DdlSource {
  readonly schema: Schema;
  readonly index: SchemaIndex;
  readonly catalog: Catalog | undefined;
  /** True for a catalog of the dialect that is written: only then are native types, defaults and checks taken over. */
  readonly native: boolean;
  readonly uniqueKeys: ReadonlyMap<RelationId, readonly (readonly AttributeId[])[]>;
  readonly checks: ReadonlyMap<RelationId, readonly string[]>;
}

/** Breaches without which a statement can still be written; all others make it wrong or impossible. */
const HARMLESS: ReadonlySet<SchemaRule> = new Set<SchemaRule>([
  'relation-name-empty',
  'relation-without-key',
  'attribute-name-empty',
  'foreign-key-id-duplicate',
  'foreign-key-pair-repeated',
  'foreign-key-type-mismatch',
  'foreign-key-target-only-unique',
  'foreign-key-target-no-key',
  'domain-constraint-duplicate',
  'domain-constraint-unknown',
]);

/**
 * @throws AskemaError `SCHEMA_INVALID` for a schema that refers to what is not there, or that the dialect cannot hold
 * under these names.
 */
export function readSource(source: Schema | Catalog, dialect: Dialect): DdlSource {
  const catalog = 'schema' in source ? source : undefined;
  const schema = 'schema' in source ? source.schema : source;
  const index = indexSchema(source, comparisonsOf(dialect));
  const ddlSource: DdlSource = {
    schema,
    index,
    catalog,
    native: catalog?.dialect === dialect.name,
    uniqueKeys: groupUniqueKeys(schema, catalog, index),
    checks: groupChecks(catalog),
  };
  throwOnBreach(source, ddlSource, dialect);
  throwOnEqualNames(ddlSource, dialect);
  throwOnLongNames(ddlSource, dialect);
  return ddlSource;
}

/** The parts of a relation's name; a schema without a catalog has nothing but the name. */
export function namePartsOf({ catalog, index }: Pick<DdlSource, 'catalog' | 'index'>, relation: RelationId): NameParts {
  return catalog?.relations[relation]?.nameParts ?? { relation: index.relation(relation)?.name ?? relation };
}

/** True for what CREATE TABLE makes. */
export function isTable({ catalog }: Pick<DdlSource, 'catalog'>, relation: RelationId): boolean {
  return (catalog?.relations[relation]?.kind ?? 'table') === 'table';
}

function comparisonsOf({ identifiers }: Dialect): NonNullable<Parameters<typeof indexSchema>[1]> {
  return { nameComparison: identifiers.comparison, relationComparison: identifiers.relationComparison };
}

function throwOnBreach(source: Schema | Catalog, ddlSource: DdlSource, dialect: Dialect): void {
  const breaches = validateSchema(source, comparisonsOf(dialect)).filter(({ rule, severity, subject }) =>
    rule === 'relation-without-attributes' ? isTable(ddlSource, subject) : severity === 'error' && !HARMLESS.has(rule),
  );
  if (breaches.length === 0) return;
  const shown = breaches.slice(0, 3).map(({ message }) => message);
  const more = breaches.length > 3 ? ` And ${breaches.length - 3} more; validateSchema lists them all.` : '';
  throw new AskemaError('SCHEMA_INVALID', `No DDL can be written for this schema. ${shown.join(' ')}${more}`, {
    details: { breaches },
  });
}

/** Qualifiers that the dialect does not have are left out; two relations may then have one and the same name. */
function throwOnEqualNames(source: DdlSource, dialect: Dialect): void {
  const { comparison, relationComparison = comparison } = dialect.identifiers;
  const seen = new Set<string>();
  for (const { id } of source.schema.relations) {
    const name = qualifiedName(namePartsOf(source, id), dialect, 'always');
    const folded = foldName(name, relationComparison);
    if (seen.has(folded))
      throw new AskemaError(
        'SCHEMA_INVALID',
        `Two relations would both be called ${name} in ${dialect.displayName}; rename one, or write them one by one.`,
      );
    seen.add(folded);
  }
}

/** An engine would refuse such a name, or cut it off without a word (PostgreSQL). */
function throwOnLongNames(source: DdlSource, dialect: Dialect): void {
  const { maxLength, qualifiers, lengthUnit = 'characters' } = dialect.identifiers;
  if (maxLength === undefined) return;
  const names = source.schema.relations.flatMap(({ id }) => {
    const parts = namePartsOf(source, id);
    return [...qualifiers.flatMap((qualifier) => parts[qualifier] ?? []), parts.relation];
  });
  const long = [...names, ...source.schema.attributes.map(({ name }) => name)].filter(
    (name) => nameLength(name, dialect) > maxLength,
  );
  if (long.length === 0) return;
  const first = long[0] ?? '';
  const more = long.length > 1 ? ` So are ${long.length - 1} more names.` : '';
  throw new AskemaError(
    'SCHEMA_INVALID',
    `The name ${JSON.stringify(oneLine(first).slice(0, 200))} is too long for ${dialect.displayName}: ${nameLength(first, dialect)} ${lengthUnit}, where ${maxLength} are allowed.${more} Give it a shorter name in the schema.`,
    { details: { names: long } },
  );
}

/** UNIQUE of one attribute and of several, each once, and none that is the primary key itself. */
function groupUniqueKeys(
  schema: Schema,
  catalog: Catalog | undefined,
  index: SchemaIndex,
): Map<RelationId, (readonly AttributeId[])[]> {
  const groups = new Map<RelationId, (readonly AttributeId[])[]>();
  const seen = new Set<string>();
  const add = (relation: RelationId, attributes: readonly AttributeId[]): void => {
    const key = JSON.stringify(attributes);
    const isPrimary = JSON.stringify(index.primaryKey(relation)?.attributes) === key;
    if (isPrimary || seen.has(key)) return;
    seen.add(key);
    const group = groups.get(relation);
    if (group === undefined) groups.set(relation, [attributes]);
    else group.push(attributes);
  };
  for (const { attribute, constraint } of schema.domainConstraints) {
    const relation = index.attribute(attribute)?.relation;
    if (constraint === 'unique' && relation !== undefined) add(relation, [attribute]);
  }
  for (const { relation, attributes } of catalog?.uniqueKeys ?? []) add(relation, attributes);
  return groups;
}

function groupChecks(catalog: Catalog | undefined): Map<RelationId, string[]> {
  const groups = new Map<RelationId, string[]>();
  for (const { relation, expression } of catalog?.checks ?? []) {
    const group = groups.get(relation);
    if (group === undefined) groups.set(relation, [expression]);
    else group.push(expression);
  }
  return groups;
}
