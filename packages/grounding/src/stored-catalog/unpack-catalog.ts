import {
  type Attribute,
  type AttributeId,
  type AttributeInfo,
  type Catalog,
  type CatalogGap,
  type CatalogTag,
  DATA_TYPES,
  type DataType,
  type DomainConstraint,
  foreignKeyId,
  type NameParts,
  type NestedField,
  type Relation,
  type RelationId,
  type RelationInfo,
  type TableFamily,
} from '@askema/core';
import { attributeInfos } from './attribute-infos.ts';
import type { PackedCatalog } from './pack-catalog.ts';

/** Thrown for what {@link packCatalog} cannot have written. */
export class BrokenForm extends Error {
  override readonly name = 'BrokenForm';
}

/**
 * The catalog of a packed form. Nothing of it is believed: what was read may be of another version, cut, or made by anybody.
 *
 * @throws BrokenForm
 */
export function unpackCatalog(packed: unknown): Catalog {
  const parts = fields(packed) as Partial<PackedCatalog>;
  const texts = listOf(parts.texts, isText);
  const runs = listOf(parts.runs, isNumber);
  const places = listOf(parts.attributes, isNumber);
  const rest = restOf(parts.rest);

  const relations: Relation[] = [];
  const relationInfos: Record<string, RelationInfo> = {};
  for (const row of listOf(parts.relations, Array.isArray)) {
    const [id, name, info] = row;
    if (!isText(id) || !isText(name)) throw new BrokenForm('a relation');
    relations.push({ id, name });
    put(relationInfos, id, checked(info, isRelationInfo) as RelationInfo);
  }

  const columns = columnsOf(parts, texts);
  const attributes: Attribute[] = [];
  const ofAttributes: AttributeInfo[] = [];
  const starts = new Map<RelationId, number>();
  for (let run = 0; run < runs.length; run += 2) {
    const relation = at(relations, runs[run]).id;
    const start = `${relation}#`;
    starts.set(relation, attributes.length);
    const end = attributes.length + (runs[run + 1] ?? 0);
    for (let place = attributes.length; place < end; place += 1) {
      const { own, name, type, info } = at(columns, places[place]);
      attributes.push({ id: start + own, relation, name, type });
      ofAttributes.push(info);
    }
  }
  if (attributes.length !== places.length) throw new BrokenForm('the attributes');

  const idAt = (place: unknown): AttributeId => at(attributes, place).id;
  const primaryKeys = listOf(parts.primaryKeys, Array.isArray).map(([relation, ...own]) => ({
    relation: at(relations, relation).id,
    attributes: own.map(idAt),
  }));
  const foreignKeys = listOf(parts.foreignKeys, Array.isArray).map(([from, to, ...ends]) => {
    const pairs: { from: AttributeId; to: AttributeId }[] = [];
    for (let end = 0; end < ends.length; end += 2) pairs.push({ from: idAt(ends[end]), to: idAt(ends[end + 1]) });
    const [relation, target] = [at(relations, from).id, at(relations, to).id];
    return { id: foreignKeyId(relation, target, pairs), relation, target, pairs };
  });
  const constraints = listOf(parts.constraints, isNumber);
  const domainConstraints: DomainConstraint[] = [];
  for (let place = 0; place < constraints.length; place += 2) {
    const constraint = at(texts, constraints[place + 1]);
    if (constraint !== 'not null' && constraint !== 'unique') throw new BrokenForm('a constraint');
    domainConstraints.push({ attribute: idAt(constraints[place]), constraint });
  }
  return {
    ...rest,
    schema: { relations, attributes, primaryKeys, foreignKeys, domainConstraints },
    relations: relationInfos,
    attributes: attributeInfos(attributes, ofAttributes, starts),
  };
}

/** What attributes of several relations may have in common. */
interface Column extends Pick<Attribute, 'name' | 'type'> {
  /** The id without that of the relation. */
  readonly own: string;
  readonly info: AttributeInfo;
}

function columnsOf(parts: Partial<PackedCatalog>, texts: readonly string[]): readonly Column[] {
  const infos = listOf(parts.infos, isAttributeInfo as (item: unknown) => item is AttributeInfo);
  const numbers = listOf(parts.columns, isNumber);
  const columns: Column[] = [];
  for (let place = 0; place < numbers.length; place += 4) {
    const type = at(texts, numbers[place + 2]);
    if (!isDataType(type)) throw new BrokenForm('a type');
    const [own, name] = [at(texts, numbers[place]), at(texts, numbers[place + 1])];
    columns.push({ own, name, type, info: at(infos, numbers[place + 3]) });
  }
  return columns;
}

type Check = (value: unknown) => boolean;

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isDataType(text: string): text is DataType {
  return (DATA_TYPES as readonly string[]).includes(text);
}

