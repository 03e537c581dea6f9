import type { Dialect, Schema } from '@askema/core';
import { init, parse } from '@guanmingchiu/sqlparser-ts';
import * as fc from 'fast-check';
import nodeSqlParser from 'node-sql-parser';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { bigqueryDialect } from '../bigquery/bigquery.ts';
import { mysqlDialect } from '../mysql/mysql.ts';
import { snowflakeDialect } from '../snowflake/snowflake.ts';
import { undeclaredForeignKeys } from './expected-schema.ts';
import { randomSchema } from './random-schema.ts';
import { schemaFromText } from './schema-text-fixture.ts';
import { writeDdl } from './write-ddl.ts';

// A busy machine takes many times what these take alone.
vi.setConfig({ testTimeout: 60_000 });

/*
 * No server of these three is at hand, so sqlparser-rs reads the text: syntax, names, keys. It cannot say whether the
 * engine would take the types and names. For BigQuery it reads no escaped backtick in a name and splits a quoted name
 * at its dots, as BigQuery does, which takes neither in the name of a table or column: the random schemas for BigQuery
 * have no such names. node-sql-parser reads MySQL as well, but for a `$` in a name without
 * quotes, which MySQL takes; its grammars of Snowflake and BigQuery know no NOT ENFORCED.
 */
beforeAll(async () => {
  await init();
});

interface Name {
  readonly value: string;
}
interface Constraint {
  readonly PrimaryKey?: {
    readonly columns: readonly { readonly column: { readonly expr: { readonly Identifier: Name } } }[];
  };
  readonly ForeignKey?: { readonly columns: readonly Name[] };
}
interface Statement {
  readonly CreateTable?: {
    readonly name: readonly { readonly Identifier: Name }[];
    readonly columns: readonly { readonly name: Name }[];
    readonly constraints: readonly Constraint[];
  };
  readonly AlterTable?: {
    readonly operations: readonly { readonly AddConstraint?: { readonly constraint: Constraint } }[];
  };
}

