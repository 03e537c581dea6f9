import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Schema } from '@askema/core';
import { PGlite } from '@electric-sql/pglite';
import Database from 'better-sqlite3';
import { is } from 'drizzle-orm';
import { MySqlTable, getTableConfig as mysqlConfig } from 'drizzle-orm/mysql-core';
import { PgTable, getTableConfig as pgConfig } from 'drizzle-orm/pg-core';
import { SQLiteTable, getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core';
import * as fc from 'fast-check';
import nodeSqlParser from 'node-sql-parser';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectedSchema, fitsDialect } from '../ddl/expected-schema.ts';
import { readPostgres } from '../ddl/postgres-fixture.ts';
import { randomSchema } from '../ddl/random-schema.ts';
import { schemaFromText } from '../ddl/schema-text-fixture.ts';
import { mysqlDialect } from '../mysql.ts';
import { postgresDialect } from '../postgres.ts';
import { type DrizzleDialect, writeDrizzle } from './write-drizzle.ts';

vi.setConfig({ testTimeout: 60_000 });

// Inside the package, so that drizzle-orm is found.
const FOLDER = fileURLToPath(new URL('../../.askema/drizzle/', import.meta.url));
beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** Everything at once: cycles, self references, composite keys, Chinese, reserved words, names that Drizzle uses itself. */
const FEATURES = schemaFromText(`
  departments: id NUMERIC key, head NUMERIC not null > employees.id, name TEXT not null unique
  employees: id NUMERIC key, department NUMERIC > departments.id, boss NUMERIC > employees.id, email TEXT unique, hired DATETIME, photo BINARY, active BOOL not null
  订单: 编号 NUMERIC key, 客户 NUMERIC > employees.id
  order line: order NUMERIC key > 订单.编号, line-no NUMERIC key, default TEXT, class TEXT, _ TEXT
  pgTable: text TEXT key, unique BINARY, 1st TEXT
  ${'long_'.repeat(9)}table: ${'long_'.repeat(9)}column NUMERIC > employees.id
`);
const DIALECTS: readonly DrizzleDialect[] = ['sqlite', 'postgresql', 'mysql'];

function fileOf(dialect: DrizzleDialect): string {
  const file = join(FOLDER, `${dialect}.ts`);
  writeFileSync(file, writeDrizzle(FEATURES, { dialect }));
  return file;
}

/** What `drizzle-kit export` prints for the features. */
function exported(dialect: DrizzleDialect): string {
  const kit = join(dirname(createRequire(import.meta.url).resolve('drizzle-kit')), 'bin.cjs');
  const parameters = [kit, 'export', '--dialect', dialect, '--schema', fileOf(dialect)];
  const printed = execFileSync(process.execPath, parameters, { cwd: FOLDER, encoding: 'utf8' });
  return printed.slice(printed.indexOf('CREATE TABLE'));
}

describe('the module of every feature', () => {
  it('type-checks for each database', () => {
    const options: ts.CompilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      types: ['node'],
    };
    const problems = ts.getPreEmitDiagnostics(ts.createProgram(DIALECTS.map(fileOf), options));
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  it('gives SQL that SQLite executes', () => {
    const database = new Database(':memory:');
    database.exec(exported('sqlite'));
    const keys = database
      .prepare(
        `SELECT m.name AS own, k."from", k."table", k."to" FROM sqlite_schema m, pragma_foreign_key_list(m.name) k WHERE m.type = 'table'`,
      )
      .all();
    expect(keys).toHaveLength(FEATURES.foreignKeys.length);
    expect(keys).toContainEqual({ own: 'order line', from: 'order', table: '订单', to: '编号' });
    expect(
      database.prepare(`SELECT group_concat(name) FROM pragma_table_info('order line') WHERE pk > 0`).pluck().get(),
    ).toBe('order,line-no');
    database.close();
  });

  it('gives SQL that PostgreSQL executes, and reads back as the schema', async () => {
    const database = await PGlite.create();
    await database.exec(exported('postgresql'));
    expect(await readPostgres(database)).toEqual(expectedSchema(FEATURES));
    await database.close();
  });

  it('gives SQL that a parser of MySQL reads, with no name that is too long', () => {
    const sql = exported('mysql');
    new nodeSqlParser.Parser().astify(sql, { database: 'mysql' });
    expect(sql.match(/FOREIGN KEY/g)).toHaveLength(FEATURES.foreignKeys.length);
    for (const [, name = ''] of sql.matchAll(/`([^`]+)`/g)) expect(name.length).toBeLessThanOrEqual(64);
  });
});

interface Config {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly notNull: boolean; readonly primary: boolean }[];
  readonly primaryKeys: readonly { readonly columns: readonly { readonly name: string }[] }[];
  readonly foreignKeys: readonly {
    reference(): { readonly foreignTable: unknown; readonly columns: readonly { readonly name: string }[] };
  }[];
}
const READERS: Readonly<Record<DrizzleDialect, (value: unknown) => Config | undefined>> = {
  sqlite: (value) => (is(value, SQLiteTable) ? (sqliteConfig(value) as unknown as Config) : undefined),
  postgresql: (value) => (is(value, PgTable) ? (pgConfig(value) as unknown as Config) : undefined),
  mysql: (value) => (is(value, MySqlTable) ? (mysqlConfig(value) as unknown as Config) : undefined),
};
const fits: Readonly<Record<DrizzleDialect, (schema: Schema) => boolean>> = {
  sqlite: () => true,
  postgresql: (schema) => fitsDialect(schema, postgresDialect),
  mysql: (schema) => fitsDialect(schema, mysqlDialect),
};

describe.each(DIALECTS)('writeDrizzle for %s', (dialect) => {
  it('is a module whose tables are those of the schema, whatever the names', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(randomSchema.filter(fits[dialect]), async (schema) => {
        count += 1;
        const file = join(FOLDER, `${dialect}-${count}.ts`);
        const text = writeDrizzle(schema, { dialect });
        writeFileSync(file, text);
        const module = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
        const tables = Object.values(module).flatMap((value) => READERS[dialect](value) ?? []);
        const nameOf = new Map([...schema.relations, ...schema.attributes].map(({ id, name }) => [id as string, name]));
        const expected = schema.relations.map(({ id, name }) => {
          const key = schema.primaryKeys.find(({ relation }) => relation === id)?.attributes ?? [];
          const required = new Set([
            ...key,
            ...schema.domainConstraints.flatMap(({ attribute, constraint }) =>
              constraint === 'not null' ? attribute : [],
            ),
          ]);
          const attributes = schema.attributes.filter(({ relation }) => relation === id);
          return {
            name,
            columns: attributes.map((each) => [each.name, required.has(each.id)]),
            key: key.map((attribute) => nameOf.get(attribute)),
          };
        });
        const read = tables.map(({ name, columns, primaryKeys }) => ({
          name,
          columns: columns.map((column) => [column.name, column.notNull]),
          key:
            primaryKeys[0]?.columns.map((column) => column.name) ??
            columns.filter(({ primary }) => primary).map((column) => column.name),
        }));
        const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
        expect(read.sort(byName)).toEqual(expected.sort(byName));
        const keys = tables.flatMap(({ foreignKeys }) => foreignKeys.map((key) => key.reference().columns.length));
        const leftOut = text.match(/^\/\/ left out: foreign key/gm)?.length ?? 0;
        expect(keys.length + leftOut).toBe(schema.foreignKeys.length);
      }),
      { numRuns: 40 },
    );
  });
});
