import type { Dialect, Schema } from '@askema/core';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { PGlite } from '@electric-sql/pglite';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshPostgres } from '../../../../scripts/testing/fresh-postgres.ts';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { duckdbDialect } from '../duckdb/duckdb.ts';
import { postgresDialect } from '../postgres/postgres.ts';
import { readDuckdb } from './duckdb-fixture.ts';
import { expectedSchema, fitsDialect, undeclaredForeignKeys } from './expected-schema.ts';
import { readPostgres } from './postgres-fixture.ts';
import { randomSchema } from './random-schema.ts';
import { schemaFromText } from './schema-text-fixture.ts';
import { writeDdl } from './write-ddl.ts';

// A busy machine takes many times what these take alone.
vi.setConfig({ testTimeout: 60_000 });

let postgres: PGlite;
beforeAll(async () => {
  postgres = await freshPostgres();
}, 60_000);
afterAll(async () => {
  await postgres.close();
});

/** Runs statements in an empty PostgreSQL schema and reads what is there then. */
async function inPostgres(ddl: string, more?: (database: PGlite) => Promise<void>): Promise<Schema> {
  await postgres.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await postgres.exec(ddl);
  await more?.(postgres);
  return readPostgres(postgres);
}

/** Runs statements in an empty DuckDB database of its own and reads what is there then. */
async function inDuckdb(ddl: string, more?: (database: DuckDBConnection) => Promise<void>): Promise<Schema> {
  const own = await DuckDBInstance.create(':memory:', { threads: '1' });
  const database = await own.connect();
  try {
    if (ddl !== '') await database.run(ddl);
    await more?.(database);
    return await readDuckdb(database);
  } finally {
    database.closeSync();
    own.closeSync();
  }
}

const ENGINES: readonly (readonly [Dialect, (ddl: string) => Promise<Schema>, number])[] = [
  [postgresDialect, inPostgres, 30],
  [duckdbDialect, inDuckdb, 30],
];

describe.each(ENGINES)('writeDdl for $displayName, executed', (dialect, execute, numRuns) => {
  it('is read back as the same schema, whatever the names and keys, without what a remark names', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomSchema.filter((schema) => fitsDialect(schema, dialect)),
        async (schema) => {
          const ddl = writeDdl(schema, dialect);
          const read = await execute(ddl);
          const expected = expectedSchema(schema);
          const ids = new Set(expected.foreignKeys.map(({ id }) => id));
          expect({ ...read, foreignKeys: [] }).toEqual({ ...expected, foreignKeys: [] });
          expect(read.foreignKeys.filter(({ id }) => !ids.has(id))).toEqual([]);
          expect(read.foreignKeys.length + undeclaredForeignKeys(ddl).length).toBe(expected.foreignKeys.length);
        },
      ),
      { numRuns: propertyRuns(numRuns) },
    );
  });

  it('takes every reserved word as a name', async () => {
    const words = dialect.identifiers.reservedWords.map((word) => word.toLowerCase());
    const schema = schemaFromText(words.map((word) => `${word}: ${word} NUMERIC key`).join('\n'));
    expect((await execute(writeDdl(schema, dialect))).relations).toHaveLength(words.length);
  });

  it('keeps a foreign key between different types, or to no key, as a remark', async () => {
    const schema = schemaFromText('a: id NUMERIC key, note TEXT\n b: x TEXT > a.id, y TEXT > a.note');
    const ddl = writeDdl(schema, dialect);
    expect(undeclaredForeignKeys(ddl)).toEqual([
      `  -- not declared in ${dialect.displayName}, where a foreign key has the types of what it refers to: FOREIGN KEY (x) REFERENCES a (id)`,
      `  -- not declared in ${dialect.displayName}, where a foreign key refers to a primary or unique key: FOREIGN KEY (y) REFERENCES a (note)`,
    ]);
    expect((await execute(ddl)).foreignKeys).toEqual([]);
  });
});

const CYCLE = `
  departments: id NUMERIC key, head NUMERIC not null > employees.id
  employees: id NUMERIC key, department NUMERIC > departments.id, boss NUMERIC > employees.id, email TEXT unique
  badges: email TEXT key > employees.email
`;

describe('cycles, self references and unique keys', () => {
  it('are whole in PostgreSQL, and enforced', async () => {
    const ddl = writeDdl(schemaFromText(CYCLE), postgresDialect);
    expect(ddl).toContain('ALTER TABLE employees ADD FOREIGN KEY (department) REFERENCES departments (id);');
    const read = await inPostgres(ddl, async (database) => {
      await expect(database.exec("INSERT INTO employees VALUES (1, NULL, 1, 'a'), (2, 7, 1, 'b')")).rejects.toThrow(
        /foreign key/,
      );
      await database.exec("INSERT INTO employees VALUES (1, NULL, 1, 'a'); INSERT INTO departments VALUES (7, 1)");
      await expect(database.exec("INSERT INTO badges VALUES ('nobody')")).rejects.toThrow(/foreign key/);
    });
    expect(read.foreignKeys).toHaveLength(4);
  });

  it('lose in DuckDB only the key that closes the cycle, and say so', async () => {
    const ddl = writeDdl(schemaFromText(CYCLE), duckdbDialect);
    expect(undeclaredForeignKeys(ddl)).toEqual([
      '  -- not declared in DuckDB, which adds no foreign key to a table that is there: FOREIGN KEY (department) REFERENCES departments (id)',
    ]);
    expect((await inDuckdb(ddl)).foreignKeys).toHaveLength(3);
  });
});

it('refuses a name of more bytes than PostgreSQL keeps, which cuts it off without a word', async () => {
  const fits = '名'.repeat(21);
  const schema = schemaFromText(`${fits}: ${fits} NUMERIC key`);
  expect((await inPostgres(writeDdl(schema, postgresDialect))).relations[0]?.name).toBe(fits);
  expect(() => writeDdl(schemaFromText(`t: ${fits}a NUMERIC, ${fits}b TEXT`), postgresDialect)).toThrow(
    /is too long for PostgreSQL: 64 bytes, where 63 are allowed\. So are 1 more names\. Give it a shorter name/,
  );
});

it('keeps fractions of numbers, fractions of seconds and bytes', async () => {
  const schema = schemaFromText('t: n NUMERIC key, seen DATETIME, bytes BINARY, yes BOOL');
  await inPostgres(writeDdl(schema, postgresDialect), async (database) => {
    await database.exec("INSERT INTO t VALUES (12345678901234567890.25, '2024-05-06 07:08:09.123', '\\x00ff', TRUE)");
    const { rows } = await database.query('SELECT n::text, seen::text, bytes::text, yes FROM t');
    expect(rows).toEqual([
      { n: '12345678901234567890.25', seen: '2024-05-06 07:08:09.123', bytes: '\\x00ff', yes: true },
    ]);
  });
  await inDuckdb(writeDdl(schema, duckdbDialect), async (database) => {
    await database.run("INSERT INTO t VALUES (12345678901234567890.25, '2024-05-06 07:08:09.123', '\\x00\\xFF', TRUE)");
    const [row] = (
      await database.runAndReadAll('SELECT n::VARCHAR AS n, seen::VARCHAR AS seen, bytes::VARCHAR AS bytes, yes FROM t')
    ).getRowObjectsJson();
    expect(row).toEqual({
      n: '12345678901234567890.2500000000',
      seen: '2024-05-06 07:08:09.123',
      bytes: '\\x00\\xFF',
      yes: true,
    });
  });
});
