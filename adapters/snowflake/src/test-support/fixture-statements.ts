import { type DataType, quoteIdentifier, quoteString, type Value } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import type { AdapterFixture, FixtureTable, NestedKind } from '@askema/testkit';

type DatabaseFixture = Pick<AdapterFixture, 'tables' | 'views' | 'schemas'>;

const quote = (name: string): string => quoteIdentifier(name, snowflakeDialect);

/** The statements that make a fixture, in the SQL of Snowflake; names are in the schema of the session but for those of `schemas`. */
export function fixtureStatements(fixture: DatabaseFixture, place = ''): string[] {
  return [
    ...fixture.tables.flatMap((table) => createTable(table, place)),
    ...fixture.tables.flatMap((table) => insertRows(table, place)),
    ...fixture.views.map(({ name, sql }) => `CREATE VIEW ${place}${quote(name)} AS ${sql(quote)}`),
    ...(fixture.schemas ?? []).flatMap(({ name, content }) => [
      `CREATE SCHEMA ${quote(name)}`,
      ...fixtureStatements(content, `${quote(name)}.`),
    ]),
  ];
}

function createTable(table: FixtureTable, place: string): string[] {
  const list = (names: readonly string[]): string => `(${names.map(quote).join(', ')})`;
  const parts = [
    ...table.columns.map(
      ({ name, type, notNull, nested }, index) =>
        `${quote(name)} ${nativeType(nested ?? type, table, index)}${notNull ? ' NOT NULL' : ''}`,
    ),
    ...(table.key.length > 0 ? [`PRIMARY KEY ${list(table.key)} NOT ENFORCED`] : []),
    ...table.unique.map((key) => `UNIQUE ${list(key)} NOT ENFORCED`),
    ...table.foreignKeys.map(
      ({ from, target, to }) =>
        `FOREIGN KEY ${list(from)} REFERENCES ${place}${quote(target)} ${list(to)} NOT ENFORCED`,
    ),
  ];
  const name = `${place}${quote(table.name)}`;
  const comments = table.columns.flatMap((column) =>
    column.comment === undefined
      ? []
      : [`COMMENT ON COLUMN ${name}.${quote(column.name)} IS ${quoteString(column.comment, snowflakeDialect)}`],
  );
  if (table.comment !== undefined)
    comments.push(`COMMENT ON TABLE ${name} IS ${quoteString(table.comment, snowflakeDialect)}`);
  return [`CREATE TABLE ${name} (${parts.join(', ')})`, ...comments];
}

function nativeType(type: DataType | NestedKind, { rows }: FixtureTable, column: number): string {
  if (type === 'texts' || type === 'items') return 'ARRAY';
  if (type === 'address') return 'OBJECT';
  if (type !== 'NUMERIC') return snowflakeDialect.types.native[type];
  const isFloat = rows.some((row) => typeof row[column] === 'number' && !Number.isInteger(row[column]));
  return isFloat ? 'FLOAT' : 'NUMBER(38, 0)';
}

/** Nested values need a SELECT: VALUES takes no PARSE_JSON (sql-reference/sql/insert). */
function insertRows({ name, rows }: FixtureTable, place: string): string[] {
  if (rows.length === 0) return [];
  const selects = rows.map((row) => `SELECT ${row.map(literal).join(', ')}`);
  return [`INSERT INTO ${place}${quote(name)} ${selects.join(' UNION ALL ')}`];
}

/** A cell as Snowflake writes it. */
function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `TO_BINARY('${Buffer.from(value).toString('hex')}', 'HEX')`;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return quoteString(value, snowflakeDialect);
  if (typeof value === 'object') return `PARSE_JSON(${quoteString(JSON.stringify(value), snowflakeDialect)})`;
  return String(value);
}
