import {
  type Adapter,
  type Dialect,
  indexSchema,
  type NameParts,
  qualifiedName,
  quoteIdentifier,
  quoteString,
  type Row,
  type Value,
} from '@askema/core';

/** Types that every engine has under some name. */
type PlainType = 'integer' | 'decimal' | 'real' | 'text' | 'date' | 'datetime' | 'boolean';

/** A table of the sample store with its rows, for any engine. */
export interface StoreTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: PlainType; readonly notNull: boolean }[];
  readonly key: readonly string[];
  readonly foreignKeys: readonly {
    readonly from: readonly string[];
    readonly target: string;
    readonly to: readonly string[];
  }[];
  readonly rows: readonly Row[];
}

/** Declared types of the sample store, by their beginning. */
const PLAIN_TYPES: readonly (readonly [RegExp, PlainType])[] = [
  [/^INTEGER/i, 'integer'],
  [/^DECIMAL/i, 'decimal'],
  [/^REAL/i, 'real'],
  [/^DATETIME/i, 'datetime'],
  [/^DATE/i, 'date'],
  [/^BOOLEAN/i, 'boolean'],
  [/./, 'text'],
];

const NATIVE: Readonly<Record<string, Readonly<Record<PlainType, string>>>> = {
  sqlite: {
    integer: 'INTEGER',
    decimal: 'DECIMAL(10, 2)',
    real: 'REAL',
    text: 'TEXT',
    date: 'DATE',
    datetime: 'DATETIME',
    boolean: 'BOOLEAN',
  },
  postgres: {
    integer: 'INTEGER',
    decimal: 'NUMERIC(10, 2)',
    real: 'DOUBLE PRECISION',
    text: 'TEXT',
    date: 'DATE',
    datetime: 'TIMESTAMP',
    boolean: 'BOOLEAN',
  },
  duckdb: {
    integer: 'INTEGER',
    decimal: 'DECIMAL(10, 2)',
    real: 'DOUBLE',
    text: 'VARCHAR',
    date: 'DATE',
    datetime: 'TIMESTAMP',
    boolean: 'BOOLEAN',
  },
  mariadb: {
    integer: 'INTEGER',
    decimal: 'DECIMAL(10, 2)',
    real: 'DOUBLE',
    text: 'VARCHAR(200)',
    date: 'DATE',
    datetime: 'DATETIME',
    boolean: 'BOOLEAN',
  },
  snowflake: {
    integer: 'NUMBER(38, 0)',
    decimal: 'NUMBER(10, 2)',
    real: 'FLOAT',
    text: 'VARCHAR',
    date: 'DATE',
    datetime: 'TIMESTAMP_NTZ',
    boolean: 'BOOLEAN',
  },
  bigquery: {
    integer: 'INT64',
    decimal: 'NUMERIC',
    real: 'FLOAT64',
    text: 'STRING',
    date: 'DATE',
    datetime: 'DATETIME',
    boolean: 'BOOL',
  },
};

/** The tables of the sample store, read from its SQLite file, each behind those that it refers to. */
export async function readStoreTables(sqlite: Adapter): Promise<readonly StoreTable[]> {
  const catalog = await sqlite.introspect();
  const index = indexSchema(catalog);
  const nameOf = (id: string): string => index.attribute(id)?.name ?? '';
  const tables: StoreTable[] = [];
  for (const { id, name } of catalog.schema.relations) {
    if (catalog.relations[id]?.kind !== 'table') continue;
    const attributes = index.attributesOf(id);
    const columns = attributes.map((attribute) => ({
      name: attribute.name,
      type: plainTypeOf(catalog.attributes[attribute.id]?.nativeType ?? ''),
      notNull: index.isNotNull(attribute.id),
    }));
    const names = columns.map((column) => quoteIdentifier(column.name, sqlite.dialect)).join(', ');
    const { rows } = await sqlite.query(`SELECT ${names} FROM ${quoteIdentifier(name, sqlite.dialect)}`, {
      maxRows: 1e6,
    });
    tables.push({
      name,
      columns,
      key: index.primaryKey(id)?.attributes.map(nameOf) ?? [],
      foreignKeys: index.foreignKeysFrom(id).map(({ target, pairs }) => ({
        from: pairs.map(({ from }) => nameOf(from)),
        target: index.relation(target)?.name ?? '',
        to: pairs.map(({ to }) => nameOf(to)),
      })),
      rows,
    });
  }
  return targetsFirst(tables);
}

function plainTypeOf(nativeType: string): PlainType {
  return PLAIN_TYPES.find(([pattern]) => pattern.test(nativeType))?.[1] ?? 'text';
}

function targetsFirst(tables: readonly StoreTable[]): StoreTable[] {
  const sorted: StoreTable[] = [];
  const rest = [...tables];
  while (rest.length > 0) {
    const next = rest.findIndex(({ name, foreignKeys }) =>
      foreignKeys.every(({ target }) => target === name || sorted.some((table) => table.name === target)),
    );
    sorted.push(...rest.splice(Math.max(0, next), 1));
  }
  return sorted;
}

export interface StatementOptions {
  readonly dialect: Dialect;
  readonly location?: Omit<NameParts, 'relation'> | undefined;
  /** Whether the engine takes keys. */
  readonly keys: 'enforced' | 'informational' | 'none';
}

/** CREATE TABLE and INSERT statements of a table. */
export function statementsOf(table: StoreTable, { dialect, location, keys }: StatementOptions): string[] {
  const quote = (name: string): string => quoteIdentifier(name, dialect);
  const list = (names: readonly string[]): string => `(${names.map(quote).join(', ')})`;
  const target = (relation: string): string => qualifiedName({ ...location, relation }, dialect, 'always');
  const natives = NATIVE[dialect.name];
  if (natives === undefined) throw new Error(`There are no types for ${dialect.name}.`);
  const suffix = keys === 'informational' ? ' NOT ENFORCED' : '';
  const parts = table.columns.map(
    ({ name, type, notNull }) => `${quote(name)} ${natives[type]}${notNull ? ' NOT NULL' : ''}`,
  );
  if (keys !== 'none' && table.key.length > 0) parts.push(`PRIMARY KEY ${list(table.key)}${suffix}`);
  if (keys !== 'none')
    for (const { from, target: to, to: columns } of table.foreignKeys)
      parts.push(`FOREIGN KEY ${list(from)} REFERENCES ${quote(to)} ${list(columns)}${suffix}`);
  const create = `CREATE TABLE ${target(table.name)} (${parts.join(', ')})`;
  const inserts: string[] = [];
  // DuckDB looks up references within a table in what earlier statements have stored.
  const piece = table.foreignKeys.some((key) => key.target === table.name) ? 1 : 200;
  for (let start = 0; start < table.rows.length; start += piece) {
    const rows = table.rows
      .slice(start, start + piece)
      .map((row) => `(${row.map((value, place) => literal(value, table.columns[place]?.type, dialect)).join(', ')})`);
    inserts.push(
      `INSERT INTO ${target(table.name)} ${list(table.columns.map(({ name }) => name))} VALUES ${rows.join(', ')}`,
    );
  }
  return [create, ...inserts];
}

function literal(value: Value, type: PlainType | undefined, dialect: Dialect): string {
  if (value === null) return 'NULL';
  if (type === 'boolean' && dialect.name !== 'sqlite') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const text = quoteString(String(value), dialect);
  if (dialect.name === 'sqlite') return text;
  if (type === 'date') return `DATE ${text}`;
  if (type === 'datetime') return `${dialect.name === 'bigquery' ? 'DATETIME' : 'TIMESTAMP'} ${text}`;
  return text;
}
