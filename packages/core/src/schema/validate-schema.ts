import type { AttributeId, ForeignKey, RelationId, Schema } from './schema.ts';
import { DATA_TYPES } from './schema.ts';
import type { SchemaBreach, SchemaRule } from './schema-breach.ts';
import { LAWFUL_IN_CATALOGS } from './schema-breach.ts';
import type { NameComparison } from './schema-id.ts';
import { foldName } from './schema-id.ts';
import type { IndexableCatalog, NameComparisons, SchemaIndex } from './schema-index.ts';
import { indexSchema } from './schema-index.ts';

/** What {@link validateSchema} reads of a catalog. */
export interface ValidatableCatalog extends IndexableCatalog {
  readonly relations: Readonly<
    Record<RelationId, IndexableCatalog['relations'][RelationId] & { readonly kind: string }>
  >;
  /** UNIQUE over several attributes. */
  readonly uniqueKeys: readonly { readonly relation: RelationId; readonly attributes: readonly AttributeId[] }[];
}

interface Validation {
  readonly schema: Schema;
  readonly index: SchemaIndex;
  readonly catalog: ValidatableCatalog | undefined;
  readonly comparison: NameComparison;
  /** UNIQUE over several attributes, by relation. */
  readonly uniqueKeys: ReadonlyMap<RelationId, readonly (readonly AttributeId[])[]>;
  readonly report: (rule: SchemaRule, subject: string, message: string) => void;
}

const CONSTRAINTS: ReadonlySet<string> = new Set(['not null', 'unique']);

/**
 * Every breach of Definition 1 of the Text2Schema paper, in the order relations, attributes, keys, foreign keys,
 * constraints. It never throws and does not stop at the first. A schema is judged as a logical schema, where each
 * breach is an `error`; what a catalog's live database does lawfully is a `warning`. An empty list means that the
 * schema is valid.
 */
export function validateSchema(source: Schema | ValidatableCatalog, options: NameComparisons = {}): SchemaBreach[] {
  const catalog = 'schema' in source ? source : undefined;
  const schema = 'schema' in source ? source.schema : source;
  const breaches: SchemaBreach[] = [];
  const index = indexSchema(source, options);
  const validation: Validation = {
    schema,
    index,
    catalog,
    comparison: index.nameComparison,
    uniqueKeys: uniqueKeysByRelation(catalog),
    report(rule, subject, message) {
      const severity = catalog !== undefined && LAWFUL_IN_CATALOGS.has(rule) ? 'warning' : 'error';
      breaches.push({ rule, severity, subject, message });
    },
  };
  checkRelations(validation);
  checkAttributes(validation);
  checkPrimaryKeys(validation);
  checkForeignKeys(validation);
  checkDomainConstraints(validation);
  return breaches;
}

function uniqueKeysByRelation(catalog: ValidatableCatalog | undefined): Map<RelationId, (readonly AttributeId[])[]> {
  const keys = new Map<RelationId, (readonly AttributeId[])[]>();
  for (const { relation, attributes } of catalog?.uniqueKeys ?? []) {
    const others = keys.get(relation);
    if (others === undefined) keys.set(relation, [attributes]);
    else others.push(attributes);
  }
  return keys;
}

function checkRelations({ schema, index, catalog, report }: Validation): void {
  const ids = new Set<string>();
  const names = new Set<string>();
  for (const { id, name } of schema.relations) {
    if (ids.has(id)) report('relation-id-duplicate', id, `Two relations have the id ${quote(id)}.`);
    ids.add(id);
    const parts = catalog?.relations[id]?.nameParts;
    const path = parts === undefined ? [name] : [parts.database ?? '', parts.schema ?? '', parts.relation];
    const key = foldName(JSON.stringify(path), index.relationComparison);
    if (names.has(key)) report('relation-name-duplicate', id, `Two relations are called ${quote(name)}; rename one.`);
    names.add(key);
    if (name.trim() === '') report('relation-name-empty', id, `The relation with the id ${quote(id)} has no name.`);
    if (index.attributesOf(id).length === 0)
      report('relation-without-attributes', id, `The relation ${quote(name)} has no attributes.`);
    const kind = catalog?.relations[id]?.kind;
    const isView = kind === 'view' || kind === 'materialized view';
    if (!isView && index.primaryKey(id) === undefined)
      report('relation-without-key', id, `The relation ${quote(name)} has no primary key.`);
  }
}

