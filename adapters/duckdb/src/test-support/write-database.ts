import { type DataType, quoteIdentifier, quoteString, type Value } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import type { AdapterFixture, FixtureTable } from '@askema/testkit';
import { DuckDBInstance } from '@duckdb/node-api';

type DatabaseFixture = Pick<AdapterFixture, 'tables' | 'views' | 'schemas'>;

/** Runs statements in a database file, with the driver alone; also for writing data files by COPY. */
export async function writeDatabase(file: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  try {
    for (const sql of statements) await connection.run(sql);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The statements that make a fixture's schemas, tables, rows, comments and views. */
export function fixtureStatements(fixture: DatabaseFixture): readonly string[] {
  return ['BEGIN', ...contentStatements(fixture), 'COMMIT'];
}

function contentStatements(fixture: DatabaseFixture, schema = 'main'): readonly string[] {
  return [
    ...fixture.tables.map((table) => createTable(table, schema)),
    ...fixture.tables.flatMap(insertRows),
    ...fixture.tables.flatMap(comments),
    ...fixture.views.map(({ name, sql }) => `CREATE VIEW ${quote(name)} AS ${sql(quote)}`),
    ...(fixture.schemas ?? []).flatMap(({ name, content }) => [
      `CREATE SCHEMA ${quote(name)}`,
      `USE ${quote(name)}`,
      ...contentStatements(content, name),
    ]),
  ];
}

const quote = (name: string): string => quoteIdentifier(name, duckdbDialect);

function createTable(table: FixtureTable, schema: string): string {
  const list = (names: readonly string[]): string => `(${names.map(quote).join(', ')})`;
  const parts = [
    ...table.columns.map(
      ({ name, type, notNull, nested }, index) =>
        `${quote(name)} ${nested === undefined ? nativeType(type, table, index) : NESTED[nested]}${notNull ? ' NOT NULL' : ''}`,
    ),
    ...(table.key.length > 0 ? [`PRIMARY KEY ${list(table.key)}`] : []),
    ...table.unique.map((key) => `UNIQUE ${list(key)}`),
    ...table.foreignKeys.map(
      ({ from, target, to }) => `FOREIGN KEY ${list(from)} REFERENCES ${quote(schema)}.${quote(target)} ${list(to)}`,
    ),
  ];
  return `CREATE TABLE ${quote(table.name)} (${parts.join(', ')})`;
}

const NESTED = {
  texts: 'VARCHAR[]',
  address: 'STRUCT(city VARCHAR, zip VARCHAR)',
  items: 'STRUCT(sku VARCHAR, quantity BIGINT)[]',
} as const;

function nativeType(type: DataType, { rows }: FixtureTable, column: number): string {
  if (type !== 'NUMERIC') return duckdbDialect.types.native[type];
  const isFloat = rows.some((row) => typeof row[column] === 'number' && !Number.isInteger(row[column]));
  return isFloat ? 'DOUBLE' : 'BIGINT';
}

/** One row at a time: a row may refer to one before it. */
function insertRows({ name, rows }: FixtureTable): string[] {
  return rows.map((row) => `INSERT INTO ${quote(name)} VALUES (${row.map(literal).join(', ')})`);
}

function comments({ name, comment, columns }: FixtureTable): string[] {
  const texts = columns.flatMap((column): (readonly [subject: string, text: string])[] =>
    column.comment === undefined ? [] : [[`COLUMN ${quote(name)}.${quote(column.name)}`, column.comment]],
  );
  if (comment !== undefined) texts.push([`TABLE ${quote(name)}`, comment]);
  return texts.map(([subject, text]) => `COMMENT ON ${subject} IS ${quoteString(text, duckdbDialect)}`);
}

function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return quoteString(value, duckdbDialect);
  if (value instanceof Uint8Array) return `from_hex('${Buffer.from(value).toString('hex')}')`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, inner]) => `${quoteString(key, duckdbDialect)}: ${literal(inner)}`)
      .join(', ')}}`;
  return typeof value === 'number' && !Number.isInteger(value) ? `'${value}'::DOUBLE` : String(value);
}
