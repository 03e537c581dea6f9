import { type Catalog, type Parameter, quoteIdentifier } from '@askema/core';
import { sqliteDialect, writeDdl } from '@askema/dialects';
import type { AdapterFixture, FixtureTable } from '@askema/testkit';
import Database from 'better-sqlite3';

interface DatabaseFixture extends Pick<AdapterFixture, 'schema' | 'views'> {
  /** The schema with its comments. */
  readonly catalog?: Catalog | undefined;
  readonly tables: readonly Pick<FixtureTable, 'name' | 'columns' | 'rows'>[];
}

/** Writes a fixture into a file, with the driver alone. */
export function writeFixture(file: string, { schema, catalog, tables, views }: DatabaseFixture): void {
  const quote = (name: string): string => quoteIdentifier(name, sqliteDialect);
  const database = new Database(file);
  database.exec('BEGIN');
  database.exec(writeDdl(catalog ?? schema, sqliteDialect, { comments: true }));
  for (const { name, columns, rows } of tables) {
    const insert = database.prepare(`INSERT INTO ${quote(name)} VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run((row as readonly Parameter[]).map(bindable));
  }
  for (const { name, sql } of views) database.exec(`CREATE VIEW ${quote(name)} AS ${sql(quote)}`);
  database.exec('COMMIT');
  database.close();
}

/** The driver binds numbers as REAL and takes no booleans. */
function bindable(value: Parameter): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}
