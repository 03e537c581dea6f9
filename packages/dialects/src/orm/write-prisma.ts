import {
  type Attribute,
  type AttributeId,
  type Catalog,
  type DataType,
  oneLine,
  type RelationId,
  type Schema,
} from '@askema/core';
import type { DdlSource } from '../ddl/ddl-source.ts';
import { nativeType } from '../ddl/native-type.ts';
import type { OrmTraits } from '../orm-traits.ts';
import { ormOf } from './orm-of.ts';
import { isRequired, type OrmSource, readOrmSource } from './orm-source.ts';
import { fieldName, modelName } from './prisma-names.ts';
import { type RelationField, relationFields } from './prisma-relations.ts';
import { stableNames } from './stable-names.ts';

/** Databases that Prisma's schema can be written for. */
export type PrismaProvider = OrmTraits['name'];

/** Which database {@link writePrisma} writes for. */
export interface WritePrismaOptions {
  readonly provider: PrismaProvider;
}

const SCALARS: Readonly<Record<DataType, string>> = {
  NUMERIC: 'Decimal',
  TEXT: 'String',
  DATETIME: 'DateTime',
  BINARY: 'Bytes',
  BOOL: 'Boolean',
};

/**
 * A schema or catalog as a Prisma schema: models with the columns and keys of the DDL of the same database, relations
 * on both sides. Names that Prisma cannot take get a stable other one and `@map` or `@@map`. A relation has a name
 * where two models have more than one between them, or a model refers to itself. A model without a key of required
 * fields is marked `@@ignore`, as Prisma's own introspection does, and its relations stand in comments, like every
 * foreign key that Prisma has no words for (to no key, of other types).
 *
 * Sources: https://www.prisma.io/docs/orm/reference/prisma-schema-reference, and Prisma's own validation. The
 * connection stands in `prisma.config.ts` from Prisma 7 on; older versions want `url` in the `datasource`.
 *
 * @throws AskemaError `SCHEMA_INVALID` as `writeDdl` does.
 */
export function writePrisma(input: Schema | Catalog, { provider }: WritePrismaOptions): string {
  const traits = ormOf(provider);
  const orm = readOrmSource(input, traits.dialect);
  const { source, tables } = orm;
  const names = stableNames(
    tables.map((id) => source.index.relation(id)?.name ?? id),
    modelName,
  );
  const models = new Map(tables.map((id, position) => [id, names[position] ?? '']));
  const fields = new Map(tables.flatMap((id) => fieldNames(source, id)));
  const ignored = new Set(tables.filter((id) => requiredKey(source, id) === undefined));
  const relations = relationFields(orm, { models, fields, ignored, namesKeys: provider !== 'sqlite' });
  const writer: Writer = { orm, traits, models, fields, ignored };
  const parts = [
    `datasource db {\n  provider = "${provider}"\n}`,
    ...orm.leftOut.map((text) => `// left out: ${text}`),
    ...tables.map((id) => model(writer, id, relations.get(id) ?? [])),
  ];
  return `${parts.join('\n\n')}\n`;
}

interface Writer {
  readonly orm: OrmSource;
  readonly traits: OrmTraits;
  readonly models: ReadonlyMap<RelationId, string>;
  readonly fields: ReadonlyMap<AttributeId, string>;
  readonly ignored: ReadonlySet<RelationId>;
}

function fieldNames(source: DdlSource, relation: RelationId): [AttributeId, string][] {
  const attributes = source.index.attributesOf(relation);
  const names = stableNames(
    attributes.map(({ name }) => name),
    fieldName,
  );
  return attributes.map(({ id }, position) => [id, names[position] ?? '']);
}

/** The key by which Prisma finds a row: the primary one, or a unique one without NULLs. */
function requiredKey(source: DdlSource, relation: RelationId): readonly AttributeId[] | undefined {
  const primary = source.index.primaryKey(relation)?.attributes;
  if (primary !== undefined && primary.length > 0) return primary;
  return source.uniqueKeys.get(relation)?.find((key) => key.every((id) => source.index.isNotNull(id)));
}

function model(writer: Writer, relation: RelationId, relations: readonly RelationField[]): string {
  const { orm, models, fields, ignored } = writer;
  const { source } = orm;
  const name = models.get(relation) ?? '';
  const own = source.index.relation(relation)?.name ?? relation;
  const list = (ids: readonly AttributeId[]): string => `[${ids.map((id) => fields.get(id)).join(', ')}]`;
  const primary = source.index.primaryKey(relation)?.attributes ?? [];
  const blocks = [
    ...(primary.length > 1 ? [`@@id(${list(primary)})`] : []),
    ...(source.uniqueKeys.get(relation) ?? []).flatMap((key) => (key.length > 1 ? [`@@unique(${list(key)})`] : [])),
    ...(own === name ? [] : [`@@map(${quoted(own)})`]),
    ...(ignored.has(relation) ? ['@@ignore'] : []),
  ];
  const lines = [
    ...source.index.attributesOf(relation).map((attribute) => scalarField(writer, attribute)),
    ...relations.map(({ text }) => text),
    ...(blocks.length === 0 ? [] : ['']),
    ...blocks,
  ];
  const reason = ignored.has(relation)
    ? [`// ${oneLine(own)} has no key of required columns, by which Prisma could find a row.`]
    : [];
  return [...reason, `model ${name} {`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), '}'].join('\n');
}

function scalarField({ orm, traits, fields }: Writer, attribute: Attribute): string {
  const { source } = orm;
  const name = fields.get(attribute.id) ?? '';
  const primary = source.index.primaryKey(attribute.relation)?.attributes ?? [];
  const isUnique = source.uniqueKeys
    .get(attribute.relation)
    ?.some((key) => key.length === 1 && key[0] === attribute.id);
  const native = traits.prisma[nativeType({ ...source, native: false }, attribute, traits.dialect)];
  return [
    name,
    `${SCALARS[attribute.type]}${isRequired(source, attribute) ? '' : '?'}`,
    ...(primary.length === 1 && primary[0] === attribute.id ? ['@id'] : []),
    ...(isUnique ? ['@unique'] : []),
    ...(name === attribute.name ? [] : [`@map(${quoted(attribute.name)})`]),
    ...(native === undefined ? [] : [native]),
  ].join(' ');
}

/** Prisma's strings have the escapes of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