function checkAttributes({ schema, index, comparison, report }: Validation): void {
  const ids = new Set<string>();
  const names = new Set<string>();
  for (const { id, relation, name, type } of schema.attributes) {
    if (ids.has(id)) report('attribute-id-duplicate', id, `Two attributes have the id ${quote(id)}.`);
    ids.add(id);
    const owner = index.relation(relation);
    if (owner === undefined)
      report(
        'attribute-of-no-relation',
        id,
        `The attribute ${quote(name)} belongs to ${quote(relation)}, which is no relation.`,
      );
    const key = JSON.stringify([relation, foldName(name, comparison)]);
    if (names.has(key))
      report(
        'attribute-name-duplicate',
        id,
        `The relation ${quote(owner?.name ?? relation)} has two attributes ${quote(name)}.`,
      );
    names.add(key);
    if (name.trim() === '') report('attribute-name-empty', id, `The attribute with the id ${quote(id)} has no name.`);
    if (!DATA_TYPES.includes(type))
      report(
        'attribute-type-unknown',
        id,
        `The type of ${label(index, id)} is ${quote(type)}; it must be one of ${DATA_TYPES.join(', ')}.`,
      );
  }
}

function checkPrimaryKeys({ schema, index, report }: Validation): void {
  const seen = new Set<string>();
  for (const { relation, attributes } of schema.primaryKeys) {
    const owner = index.relation(relation);
    const name = quote(owner?.name ?? relation);
    if (owner === undefined)
      report('primary-key-of-no-relation', relation, `A primary key belongs to ${name}, which is no relation.`);
    if (seen.has(relation))
      report(
        'primary-key-duplicate',
        relation,
        `The relation ${name} has two primary keys; keep one, make the other unique.`,
      );
    seen.add(relation);
    if (attributes.length === 0) report('primary-key-empty', relation, `The primary key of ${name} has no attributes.`);
    const members = new Set<AttributeId>();
    for (const id of attributes) {
      const attribute = index.attribute(id);
      if (members.has(id))
        report(
          'primary-key-attribute-repeated',
          relation,
          `The primary key of ${name} names ${label(index, id)} twice.`,
        );
      members.add(id);
      if (attribute === undefined)
        report(
          'primary-key-attribute-missing',
          relation,
          `The primary key of ${name} names ${quote(id)}, which is no attribute.`,
        );
      else if (attribute.relation !== relation)
        report(
          'primary-key-attribute-foreign',
          relation,
          `The primary key of ${name} names ${label(index, id)} of another relation.`,
        );
    }
  }
}

function checkForeignKeys(validation: Validation): void {
  const { schema, index, report } = validation;
  const ids = new Set<string>();
  for (const key of schema.foreignKeys) {
    if (ids.has(key.id)) report('foreign-key-id-duplicate', key.id, `Two foreign keys have the id ${quote(key.id)}.`);
    ids.add(key.id);
    const from = index.relation(key.relation);
    const to = index.relation(key.target);
    if (from === undefined)
      report(
        'foreign-key-relation-missing',
        key.id,
        `A foreign key belongs to ${quote(key.relation)}, which is no relation.`,
      );
    if (to === undefined)
      report(
        'foreign-key-target-missing',
        key.id,
        `A foreign key of ${quote(from?.name ?? key.relation)} references ${quote(key.target)}, which is no relation.`,
      );
    if (key.pairs.length === 0)
      report('foreign-key-empty', key.id, `A foreign key of ${quote(from?.name ?? key.relation)} has no attributes.`);
    const sound = key.pairs.map((pair) => checkPair(validation, key, pair)).every(Boolean);
    const pairs = new Set(key.pairs.map(({ from: source, to: target }) => JSON.stringify([source, target])));
    if (pairs.size < key.pairs.length)
      report(
        'foreign-key-pair-repeated',
        key.id,
        `A foreign key of ${quote(from?.name ?? key.relation)} names a pair of attributes twice.`,
      );
    if (sound && to !== undefined && key.pairs.length > 0) checkTarget(validation, key);
  }
}

