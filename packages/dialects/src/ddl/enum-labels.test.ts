import { type Catalog, type Dialect, validateSchema } from '@askema/core';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { bigqueryDialect } from '../bigquery/bigquery.ts';
import { duckdbDialect } from '../duckdb/duckdb.ts';
import { mysqlDialect } from '../mysql/mysql.ts';
import { postgresDialect } from '../postgres/postgres.ts';
import { sqliteDialect } from '../sqlite/sqlite.ts';
import { catalogFromText } from './schema-text-fixture.ts';
import { writeDdl } from './write-ddl.ts';

function catalogOf(dialect: string, nativeType: string): Catalog {
  const catalog = catalogFromText('t: x TEXT', { dialect, attributes: { 't#x': { position: 1, nativeType } } });
  expect(validateSchema(catalog).filter(({ severity }) => severity === 'error')).toEqual([]);
  return catalog;
}

/** The line of the column. */
const column = (from: string, nativeType: string, to: Dialect): string | undefined =>
  writeDdl(catalogOf(from, nativeType), to)
    .split('\n')
    .find((line) => line.startsWith('  x '))
    ?.trim();

describe('an enumeration', () => {
  it.each([
    "enum('a','b')",
    "ENUM('it''s', 'a, b)', '')",
    "set('x','y')",
    "enum('\\'','--')",
    "enum('a') CHARACTER SET utf8mb4",
    "enum('größe','日本')",
  ])('is written as it is in its own dialect: %s', (type) => {
    expect(column('mysql', type, mysqlDialect)).toBe(`x ${type}`);
  });

  it.each([
    "enum('a'); DROP TABLE x; --')",
    "enum('a') DEFAULT 'a'",
    "enum('a' 'b')",
    "enum('a', SLEEP(1))",
    'enum(\'a\', "b")',
    "enum('a\\')",
    "enum('a'",
    "varchar('a')",
    "enum('a'), y int COMMENT 'b'",
    "enum('a') /* x */",
    "enum('a\0')",
  ])('is not taken for a type when it holds more than labels: %j', (type) => {
    const ddl = writeDdl(catalogOf('mysql', type), mysqlDialect);
    // What stands behind a line comment is no SQL.
    const sql = ddl.replaceAll(/ -- .*/g, '');
    expect(sql).toMatch(/^CREATE TABLE t \(\n {2}x LONGTEXT( CHECK \(x IN \('[^']*'(, '[^']*')*\)\))?\n\);\n$/);
  });

  it('becomes text with a CHECK in another dialect, which its engine holds', () => {
    const ddl = writeDdl(catalogOf('mysql', "enum('open','it''s')"), sqliteDialect);
    expect(ddl).toContain("x TEXT CHECK (x IN ('open', 'it''s'))");
    const database = new Database(':memory:');
    database.exec(ddl);
    database.prepare('INSERT INTO t VALUES (?), (?)').run('open', "it's");
    expect(() => database.exec("INSERT INTO t VALUES ('other')")).toThrow(/CHECK/);
    database.close();
  });

  it('becomes text with a CHECK where PostgreSQL has it as a type of its own', () => {
    const native = "mood (enum: 'happy', 'sad')";
    expect(column('postgres', native, postgresDialect)).toBe("x TEXT CHECK (x IN ('happy', 'sad'))");
    expect(column('postgres', native, mysqlDialect)).toBe("x LONGTEXT CHECK (x IN ('happy', 'sad'))");
  });

  it.each<[string, string, Dialect]>([
    ['labels that were cut', "mood (enum: 'a', 'b', …)", postgresDialect],
    ['labels with a backslash', "enum('a\\\\b')", sqliteDialect],
    ['several labels at once', "set('a','b')", sqliteDialect],
    ['a dialect without CHECK', "enum('a')", bigqueryDialect],
  ])('is named in a remark: %s', (_, nativeType, dialect) => {
    const from = dialect === postgresDialect ? 'postgres' : 'mysql';
    const line = column(from, nativeType, dialect);
    expect(line).toMatch(/^x \w+ -- its type .* is written as text, without the labels$/);
    expect(line).toContain(nativeType);
  });

  it('is created by DuckDB', async () => {
    const ddl = writeDdl(catalogOf('duckdb', "ENUM('a', 'it''s')"), duckdbDialect);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(ddl);
    await connection.run("INSERT INTO t VALUES ('it''s')");
    await expect(connection.run("INSERT INTO t VALUES ('b')")).rejects.toThrow();
    connection.closeSync();
  });
});
