import type { Schema } from '@askema/core';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { sqliteDialect } from '../sqlite/sqlite.ts';
import { randomSchema } from './random-schema.ts';
import { schemaFromText } from './schema-text-fixture.ts';
import { readSchema, sortSchema } from './sqlite-fixture.ts';
import { writeDdl } from './write-ddl.ts';

// A busy machine takes many times what these take alone.
vi.setConfig({ testTimeout: 60_000 });

const execute = (ddl: string): Schema => {
  const database = new Database(':memory:');
  try {
    database.exec(ddl);
    return readSchema(database);
  } finally {
    database.close();
  }
};

describe('writeDdl for SQLite', () => {
  it('writes statements that people can read', () => {
    const schema = schemaFromText(`
      order: id NUMERIC key, customer NUMERIC not null > customers.id, placed at DATETIME not null
      customers: id NUMERIC key, email TEXT not null unique, vip BOOL, photo BINARY
    `);
    expect(writeDdl(schema, sqliteDialect)).toMatchInlineSnapshot(`
      "CREATE TABLE customers (
        id NUMERIC,
        email TEXT NOT NULL,
        vip BOOLEAN,
        photo BLOB,
        PRIMARY KEY (id),
        UNIQUE (email)
      );

      CREATE TABLE "order" (
        id NUMERIC,
        customer NUMERIC NOT NULL,
        "placed at" DATETIME NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY (customer) REFERENCES customers (id)
      );
      "
    `);
  });

  it('writes what SQLite reads back as the same schema, whatever the names and keys', () => {
    fc.assert(
      fc.property(randomSchema, (schema) => {
        expect(execute(writeDdl(schema, sqliteDialect))).toEqual(sortSchema(schema));
      }),
      { numRuns: propertyRuns(120) },
    );
  });

  it('writes tables into which rows can be put with foreign keys on, in the order of the statements', () => {
    const schema = schemaFromText(`
      lines: order NUMERIC key > orders.id, line NUMERIC key, product NUMERIC > products.id
      orders: id NUMERIC key, parent NUMERIC > orders.id
      products: id NUMERIC key
    `);
    const ddl = writeDdl(schema, sqliteDialect);
    expect(ddl.match(/CREATE TABLE \w+/g)).toEqual([
      'CREATE TABLE orders',
      'CREATE TABLE products',
      'CREATE TABLE lines',
    ]);
    const database = new Database(':memory:');
    database.pragma('foreign_keys = ON');
    database.exec(ddl);
    database.exec(
      'INSERT INTO orders VALUES (1, NULL), (2, 1); INSERT INTO products VALUES (7); INSERT INTO lines VALUES (2, 1, 7)',
    );
    expect(() => database.exec('INSERT INTO lines VALUES (3, 1, 7)')).toThrow(/FOREIGN KEY constraint failed/);
    database.close();
  });

  it('leaves out foreign keys, or what is there already, when asked', () => {
    const schema = schemaFromText('a: id NUMERIC key, a NUMERIC > a.id');
    expect(writeDdl(schema, sqliteDialect, { foreignKeys: false })).not.toContain('REFERENCES');
    const database = new Database(':memory:');
    const ddl = writeDdl(schema, sqliteDialect, { ifNotExists: true });
    database.exec(ddl + ddl);
    database.close();
  });

  it('does not repeat the primary key as UNIQUE', () => {
    expect(writeDdl(schemaFromText('a: id NUMERIC key unique'), sqliteDialect)).not.toContain('UNIQUE');
  });

  it('is the same text for the same schema, and empty for an empty one', () => {
    fc.assert(
      fc.property(randomSchema, (schema) => {
        expect(writeDdl(structuredClone(schema), sqliteDialect)).toBe(writeDdl(schema, sqliteDialect));
      }),
      { numRuns: 20 },
    );
    expect(writeDdl(schemaFromText(''), sqliteDialect)).toBe('');
  });

  it('says what is wrong with a schema that cannot be written', () => {
    const broken = schemaFromText('a: id NUMERIC key > gone.id\n b:');
    expect(() => writeDdl(broken, sqliteDialect)).toThrow(
      /No DDL can be written.*`b` has no attributes.*`gone`.*which is no relation/,
    );
    const nul = schemaFromText('a\0: id NUMERIC');
    expect(() => writeDdl(nul, sqliteDialect)).toThrow(/NUL/);
  });

  it('writes chains of 20,000 foreign keys without overflowing the stack', () => {
    const relations = Array.from(
      { length: 20_000 },
      (_, index) => `t${index}: id NUMERIC key, next NUMERIC > t${Math.min(index + 1, 19_999)}.id`,
    );
    const ddl = writeDdl(schemaFromText(relations.join('\n')), sqliteDialect);
    expect(ddl.startsWith('CREATE TABLE t19999 (')).toBe(true);
  });
});