const isReadable = (dialect: Dialect, schema: Schema): boolean =>
  dialect.name !== 'bigquery' ||
  ![...schema.relations, ...schema.attributes].some(({ name }) => /[`\\\n\r.]/.test(name));

describe.each([snowflakeDialect, bigqueryDialect, mysqlDialect])('writeDdl for $displayName, parsed', (dialect) => {
  it('has every table, column and key, or names it in a remark, whatever the names', () => {
    fc.assert(
      fc.property(
        randomSchema.filter((schema) => isReadable(dialect, schema)),
        (schema) => {
          const ddl = writeDdl(schema, dialect);
          const statements = (ddl === '' ? [] : parse(ddl, dialect.name as 'mysql')) as readonly Statement[];
          const tables = statements.flatMap(({ CreateTable }) => CreateTable ?? []);
          const columns = tables.flatMap((table) =>
            table.columns.map(({ name }) => [table.name[0]?.Identifier.value, name.value]),
          );
          const names = new Map(schema.relations.map(({ id, name }) => [id, name]));
          expect(columns.sort()).toEqual(
            schema.attributes.map(({ relation, name }) => [names.get(relation), name]).sort(),
          );
          const constraints = [
            ...tables.flatMap((table) => table.constraints),
            ...statements
              .flatMap(({ AlterTable }) => AlterTable?.operations ?? [])
              .flatMap(({ AddConstraint }) => AddConstraint?.constraint ?? []),
          ];
          const undeclaredPrimaryKeys = ddl.match(/ not declared in .*: PRIMARY KEY/g)?.length ?? 0;
          expect(constraints.filter(({ PrimaryKey }) => PrimaryKey)).toHaveLength(
            schema.primaryKeys.length - undeclaredPrimaryKeys,
          );
          expect(constraints.filter(({ ForeignKey }) => ForeignKey)).toHaveLength(
            schema.foreignKeys.length - undeclaredForeignKeys(ddl).length,
          );
          if (dialect.name === 'mysql' && !ddl.includes('$'))
            new nodeSqlParser.Parser().astify(ddl, { database: 'mysql' });
        },
      ),
      { numRuns: 60 },
    );
  });
});

const SHOP = `
  order: id NUMERIC key, placed at DATETIME not null, parent NUMERIC > order.id, paid BOOL
  line: order NUMERIC key > order.id, sku TEXT key > product.sku, note TEXT
  product: sku TEXT key, code TEXT unique, photo BINARY, best NUMERIC > order.id
`;

describe('writeDdl', () => {
  it('says for Snowflake that keys only inform', () => {
    expect(writeDdl(schemaFromText(SHOP), snowflakeDialect)).toMatchInlineSnapshot(`
      "-- Snowflake does not enforce its keys (PRIMARY KEY, UNIQUE, FOREIGN KEY): they inform readers and tools.

      CREATE TABLE "order" (
        "id" NUMBER(38, 10),
        "placed at" TIMESTAMP_NTZ NOT NULL,
        "parent" NUMBER(38, 10),
        "paid" BOOLEAN,
        PRIMARY KEY ("id") NOT ENFORCED,
        FOREIGN KEY ("parent") REFERENCES "order" ("id") NOT ENFORCED
      );

      CREATE TABLE "product" (
        "sku" VARCHAR,
        "code" VARCHAR,
        "photo" BINARY,
        "best" NUMBER(38, 10),
        PRIMARY KEY ("sku") NOT ENFORCED,
        UNIQUE ("code") NOT ENFORCED,
        FOREIGN KEY ("best") REFERENCES "order" ("id") NOT ENFORCED
      );

      CREATE TABLE "line" (
        "order" NUMBER(38, 10),
        "sku" VARCHAR,
        "note" VARCHAR,
        PRIMARY KEY ("order", "sku") NOT ENFORCED,
        FOREIGN KEY ("order") REFERENCES "order" ("id") NOT ENFORCED,
        FOREIGN KEY ("sku") REFERENCES "product" ("sku") NOT ENFORCED
      );
      "
    `);
  });

  it('leaves out for BigQuery what it refuses', () => {
    expect(writeDdl(schemaFromText(SHOP), bigqueryDialect)).toMatchInlineSnapshot(`
      "-- BigQuery does not enforce its keys (PRIMARY KEY, FOREIGN KEY): they inform readers and tools.

      CREATE TABLE \`order\` (
        id NUMERIC,
        \`placed at\` TIMESTAMP NOT NULL,
        parent NUMERIC,
        paid BOOL,
        PRIMARY KEY (id) NOT ENFORCED
        -- not declared in BigQuery, where a foreign key cannot refer to its own table: FOREIGN KEY (parent) REFERENCES \`order\` (id)
      );

      CREATE TABLE product (
        sku STRING,
        code STRING,
        photo BYTES,
        best NUMERIC,
        PRIMARY KEY (sku) NOT ENFORCED,
        -- not declared in BigQuery: UNIQUE (code)
        FOREIGN KEY (best) REFERENCES \`order\` (id) NOT ENFORCED
      );

      CREATE TABLE line (
        \`order\` NUMERIC,
        sku STRING,
        note STRING,
        PRIMARY KEY (\`order\`, sku) NOT ENFORCED,
        FOREIGN KEY (\`order\`) REFERENCES \`order\` (id) NOT ENFORCED,
        FOREIGN KEY (sku) REFERENCES product (sku) NOT ENFORCED
      );
      "
    `);
    const bytes = schemaFromText('a: id BINARY key\n b: a BINARY > a.id');
    const ddl = writeDdl(bytes, bigqueryDialect);
    expect(ddl).toContain('-- not declared in BigQuery, where no key has attributes of type BYTES: PRIMARY KEY (id)');
    expect(ddl).toContain('-- not declared in BigQuery, where no key has attributes of type BYTES: FOREIGN KEY (a)');
  });

  it('gives keys of MySQL a length, and backticks to its words', () => {
    expect(writeDdl(schemaFromText(SHOP), mysqlDialect)).toMatchInlineSnapshot(`
      "CREATE TABLE \`order\` (
        id DECIMAL(38, 10),
        \`placed at\` DATETIME(6) NOT NULL,
        parent DECIMAL(38, 10),
        paid BOOLEAN,
        PRIMARY KEY (id),
        FOREIGN KEY (parent) REFERENCES \`order\` (id)
      );

      CREATE TABLE product (
        sku VARCHAR(255),
        code VARCHAR(255),
        photo LONGBLOB,
        best DECIMAL(38, 10),
        PRIMARY KEY (sku),
        UNIQUE (code),
        FOREIGN KEY (best) REFERENCES \`order\` (id)
      );

      CREATE TABLE line (
        \`order\` DECIMAL(38, 10),
        sku VARCHAR(255),
        note LONGTEXT,
        PRIMARY KEY (\`order\`, sku),
        FOREIGN KEY (\`order\`) REFERENCES \`order\` (id),
        FOREIGN KEY (sku) REFERENCES product (sku)
      );
      "
    `);
  });

  it('keeps keys of many texts below what an index of MySQL holds', () => {
    const list = (count: number): string =>
      Array.from({ length: count }, (_, index) => `c${index} TEXT key`).join(', ');
    expect(writeDdl(schemaFromText(`t: ${list(3)}`), mysqlDialect)).toContain('c2 VARCHAR(255)');
    expect(writeDdl(schemaFromText(`t: ${list(16)}`), mysqlDialect)).toContain('c15 VARCHAR(48)');
    expect(writeDdl(schemaFromText(`t: ${list(17)}`), mysqlDialect)).toContain(
      '-- not declared in MySQL, where a key has at most 16 attributes: PRIMARY KEY',
    );
  });

  it('names a foreign key of MySQL only where the made-up name would be too long', () => {
    const long = 'x'.repeat(60);
    const schema = schemaFromText(`${long}: id NUMERIC key, a NUMERIC > ${long}.id\n short: b NUMERIC > ${long}.id`);
    const ddl = writeDdl(schema, mysqlDialect);
    const [, name = ''] = /CONSTRAINT `([^`]+)` FOREIGN KEY \(a\)/.exec(ddl) ?? [];
    expect(name).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(ddl.match(/CONSTRAINT/g)).toHaveLength(1);
  });

  it.each<[Dialect, string, string]>([
    [mysqlDialect, 'n'.repeat(65), 'too long for MySQL: 65 characters, where 64 are allowed'],
    [snowflakeDialect, 'n'.repeat(256), 'too long for Snowflake: 256 characters'],
  ])('refuses a name that is too long for %s', (dialect, name, message) => {
    expect(() => writeDdl(schemaFromText(`t: ${name} NUMERIC`), dialect)).toThrow(message);
  });
});
