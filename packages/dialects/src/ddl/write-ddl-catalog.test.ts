import type { Catalog, Dialect } from '@askema/core';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { sqliteDialect } from '../sqlite/sqlite.ts';
import { catalogFromText, schemaFromText } from './schema-text-fixture.ts';
import { writeDdl } from './write-ddl.ts';

const info = (position: number, nativeType: string, more: Partial<Catalog['attributes'][string]> = {}) => ({
  position,
  nativeType,
  ...more,
});

const shop = catalogFromText(
  'customers: id NUMERIC key, email TEXT unique, since TEXT, rank NUMERIC\n totals: n NUMERIC',
  {
    relations: {
      customers: { nameParts: { relation: 'customers' }, kind: 'table', comment: 'who\nbuys' },
      totals: {
        nameParts: { relation: 'totals' },
        kind: 'view',
        definition: 'CREATE VIEW totals AS SELECT COUNT(*) AS n FROM customers -- all of them',
      },
    },
    attributes: {
      'customers#id': info(1, 'INTEGER'),
      'customers#email': info(2, 'VARCHAR(80)', { collation: 'NOCASE', comment: "it's unique" }),
      'customers#since': info(3, 'TIMESTAMP', { defaultExpression: 'CURRENT_TIMESTAMP -- now' }),
      'customers#rank': info(4, 'INT', { generated: 'virtual' }),
    },
    uniqueKeys: [
      { relation: 'customers', attributes: ['customers#email'] },
      { relation: 'customers', attributes: ['customers#email', 'customers#since'] },
    ],
    checks: [{ relation: 'customers', expression: 'length(email) > 3 /* short */' }],
  },
);

describe('writeDdl of a catalog', () => {
  it('takes over what its own dialect wrote, and SQLite accepts it', () => {
    const ddl = writeDdl(shop, sqliteDialect, { comments: true });
    expect(ddl).toMatchInlineSnapshot(`
      "-- who\\nbuys
      CREATE TABLE customers (
        id INTEGER,
        email VARCHAR(80) COLLATE NOCASE, -- it's unique
        since TIMESTAMP DEFAULT (CURRENT_TIMESTAMP -- now
        ),
        rank INT, -- virtual generated column; its expression is not in the catalog
        PRIMARY KEY (id),
        UNIQUE (email),
        UNIQUE (email, since),
        CHECK (length(email) > 3 /* short */
        )
      );

      CREATE VIEW totals AS SELECT COUNT(*) AS n FROM customers -- all of them
      ;
      "
    `);
    const database = new Database(':memory:');
    database.exec(ddl);
    expect(database.prepare('SELECT n FROM totals').pluck().get()).toBe(0);
    expect(() => database.exec("INSERT INTO customers (id, email) VALUES (1, 'a')")).toThrow(/CHECK/);
    database.exec("INSERT INTO customers (id, email) VALUES (1, 'a@b.example')");
    expect(() => database.exec("INSERT INTO customers (id, email) VALUES (2, 'A@B.example')")).toThrow(/UNIQUE/);
    expect(database.prepare('SELECT since IS NOT NULL FROM customers').pluck().get()).toBe(1);
    database.close();
  });

  it('keeps nothing of another dialect but the logical schema', () => {
    const ddl = writeDdl({ ...shop, dialect: 'postgres' }, sqliteDialect);
    expect(ddl).toContain('email TEXT,');
    expect(ddl).not.toMatch(/VARCHAR|CURRENT_TIMESTAMP|NOCASE|CHECK|CREATE VIEW/);
    expect(ddl).toContain('-- view totals is left out: its definition is not known in SQLite');
  });

  it.each([
    'INT); DROP TABLE x; --',
    'INT, y INT',
    'INT PRIMARY KEY',
    "TEXT DEFAULT 'x'",
    'TEXT /*',
    'ARRAY<INT',
    'x)(',
    'TEXT\nNOT NULL',
  ])('does not take %j for a type', (nativeType) => {
    const catalog = catalogFromText('t: x NUMERIC', { attributes: { 't#x': info(1, nativeType) } });
    expect(writeDdl(catalog, sqliteDialect)).toBe('CREATE TABLE t (\n  x NUMERIC\n);\n');
  });

  it.each(['', 'DECIMAL(10, 2)', 'double precision', 'STRUCT<a INT64, b ARRAY<STRING>>', 'numeric(5,1)[]', 'Größe'])(
    'takes %j for a type',
    (nativeType) => {
      const catalog = catalogFromText('t: x NUMERIC', { attributes: { 't#x': info(1, nativeType) } });
      expect(writeDdl(catalog, sqliteDialect)).toBe(`CREATE TABLE t (\n  ${`x ${nativeType}`.trim()}\n);\n`);
    },
  );

  it('keeps a foreign key to what was not read as a remark', () => {
    const catalog = catalogFromText('a: id NUMERIC key, b NUMERIC > b.id');
    const ddl = writeDdl(catalog, sqliteDialect);
    expect(ddl).toContain('  -- left out, because its target is not in the catalog: FOREIGN KEY (b) REFERENCES b');
    new Database(':memory:').exec(ddl);
  });

  it('refuses two relations that get one name, because the dialect has no schemas', () => {
    const catalog = catalogFromText('sales/t: id NUMERIC\n hr/T: id NUMERIC', { dialect: 'postgres' });
    expect(() => writeDdl(catalog, sqliteDialect)).toThrow(/both be called "T" in SQLite/);
  });
});

