import type { Attribute, AttributeId, Catalog, ForeignKey, RelationId, Schema } from '@askema/core';
import { oneLine } from '@askema/core';
import { shortName } from '../ddl/short-name.ts';
import type { OrmTraits } from '../orm-traits.ts';
import { columnBuilder } from './drizzle-columns.ts';
import { columnName, tableName } from './drizzle-names.ts';
import { ormOf } from './orm-of.ts';
import { isRequired, type OrmSource, readOrmSource } from './orm-source.ts';
import { stableNames } from './stable-names.ts';

/** Databases that Drizzle's tables can be written for. */
export type DrizzleDialect = OrmTraits['name'];

/** Names that the module of every database may import or declare. */
const KEYS = ['primaryKey', 'foreignKey', 'unique', 'customType', 'table'];

/** Which database {@link writeDrizzle} writes for. */
export interface WriteDrizzleOptions {
  readonly dialect: DrizzleDialect;
}

/**
 * A schema or catalog as a TypeScript module of Drizzle tables (https://orm.drizzle.team/docs/sql-schema-declaration),
 * one exported constant a table, with the columns and keys of the DDL of the same database. Constants and properties
 * are valid, unique identifiers; the names of tables and columns stand beside them as they are. Foreign keys that
 * Drizzle or the database cannot declare (to no key, of other types) stand in comments. Keys whose made-up names would
 * be too long for the database are given shorter ones.
 *
 * Dates of SQLite are ISO text, as `Schema` has them, not the numbers of Drizzle's `timestamp` mode.
 *
 * @throws AskemaError `SCHEMA_INVALID` as `writeDdl` does.
 */
export function writeDrizzle(input: Schema | Catalog, { dialect }: WriteDrizzleOptions): string {
  const traits = ormOf(dialect);
  const { table: tableFunction, extraConfig, module, bytes, imports } = traits.drizzle;
  const orm = readOrmSource(input, traits.dialect);
  const { index } = orm.source;
  const used = new Set<string>([tableFunction]);
  const constants = stableNames(
    orm.tables.map((id) => index.relation(id)?.name ?? id),
    tableName,
    [...KEYS, tableFunction, extraConfig, ...imports],
  );
  const properties = new Map(
    orm.tables.flatMap((id) => {
      const attributes = index.attributesOf(id);
      const names = stableNames(
        attributes.map(({ name }) => name),
        columnName,
      );
      return attributes.map((attribute, position) => [attribute.id, names[position] ?? ''] as const);
    }),
  );
  const writer: Writer = {
    orm,
    traits,
    used,
    constants: new Map(orm.tables.map((id, position) => [id, constants[position] ?? ''])),
    properties,
  };
  const tables = orm.tables.map((id) => table(writer, id));
  const needsBytes = bytes !== undefined && tables.some((text) => text.includes(`: ${bytes}(`));
  if (needsBytes) used.add('customType');
  const types = tables.some((text) => text.includes(`: ${extraConfig}`)) ? [`type ${extraConfig}`] : [];
  const head = `import { ${[...[...used].sort(), ...types].join(', ')} } from '${module}';`;
  const parts = [
    head,
    ...(needsBytes ? [`const ${bytes} = customType<{ data: Uint8Array }>({ dataType: () => '${bytes}' });`] : []),
    ...orm.leftOut.map((text) => `// left out: ${text}`),
    ...tables,
  ];
  return `${parts.join('\n\n')}\n`;
}

interface Writer {
  readonly orm: OrmSource;
  readonly traits: OrmTraits;
  /** What the module imports: filled while its tables are written. */
  readonly used: Set<string>;
  readonly constants: ReadonlyMap<RelationId, string>;
  readonly properties: ReadonlyMap<AttributeId, string>;
}

function table(writer: Writer, relation: RelationId): string {
  const { orm, traits, constants } = writer;
  const { index } = orm.source;
  const name = index.relation(relation)?.name ?? relation;
  const columns = index.attributesOf(relation).map((attribute) => `  ${column(writer, attribute)},`);
  const constraints = constraintsOf(writer, relation).map((text) => `  ${text},`);
  const head = `export const ${constants.get(relation)} = ${traits.drizzle.table}(${JSON.stringify(name)}, {`;
  return constraints.length === 0
    ? [head, ...columns, '});'].join('\n')
    : [
        head,
        ...columns,
        `}, (table)${refersToOthers(writer, relation) ? `: ${traits.drizzle.extraConfig}[]` : ''} => [`,
        ...constraints,
        ']);',
      ].join('\n');
}

