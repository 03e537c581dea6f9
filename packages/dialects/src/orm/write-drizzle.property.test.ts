import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Schema } from '@askema/core';
import { is } from 'drizzle-orm';
import { MySqlTable, getTableConfig as mysqlConfig } from 'drizzle-orm/mysql-core';
import { PgTable, getTableConfig as pgConfig } from 'drizzle-orm/pg-core';
import { SQLiteTable, getTableConfig as sqliteConfig } from 'drizzle-orm/sqlite-core';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fitsDialect } from '../ddl/expected-schema.ts';
import { randomSchema } from '../ddl/random-schema.ts';
import { mysqlDialect } from '../mysql/mysql.ts';
import { postgresDialect } from '../postgres/postgres.ts';
import { type DrizzleDialect, writeDrizzle } from './write-drizzle.ts';

vi.setConfig({ testTimeout: 60_000 });

// Inside the package, so that drizzle-orm is found.
const FOLDER = fileURLToPath(new URL('../../.askema/drizzle-random/', import.meta.url));
beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

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

describe.each(Object.keys(READERS) as DrizzleDialect[])('writeDrizzle for %s', (dialect) => {
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