const isTrue: Check = (value) => value === true;
const isFlag: Check = (value) => typeof value === 'boolean';
const isRecord: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf = (check: Check): Check => {
  return (value) => Array.isArray(value) && value.every(check);
};
/** A record with fields of a type, each of which the compiler wants to be named, and with all of those that it needs. */
const isOf = <T extends object>(
  fields: Readonly<Record<keyof T & string, Check>>,
  ...needed: readonly (keyof T & string)[]
): Check => {
  const checks = new Map<string, Check>(Object.entries(fields));
  return (value) => {
    if (!isRecord(value)) return false;
    for (const field in value as object)
      if (checks.get(field)?.((value as Record<string, unknown>)[field]) !== true) return false;
    return needed.every((field) => Object.hasOwn(value as object, field));
  };
};

const areTexts = isListOf(isText);
const isNameParts = isOf<NameParts>({ relation: isText, database: isText, schema: isText }, 'relation');
const isTag = isOf<CatalogTag>({ name: isText, value: isText }, 'name');
const isNestedField = isOf<NestedField>({ path: areTexts, nativeType: isText, comment: isText }, 'path', 'nativeType');
const isPartitioning = isOf<NonNullable<RelationInfo['partitioning']>>(
  { attributes: areTexts, filterRequired: isFlag, kind: isText },
  ...(['attributes', 'filterRequired', 'kind'] as const),
);
const isRelationInfo = isOf<RelationInfo>(
  {
    nameParts: isNameParts,
    kind: isText,
    comment: isText,
    rowCount: isNumber,
    rowCountExact: isFlag,
    byteCount: isNumber,
    partitioning: isPartitioning,
    definition: isText,
    parents: isListOf(isNameParts),
    remote: isTrue,
    tags: isListOf(isTag),
  },
  ...(['nameParts', 'kind'] as const),
);
const isAttributeInfo = isOf<AttributeInfo>(
  {
    position: isNumber,
    nativeType: isText,
    comment: isText,
    defaultExpression: isText,
    generated: isText,
    collation: isText,
    nestedFields: isListOf(isNestedField),
    masked: isTrue,
    tags: isListOf(isTag),
  },
  ...(['position', 'nativeType'] as const),
);
const isKeyOfGap = isOf<NonNullable<CatalogGap['foreignKey']>>(
  { attributes: areTexts, target: isText },
  'attributes',
  'target',
);
const isGap = isOf<CatalogGap>(
  { subject: isText, reason: isText, affects: isText, foreignKey: isKeyOfGap },
  ...(['subject', 'reason'] as const),
);
const isRest = isOf<PackedCatalog['rest']>(
  {
    schemaVersion: (value) => value === 1,
    dialect: isText,
    name: isText,
    nameComparison: isText,
    relationComparison: isText,
    uniqueKeys: isListOf(
      isOf<Catalog['uniqueKeys'][number]>({ relation: isText, attributes: areTexts }, 'relation', 'attributes'),
    ),
    checks: isListOf(
      isOf<Catalog['checks'][number]>({ relation: isText, expression: isText }, 'relation', 'expression'),
    ),
    families: isListOf(isOf<TableFamily>({ pattern: isText, members: areTexts }, 'pattern', 'members')),
    keyStanding: (value) => isRecord(value) && Object.values(value as object).every(isText),
    inferredKeys: isRecord,
    incomplete: isListOf(isGap),
    fingerprint: isText,
  },
  ...(['schemaVersion', 'dialect', 'name', 'nameComparison', 'uniqueKeys', 'checks', 'families'] as const),
  ...(['keyStanding', 'incomplete', 'fingerprint'] as const),
);

function checked(value: unknown, check: Check): unknown {
  if (check(value)) return value;
  throw new BrokenForm('what is known of a relation or an attribute');
}

function restOf(value: unknown): PackedCatalog['rest'] {
  return checked(value, isRest) as PackedCatalog['rest'];
}

/** The fields of a record. */
function fields(value: unknown): object {
  if (isRecord(value)) return value as object;
  throw new BrokenForm('a record');
}

function listOf<T>(value: unknown, check: (item: unknown) => item is T): readonly T[] {
  if (Array.isArray(value) && value.every(check)) return value as readonly T[];
  throw new BrokenForm('a list');
}

/** The item at a place that was read. */
function at<T>(items: readonly T[], place: unknown): T {
  const item = typeof place === 'number' ? items[place] : undefined;
  if (item === undefined) throw new BrokenForm('a place');
  return item;
}

/** The id of a relation is no name that every object answers to, see `relationId`; and none is there twice. */
function put<T>(record: Record<string, T>, id: string, value: T): void {
  if (id in record) throw new BrokenForm('an id');
  record[id] = value;
}
