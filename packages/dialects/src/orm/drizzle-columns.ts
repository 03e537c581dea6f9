import type { Attribute, Dialect } from '@askema/core';
import type { DdlSource } from '../ddl/ddl-source.ts';
import { nativeType } from '../ddl/native-type.ts';
import { mysqlDialect } from '../mysql.ts';
import { postgresDialect } from '../postgres.ts';
import { sqliteDialect } from '../sqlite.ts';

/** Databases that Drizzle's tables can be written for. */
export type DrizzleDialect = 'sqlite' | 'postgresql' | 'mysql';

/** What a Drizzle module of one database looks like. */
export interface DrizzleTraits {
  readonly dialect: Dialect;
  readonly module: string;
  readonly table: string;
  /** What the keys of a table are: written where tables refer to each other, because TypeScript cannot infer a circle. */
  readonly extraConfig: string;
  /** By native type of the DDL: the function, and its options. */
  readonly columns: Readonly<Record<string, readonly [builder: string, options?: string]>>;
  /** Names that no table's constant may have. */
  readonly imports: readonly string[];
}

const KEYS = ['primaryKey', 'foreignKey', 'unique', 'customType', 'table'];

export const DRIZZLE: Readonly<Record<DrizzleDialect, DrizzleTraits>> = {
  sqlite: {
    dialect: sqliteDialect,
    module: 'drizzle-orm/sqlite-core',
    table: 'sqliteTable',
    extraConfig: 'SQLiteTableExtraConfigValue',
    columns: {
      NUMERIC: ['numeric'],
      TEXT: ['text'],
      DATETIME: ['text'],
      BLOB: ['blob', "{ mode: 'buffer' }"],
      BOOLEAN: ['integer', "{ mode: 'boolean' }"],
    },
    imports: [...KEYS, 'sqliteTable', 'SQLiteTableExtraConfigValue', 'numeric', 'text', 'blob', 'integer'],
  },
  postgresql: {
    dialect: postgresDialect,
    module: 'drizzle-orm/pg-core',
    table: 'pgTable',
    extraConfig: 'PgTableExtraConfigValue',
    columns: {
      NUMERIC: ['numeric'],
      TEXT: ['text'],
      TIMESTAMP: ['timestamp'],
      BYTEA: ['bytea'],
      BOOLEAN: ['boolean'],
    },
    imports: [...KEYS, 'pgTable', 'PgTableExtraConfigValue', 'numeric', 'text', 'timestamp', 'bytea', 'boolean'],
  },
  mysql: {
    dialect: mysqlDialect,
    module: 'drizzle-orm/mysql-core',
    table: 'mysqlTable',
    extraConfig: 'MySqlTableExtraConfigValue',
    columns: {
      'DECIMAL(38, 10)': ['decimal', '{ precision: 38, scale: 10 }'],
      TEXT: ['text'],
      'VARCHAR(255)': ['varchar', '{ length: 255 }'],
      'VARCHAR(48)': ['varchar', '{ length: 48 }'],
      'DATETIME(6)': ['datetime', '{ fsp: 6 }'],
      LONGBLOB: ['longblob'],
      'VARBINARY(255)': ['varbinary', '{ length: 255 }'],
      'VARBINARY(192)': ['varbinary', '{ length: 192 }'],
      BOOLEAN: ['boolean'],
    },
    imports: [
      ...KEYS,
      'mysqlTable',
      'MySqlTableExtraConfigValue',
      'decimal',
      'text',
      'varchar',
      'datetime',
      'longblob',
      'varbinary',
      'boolean',
    ],
  },
};

/** Types of bytes that Drizzle has no builder for. */
export const BYTES: Readonly<Partial<Record<DrizzleDialect, { readonly name: string; readonly text: string }>>> = {
  postgresql: { name: 'bytea', text: bytesType('bytea') },
  mysql: { name: 'longblob', text: bytesType('longblob') },
};

/** The call that makes a column, and the function that it needs imported. */
export function columnBuilder(
  traits: DrizzleTraits,
  source: DdlSource,
  attribute: Attribute,
): { readonly imported: string | undefined; readonly text: string } {
  const native = nativeType({ ...source, native: false }, attribute, traits.dialect);
  const [builder, options] = traits.columns[native] ?? ['text'];
  const isOwn = Object.values(BYTES).some(({ name }) => name === builder);
  const text = `${builder}(${JSON.stringify(attribute.name)}${options === undefined ? '' : `, ${options}`})`;
  return { imported: isOwn ? undefined : builder, text };
}

function bytesType(name: string): string {
  return `const ${name} = customType<{ data: Uint8Array }>({ dataType: () => '${name}' });`;
}