function refersToOthers({ orm }: Writer, relation: RelationId): boolean {
  return (orm.foreignKeys.get(relation) ?? []).some(({ target }) => target !== relation);
}

function column({ orm, traits, used, properties }: Writer, attribute: Attribute): string {
  const { source } = orm;
  const { imported, text } = columnBuilder(traits, source, attribute);
  if (imported !== undefined) used.add(imported);
  const primary = source.index.primaryKey(attribute.relation)?.attributes ?? [];
  const isKey = primary.length === 1 && primary[0] === attribute.id;
  const rest = `${isKey ? '.primaryKey()' : ''}${!isKey && isRequired(source, attribute) ? '.notNull()' : ''}`;
  return `${properties.get(attribute.id)}: ${text}${rest}`;
}

function constraintsOf(writer: Writer, relation: RelationId): string[] {
  const { orm, used, properties } = writer;
  const { source } = orm;
  const own = source.index.relation(relation)?.name ?? relation;
  const nameOf = (id: AttributeId): string => source.index.attribute(id)?.name ?? id;
  const list = (ids: readonly AttributeId[]): string => ids.map((id) => `table.${properties.get(id)}`).join(', ');
  const primary = source.index.primaryKey(relation)?.attributes ?? [];
  const lines: string[] = [];
  if (primary.length > 1) {
    used.add('primaryKey');
    const name = constraintName(writer, [own, ...primary.map(nameOf), 'pk']);
    lines.push(`primaryKey({ ${name}columns: [${list(primary)}] })`);
  }
  for (const key of source.uniqueKeys.get(relation) ?? []) {
    used.add('unique');
    const name = shortOf(writer, [own, ...key.map(nameOf), 'unique']);
    lines.push(`unique(${name === undefined ? '' : JSON.stringify(name)}).on(${list(key)})`);
  }
  for (const key of orm.foreignKeys.get(relation) ?? []) lines.push(foreignKey(writer, key, own, nameOf));
  return lines;
}

function foreignKey(
  writer: Writer,
  { relation, target, pairs }: ForeignKey,
  own: string,
  nameOf: (id: AttributeId) => string,
): string {
  const { orm, used, constants, properties } = writer;
  used.add('foreignKey');
  const other = orm.source.index.relation(target)?.name ?? target;
  const from = pairs.map((pair) => pair.from);
  const to = pairs.map((pair) => pair.to);
  const name = constraintName(writer, [own, ...from.map(nameOf), other, ...to.map(nameOf), 'fk']);
  const place = relation === target ? 'table' : (constants.get(target) ?? '');
  const columns = from.map((id) => `table.${properties.get(id)}`).join(', ');
  const foreignColumns = to.map((id) => `${place}.${properties.get(id)}`).join(', ');
  return `foreignKey({ ${name}columns: [${columns}], foreignColumns: [${foreignColumns}] })`;
}

function constraintName(writer: Writer, parts: readonly string[]): string {
  const name = shortOf(writer, parts);
  return name === undefined ? '' : `name: ${JSON.stringify(name)}, `;
}

/** Drizzle joins the parts with underscores where no name is given: one for every key would only repeat that. */
function shortOf({ traits }: Writer, parts: readonly string[]): string | undefined {
  const madeUp = oneLine(parts.join('_'));
  const { maxLength, lengthUnit } = traits.dialect.identifiers;
  if (maxLength === undefined) return undefined;
  const length = lengthUnit === 'bytes' ? new TextEncoder().encode(madeUp).length : [...madeUp].length;
  if (length <= maxLength) return undefined;
  // Bytes: a name of other letters than ASCII is cut so that even four bytes a letter fit.
  const isAscii = /^[ -~]*$/.test(madeUp);
  return shortName(madeUp, lengthUnit === 'bytes' && !isAscii ? Math.floor(maxLength / 4) + 6 : maxLength);
}
