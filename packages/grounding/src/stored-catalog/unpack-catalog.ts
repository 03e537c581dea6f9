import {
  type Attribute,
  type AttributeId,
  type AttributeInfo,
  type Catalog,
  DATA_TYPES,
  type DataType,
  type DomainConstraint,
  foreignKeyId,
  type Relation,
  type RelationInfo,
} from '@askema/core';
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
  const names = listOf(parts.names, isNumber);
  const rest = restOf(parts.rest);

  const relations: Relation[] = [];
  const relationInfos: Record<string, RelationInfo> = {};
  for (const row of listOf(parts.relations, Array.isArray)) {
    const [id, name, info] = row;
    if (!isText(id) || !isText(name)) throw new BrokenForm('a relation');
    relations.push({ id, name });
    put(relationInfos, id, checked(info, RELATION_FIELDS) as RelationInfo);
  }

  const infos = listOf(parts.infos, isOf(ATTRIBUTE_FIELDS) as (item: unknown) => item is AttributeInfo);
  const attributes: Attribute[] = [];
  // The parser has made it: a name such as `__proto__` is a key like any other in it. Each number gives way to what it means.
  const attributeInfos = fields(parts.attributes) as Record<string, AttributeInfo>;
  const ids = Object.keys(attributeInfos);
  for (let run = 0; run < runs.length; run += 2) {
    const relation = at(relations, runs[run]).id;
    const start = `${relation}#`;
    const end = attributes.length + (runs[run + 1] ?? 0);
    for (let place = attributes.length; place < end; place += 1) {
      const id = at(ids, place);
      const type = at(texts, names[2 * place + 1]);
      if (!id.startsWith(start) || !isDataType(type)) throw new BrokenForm('an attribute');
      attributes.push({ id, relation, name: at(texts, names[2 * place]), type });
      attributeInfos[id] = at(infos, attributeInfos[id]);
    }
  }
  if (attributes.length !== ids.length) throw new BrokenForm('the attributes');

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
    attributes: attributeInfos,
  };
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
const isOf = (allowed: Fields): Check => {
  return (value) => isRecord(value) && fits(value as object, allowed);
};

/** Each field that there may be; with `needed`, those that there must be. */
interface Fields {
  readonly needed: Readonly<Record<string, Check>>;
  readonly others?: Readonly<Record<string, Check>>;
}

const NAME_PARTS: Fields = { needed: { relation: isText }, others: { database: isText, schema: isText } };
const TAG: Fields = { needed: { name: isText }, others: { value: isText } };
const NESTED: Fields = { needed: { path: isListOf(isText), nativeType: isText }, others: { comment: isText } };
const RELATION_FIELDS: Fields = {
  needed: { nameParts: isOf(NAME_PARTS), kind: isText },
  others: {
    comment: isText,
    rowCount: isNumber,
    rowCountExact: isFlag,
    byteCount: isNumber,
    partitioning: isOf({ needed: { attributes: isListOf(isText), filterRequired: isFlag, kind: isText } }),
    definition: isText,
    parents: isListOf(isOf(NAME_PARTS)),
    remote: isTrue,
    tags: isListOf(isOf(TAG)),
  },
};
const ATTRIBUTE_FIELDS: Fields = {
  needed: { position: isNumber, nativeType: isText },
  others: {
    comment: isText,
    defaultExpression: isText,
    generated: isText,
    collation: isText,
    nestedFields: isListOf(isOf(NESTED)),
    masked: isTrue,
    tags: isListOf(isOf(TAG)),
  },
};
const GAP: Fields = {
  needed: { subject: isText, reason: isText },
  others: { affects: isText, foreignKey: isOf({ needed: { attributes: isListOf(isText), target: isText } }) },
};
const REST_FIELDS: Fields = {
  needed: {
    schemaVersion: (value) => value === 1,
    dialect: isText,
    name: isText,
    nameComparison: isText,
    uniqueKeys: isListOf(isOf({ needed: { relation: isText, attributes: isListOf(isText) } })),
    checks: isListOf(isOf({ needed: { relation: isText, expression: isText } })),
    families: isListOf(isOf({ needed: { pattern: isText, members: isListOf(isText) } })),
    keyStanding: (value) => isRecord(value) && Object.values(value as object).every(isText),
    incomplete: isListOf(isOf(GAP)),
    fingerprint: isText,
  },
  others: { relationComparison: isText, inferredKeys: isRecord },
};

function fits(value: object, { needed, others = {} }: Fields): boolean {
  let found = 0;
  for (const [field, inner] of Object.entries(value)) {
    const isNeeded = Object.hasOwn(needed, field);
    const check = isNeeded ? needed[field] : Object.hasOwn(others, field) ? others[field] : undefined;
    if (check === undefined || !check(inner)) return false;
    if (isNeeded) found += 1;
  }
  return found === Object.keys(needed).length;
}

function checked(value: unknown, allowed: Fields): unknown {
  if (isOf(allowed)(value)) return value;
  throw new BrokenForm('what is known of a relation or an attribute');
}

function restOf(value: unknown): PackedCatalog['rest'] {
  return checked(value, REST_FIELDS) as PackedCatalog['rest'];
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