/** True when both attributes exist where they should. */
function checkPair({ index, report }: Validation, key: ForeignKey, pair: ForeignKey['pairs'][number]): boolean {
  let sound = true;
  for (const [id, relation] of [[pair.from, key.relation] as const, [pair.to, key.target] as const]) {
    const attribute = index.attribute(id);
    const name = quote(index.relation(relation)?.name ?? relation);
    if (attribute === undefined)
      report(
        'foreign-key-attribute-missing',
        key.id,
        `A foreign key names ${quote(id)} of ${name}, which is no attribute.`,
      );
    else if (attribute.relation !== relation)
      report(
        'foreign-key-attribute-foreign',
        key.id,
        `A foreign key names ${label(index, id)} as an attribute of ${name}.`,
      );
    sound &&= attribute?.relation === relation;
  }
  const from = index.attribute(pair.from);
  const to = index.attribute(pair.to);
  if (from !== undefined && to !== undefined && from.type !== to.type)
    report(
      'foreign-key-type-mismatch',
      key.id,
      `${label(index, from.id)} (${from.type}) references ${label(index, to.id)} (${to.type}); give both one type.`,
    );
  return sound;
}

/** A foreign key must reference the whole primary key; a unique key is what engines accept instead. */
function checkTarget({ index, uniqueKeys, report }: Validation, key: ForeignKey): void {
  const targets = new Set(key.pairs.map((pair) => pair.to));
  const covers = (attributes: readonly AttributeId[]): boolean =>
    attributes.length === targets.size && attributes.every((id) => targets.has(id));
  if (covers(index.primaryKey(key.target)?.attributes ?? [])) return;
  const [only] = targets;
  const single = targets.size === 1 && only !== undefined && index.isUnique(only);
  const composite = uniqueKeys.get(key.target)?.some(covers) ?? false;
  const names = [...targets].map((id) => label(index, id)).join(', ');
  if (single || composite)
    report(
      'foreign-key-target-only-unique',
      key.id,
      `A foreign key references ${names}, which is unique but not the primary key.`,
    );
  else
    report(
      'foreign-key-target-no-key',
      key.id,
      `A foreign key references ${names}, which is no key; reference the primary key of ${quote(index.relation(key.target)?.name ?? key.target)}.`,
    );
}

function checkDomainConstraints({ schema, index, report }: Validation): void {
  const seen = new Set<string>();
  for (const { attribute, constraint } of schema.domainConstraints) {
    if (index.attribute(attribute) === undefined)
      report(
        'domain-constraint-attribute-missing',
        attribute,
        `A constraint ${quote(constraint)} names ${quote(attribute)}, which is no attribute.`,
      );
    if (!CONSTRAINTS.has(constraint))
      report(
        'domain-constraint-unknown',
        attribute,
        `${label(index, attribute)} has the constraint ${quote(constraint)}; it must be \`not null\` or \`unique\`.`,
      );
    const key = JSON.stringify([attribute, constraint]);
    if (seen.has(key))
      report(
        'domain-constraint-duplicate',
        attribute,
        `${label(index, attribute)} has the constraint ${quote(constraint)} twice.`,
      );
    seen.add(key);
  }
}

function label(index: SchemaIndex, id: AttributeId): string {
  const attribute = index.attribute(id);
  if (attribute === undefined) return quote(id);
  return quote(`${index.relation(attribute.relation)?.name ?? attribute.relation}.${attribute.name}`);
}

function quote(name: string): string {
  return `\`${name}\``;
}