/** A dialect that has everything SQLite has not: what other dialects need is data. */
const warehouse: Dialect = {
  ...sqliteDialect,
  name: 'warehouse',
  displayName: 'Warehouse',
  identifiers: { ...sqliteDialect.identifiers, quote: ['`', '`'], qualifiers: ['schema'] },
  types: {
    ...sqliteDialect.types,
    native: { ...sqliteDialect.types.native, TEXT: 'LONGTEXT' },
    nativeInKey: { TEXT: 'VARCHAR(255)' },
  },
  ddl: {
    primaryKey: 'informational',
    foreignKey: 'informational',
    unique: 'none',
    forwardReference: 'alter',
    informationalSuffix: 'NOT ENFORCED',
    comments: {
      placement: 'statement',
      relation: 'COMMENT ON TABLE {relation} IS {text}',
      attribute: 'COMMENT ON COLUMN {relation}.{attribute} IS {text}',
    },
  },
};

describe('writeDdl for a dialect that is only data', () => {
  const cycle = 'a: id TEXT key, b TEXT unique > b.id, note TEXT\n b: id TEXT key, a TEXT > a.id';

  it('alters what refers ahead, marks keys that nobody enforces, and keeps what cannot be declared as a remark', () => {
    expect(writeDdl(schemaFromText(cycle), warehouse)).toMatchInlineSnapshot(`
      "-- Warehouse does not enforce its keys (PRIMARY KEY, FOREIGN KEY): they inform readers and tools.

      CREATE TABLE b (
        id VARCHAR(255),
        a VARCHAR(255),
        PRIMARY KEY (id) NOT ENFORCED
      );

      CREATE TABLE a (
        id VARCHAR(255),
        b VARCHAR(255),
        note LONGTEXT,
        PRIMARY KEY (id) NOT ENFORCED,
        -- not declared in Warehouse: UNIQUE (b)
        FOREIGN KEY (b) REFERENCES b (id) NOT ENFORCED
      );

      ALTER TABLE b ADD FOREIGN KEY (a) REFERENCES a (id) NOT ENFORCED;
      "
    `);
  });

  it('writes comments as statements or as suffixes', () => {
    const catalog = catalogFromText('s/t: select TEXT', {
      relations: { 's.t': { nameParts: { schema: 's', relation: 't' }, kind: 'table', comment: "it's {text}" } },
      attributes: { 's.t#select': info(1, 'TEXT', { comment: 'a\nb' }) },
    });
    expect(writeDdl(catalog, warehouse, { comments: true })).toContain(
      "COMMENT ON TABLE s.t IS 'it''s {text}';\n\nCOMMENT ON COLUMN s.t.`select` IS 'a\nb';\n",
    );
    const suffix = {
      placement: 'suffix',
      relation: 'OPTIONS (description = {text})',
      attribute: 'COMMENT {text}',
    } as const;
    const ddl = writeDdl(catalog, { ...warehouse, ddl: { ...warehouse.ddl, comments: suffix } }, { comments: true });
    expect(ddl).toBe(
      "CREATE TABLE s.t (\n  `select` LONGTEXT COMMENT 'a\nb'\n) OPTIONS (description = 'it''s {text}');\n",
    );
    expect(writeDdl(catalog, warehouse)).not.toContain('COMMENT');
  });
});
