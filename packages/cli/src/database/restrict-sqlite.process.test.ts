import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restrict } from '@askema/lint';
import { createSqlParser } from '@askema/sql-parser';
import { sqlite } from '@askema/sqlite';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'askema-restrict-'));
const parser = createSqlParser();
afterAll(async () => {
  await parser.close();
  rmSync(folder, { recursive: true, force: true });
});

test('in SQLite, a file that was put in the place of another is judged anew', async () => {
  const { default: Database } = await import('better-sqlite3');
  const make = (name: string, ...statements: readonly string[]): string => {
    const file = join(folder, name);
    const database = new Database(file);
    for (const sql of statements) database.exec(sql);
    database.close();
    return file;
  };
  const file = make('replaced.sqlite', 'CREATE TABLE pub (a, b)', 'CREATE TABLE u (ssn)');
  await using adapter = restrict(sqlite({ file }), { hide: ['*.ssn'], parser });
  await adapter.query('SELECT * FROM pub');
  const other = make('other.sqlite', 'CREATE TABLE pub (a, b, ssn)', 'CREATE TABLE u (ssn)');
  renameSync(other, file);
  await expect(adapter.query('SELECT * FROM pub')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
});

test('in SQLite, whether values are few tells nothing of them', async () => {
  const { default: Database } = await import('better-sqlite3');
  const statements = [
    'SELECT name FROM emp WHERE age = 7',
    'SELECT name FROM emp WHERE grade = 1',
    'SELECT count(v) FROM keyed WHERE k = 5',
    'SELECT count(*) FROM x WHERE c = 3 AND (a = 5 OR b = 6)',
    'SELECT count(*) FROM x WHERE c = 3 OR a = 5',
    'SELECT * FROM seen',
    "SELECT count(*) FROM odd WHERE city = 'c7'",
    'SELECT count(*) FROM odd WHERE low = 7',
  ];
  const said = [];
  for (const value of ['i % 2', 'i']) {
    const file = join(folder, `skipped-${value.length}.sqlite`);
    const database = new Database(file);
    const numbers = 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)';
    database.exec(`CREATE TABLE emp (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, grade INTEGER);
      ${numbers} INSERT INTO emp SELECT i, 'n' || i, i % 100, ${value} FROM n;
      CREATE INDEX by_grade ON emp (grade, age);
      CREATE TABLE keyed (grade, k, v, PRIMARY KEY (grade, k)) WITHOUT ROWID;
      ${numbers} INSERT INTO keyed SELECT ${value}, i, 1 FROM n;
      CREATE TABLE x (pin INTEGER PRIMARY KEY, grade, a, b, c, d);
      ${numbers} INSERT INTO x SELECT i + 5, ${value}, i % 100, i % 90, i % 1500, i % 500 FROM n;
      CREATE INDEX xc ON x (grade, c); CREATE INDEX xa ON x (a); CREATE INDEX xb ON x (b);
      CREATE TABLE odd (grade, low, city TEXT);
      ${numbers} INSERT INTO odd SELECT ${value}, i % 100, 'c' || (i % 100) FROM n;
      CREATE INDEX odd_low ON odd (grade, low); CREATE INDEX odd_city ON odd (grade, city);
      CREATE VIEW seen AS SELECT v FROM keyed WHERE k = 5; ANALYZE`);
    // Other programs can make such a table, and this one read it.
    database.unsafeMode(true);
    database.pragma('writable_schema = 1');
    database.exec(
      `UPDATE sqlite_schema SET sql = 'CREATE TABLE odd (grade, low, city TEXT CHECK (city <> "" AND city REGEXP "c" AND f(city)))' WHERE name = 'odd'`,
    );
    database.close();
    await using adapter = restrict(sqlite({ file }), { hide: ['*.grade', 'x.pin'], parser });
    const results = statements.map((sql) => adapter.query(sql).then(({ rows }) => rows.length, String));
    const { schema } = await adapter.introspect();
    said.push([...(await Promise.all(results)), schema.relations.map(({ name }) => name)]);
  }
  expect(said[0]).toEqual(said[1]);
  expect(said[0]).toMatchObject([
    30,
    expect.stringMatching(/grade/),
    1,
    expect.anything(),
    expect.anything(),
    1,
    1,
    1,
    expect.arrayContaining(['seen']),
  ]);
});

test('in SQLite, a row id without a qualifier is the key of the nearest table', async () => {
  const { default: Database } = await import('better-sqlite3');
  const file = join(folder, 'row-ids.sqlite');
  const database = new Database(file);
  database.exec(`CREATE TABLE orders (oid INTEGER PRIMARY KEY, total REAL); INSERT INTO orders VALUES (1, 2), (2, 3);
    CREATE TABLE codes (code INTEGER PRIMARY KEY, label TEXT); INSERT INTO codes VALUES (7, 'one'), (900, 'two');
    CREATE INDEX by_label ON codes (label);
    CREATE VIEW v_above AS SELECT (SELECT count(*) FROM codes WHERE oid > 5) AS n FROM orders`);
  database.close();
  for (const options of [{ hide: ['codes.code'] }, { mask: ['codes.code'] }]) {
    await using adapter = restrict(sqlite({ file }), { ...options, parser });
    for (const sql of [
      'SELECT (SELECT max(oid) FROM codes c WHERE c.code IS NOT NULL) FROM orders',
      'SELECT (SELECT count(*) FROM codes WHERE oid > 5) FROM orders',
      "SELECT (SELECT count(*) FROM codes WHERE label = 'one' AND oid BETWEEN 5 AND 9) FROM orders",
      'SELECT n FROM v_above',
    ])
      await expect(adapter.query(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    expect((await adapter.query("SELECT label FROM codes WHERE label = 'one'")).rows).toEqual([['one']]);
    expect((await adapter.query('SELECT total FROM orders WHERE oid = 2')).rows).toEqual([[3]]);
  }
});

test('patterns compare letters beyond ASCII without case, and a hidden relation may be called as a clause', async () => {
  const { default: Database } = await import('better-sqlite3');
  const file = join(folder, 'letters.sqlite');
  const database = new Database(file);
  database.exec(`CREATE TABLE "ÄMTER" (id INT, "Ärztin" TEXT, note TEXT); CREATE TABLE wards ("ärztin" TEXT, name TEXT);
    INSERT INTO "ÄMTER" VALUES (1, 'S3CR3T', 'n'); INSERT INTO wards VALUES ('S3CR3T', 'east');
    CREATE TABLE "order" (id INT, total INT); INSERT INTO "order" VALUES (1, 2)`);
  database.close();
  await using adapter = restrict(sqlite({ file }), { hide: ['*.ärztin', 'order'], parser });
  const { schema } = await adapter.introspect();
  expect(schema.attributes.map(({ name }) => name)).toEqual(['id', 'note', 'name']);
  await expect(adapter.query('SELECT "Ärztin" FROM "ÄMTER"')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  expect((await adapter.query('SELECT name FROM wards GROUP BY name ORDER BY name')).rows).toEqual([['east']]);
  for (const sql of ['SELECT total FROM "order"', 'SELECT name FROM wards ORDER BY (SELECT total FROM "order")'])
    await expect(adapter.query(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
});
