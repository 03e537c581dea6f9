import { writeFileSync } from 'node:fs';
import { createCallContext, qualifiedName } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { expect, test, vi } from 'vitest';
import { failure, open } from '../test-support/open-file.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';
import { writeDatabase } from '../test-support/write-database.ts';

vi.setConfig({ testTimeout: 60_000 });

test('what DuckDB knows beyond names: defaults, checks, generated columns, comments, enums, keys, definitions', async () => {
  using folder = temporaryFolder();
  const file = folder.file('shop.duckdb');
  await writeDatabase(file, [
    `CREATE TABLE "Order" (id INTEGER, line INTEGER, qty INTEGER DEFAULT 1 CHECK (qty > 0), price DECIMAL(8, 2),
      total DECIMAL(10, 2) GENERATED ALWAYS AS (price * 2), "GENERATED" VARCHAR DEFAULT 'x GENERATED (', status ENUM('open', 'it''s'),
      PRIMARY KEY (line, id), UNIQUE (price, qty))`,
    'COMMENT ON TABLE "Order" IS \'One line each\'',
    'COMMENT ON COLUMN "Order".qty IS \'pieces\'',
    'CREATE VIEW dear AS SELECT id, price FROM "Order" WHERE price > 10',
    "COMMENT ON VIEW dear IS 'not cheap'",
    'CREATE TABLE gone (a INTEGER)',
    'CREATE VIEW orphan AS SELECT a FROM gone',
    'DROP TABLE gone',
    'CREATE TEMP TABLE hidden (a INTEGER)',
  ]);
  await using adapter = open({ file });
  const catalog = await adapter.introspect();
  expect(catalog.relations).toMatchObject({
    order: {
      nameParts: { relation: 'Order' },
      kind: 'table',
      comment: 'One line each',
      rowCount: 0,
      rowCountExact: true,
    },
    dear: { kind: 'view', comment: 'not cheap', definition: expect.stringContaining('WHERE (price > 10)') },
  });
  expect(Object.keys(catalog.relations).sort()).toEqual(['dear', 'order']);
  expect(catalog.incomplete).toEqual([{ subject: 'orphan', reason: expect.stringContaining('gone') }]);
  expect(catalog.attributes).toMatchObject({
    'order#qty': { nativeType: 'INTEGER', defaultExpression: '1', comment: 'pieces' },
    'order#total': { nativeType: 'DECIMAL(10,2)', generated: 'virtual' },
    'order#generated': { nativeType: 'VARCHAR', defaultExpression: "'x GENERATED ('" },
    'order#status': { nativeType: "ENUM('open', 'it''s')" },
  });
  expect(catalog.attributes['order#total']?.defaultExpression).toBeUndefined();
  expect(catalog.attributes['order#generated']?.generated).toBeUndefined();
  expect(catalog.checks).toEqual([{ relation: 'order', expression: expect.stringMatching(/qty > 0/) }]);
  expect(catalog.schema.primaryKeys).toEqual([{ relation: 'order', attributes: ['order#line', 'order#id'] }]);
  expect(catalog.uniqueKeys).toEqual([{ relation: 'order', attributes: ['order#price', 'order#qty'] }]);
});

test('names always reach their relation: other schemas, and one that is called like the database', async () => {
  using folder = temporaryFolder();
  const file = folder.file('shop.duckdb');
  await writeDatabase(file, [
    'CREATE TABLE t AS SELECT 1 AS n',
    'CREATE SCHEMA shop',
    'CREATE TABLE shop.shop.t AS SELECT 2 AS n',
    'CREATE SCHEMA "My Schema"',
    'CREATE TABLE "My Schema".t AS SELECT 3 AS n',
    'CREATE SCHEMA shop.system',
    'CREATE TABLE shop.system.t AS SELECT 4 AS n',
  ]);
  await using adapter = open({ file });
  const { relations } = await adapter.introspect();
  const found: unknown[] = [];
  for (const { nameParts } of Object.values(relations))
    for (const quoting of ['always', 'if needed'] as const)
      found.push(
        (await adapter.query(`SELECT n FROM ${qualifiedName(nameParts, duckdbDialect, quoting)}`)).rows[0]?.[0],
      );
  expect(found.toSorted()).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  expect(Object.values(relations).map(({ nameParts }) => nameParts)).toContainEqual({ relation: 't' });
});

test('fields within nested types, by their paths', async () => {
  using folder = temporaryFolder();
  const file = folder.file('t.duckdb');
  await writeDatabase(file, [
    `CREATE TABLE t (s STRUCT(a INTEGER, "b, (c" VARCHAR[], d STRUCT("it's" DATE)[]), l STRUCT(x DECIMAL(4, 2))[][], m MAP(VARCHAR, STRUCT(y INTEGER)),
      u UNION(num INTEGER, str STRUCT(z ENUM('p)', 'q,"'))), plain INTEGER[3])`,
  ]);
  await using adapter = open({ file });
  const { attributes } = await adapter.introspect();
  const paths = (name: string) =>
    attributes[`t#${name}`]?.nestedFields?.map(({ path, nativeType }) => [path.join(' '), nativeType]);
  expect(paths('s')).toEqual([
    ['a', 'INTEGER'],
    ['b, (c', 'VARCHAR[]'],
    ['d', `STRUCT("it's" DATE)[]`],
    ["d [] it's", 'DATE'],
  ]);
  expect(paths('l')).toEqual([['[] [] x', 'DECIMAL(4,2)']]);
  expect(paths('m')).toEqual([['{} y', 'INTEGER']]);
  expect(paths('u')).toEqual([
    ['num', 'INTEGER'],
    ['str', `STRUCT(z ENUM('p)', 'q,"'))`],
    ['str z', `ENUM('p)', 'q,"')`],
  ]);
  expect(paths('plain')).toBeUndefined();
});

test('row counts are exact while there is time, else estimates, and a file that takes too long is a gap', async () => {
  using folder = temporaryFolder();
  const file = folder.file('t.duckdb');
  await writeDatabase(file, ['CREATE TABLE t AS FROM range(50000)', 'DELETE FROM t WHERE range < 10000']);
  await using quick = open({ file });
  expect((await quick.introspect()).relations).toMatchObject({ t: { rowCount: 40_000, rowCountExact: true } });
  await using none = open({ file, rowCountTimeoutMs: 0 });
  expect((await none.introspect()).relations.t?.rowCount).toBeUndefined();
  await using short = open({ file, rowCountTimeoutMs: 1 });
  const catalog = await short.introspect();
  const { rowCount, rowCountExact } = catalog.relations.t ?? {};
  expect(rowCountExact === true ? rowCount : catalog.incomplete[0]?.affects).toEqual(rowCountExact ? 40_000 : 'counts');
});

test('the planner tells kind, relations and expected rows without running anything', async () => {
  using folder = temporaryFolder();
  const file = folder.file('t.duckdb');
  await writeDatabase(file, [
    'CREATE TABLE big AS FROM range(5000)',
    'CREATE SCHEMA s',
    'CREATE TABLE s."Odd one" (a INTEGER)',
    'CREATE VIEW v AS FROM big',
  ]);
  await using adapter = open({ file });
  const check = (sql: string) => adapter.planner.check(sql, { timeoutMs: 20_000, context: createCallContext() });
  expect(await check('SELECT * FROM big')).toEqual({
    verdict: 'ok',
    statement: 'read',
    relations: ['big'],
    reads: [{ nameParts: { database: 't', schema: 'main', relation: 'big' }, columns: ['range'] }],
    routines: [],
    estimatedRows: 5_000,
  });
  expect((await check('SELECT 1 FROM v WHERE range = $x')).reads).toEqual([
    { nameParts: { database: 't', schema: 'main', relation: 'big' }, columns: ['range'] },
  ]);
  const sql =
    'WITH big2 AS (SELECT * FROM v), v2 AS (FROM big2) SELECT * FROM v2, s."Odd one" WHERE EXISTS (SELECT 1 FROM big)';
  expect((await check(sql)).relations).toEqual(['big', 's."Odd one"', 'v']);
  expect(await check('WITH v AS (SELECT 1 AS a) FROM v')).toMatchObject({ relations: [] });
  expect(await check('DELETE FROM big')).toMatchObject({ verdict: 'ok', statement: 'write' });
  expect(await check('CREATE TABLE x (a INTEGER)')).toMatchObject({ verdict: 'ok', statement: 'ddl' });
  expect(await check('EXPLAIN SELECT * FROM big')).toMatchObject({ verdict: 'ok', statement: 'read' });
  expect(await check('SELECT * FROM big WHERE range = $x')).toMatchObject({ verdict: 'ok', relations: ['big'] });
  expect(await check("ATTACH 'x.duckdb'")).toMatchObject({
    verdict: 'invalid',
    error: { details: { code: 'QUERY_REFUSED' } },
  });
  expect(await check('SELECT nothing FROM big')).toMatchObject({
    verdict: 'invalid',
    error: { details: { errorClass: 'identifier', position: { offset: 7 }, nearestNames: [] } },
  });
  expect((await adapter.query('SELECT count(*) FROM big')).rows).toEqual([[5_000]]);
});

test('errors name the class, the place and what is near, also behind characters of several bytes', async () => {
  using folder = temporaryFolder();
  const file = folder.file('t.duckdb');
  await writeDatabase(file, ['CREATE TABLE customer (id INTEGER, email VARCHAR)']);
  await using adapter = open({ file });
  const binder = "SELECT '🦊 表', emial\nFROM customer";
  expect((await failure(adapter.query(binder))).details).toMatchObject({
    errorClass: 'identifier',
    vendorCode: 'Binder',
    position: { offset: binder.indexOf('emial'), line: 1 },
    nearestNames: ['email'],
  });
  expect((await failure(adapter.query('FROM custommer'))).message).toMatch(/Did you mean.*customer/);
  const conversion = await failure(adapter.query("SELECT CAST(x AS INTEGER) FROM (VALUES ('a')) t(x)"));
  expect(conversion).toMatchObject({ code: 'QUERY_FAILED', details: { errorClass: 'type' } });
  expect((await failure(adapter.query('PIVOT customer ON email USING count(*)'))).message).toContain('IN (');
});

test('views that double again and again are left out, and the rest of the catalog is there', async () => {
  using folder = temporaryFolder();
  const file = folder.file('bomb.duckdb');
  const names = Array.from({ length: 40 }, (_, at) => `v${at}`);
  const below = (at: number): string => names[at - 1] ?? 'shop';
  // From above, so that none is bound through all that stand below it.
  const doubled = names.map(
    (name, at) => `CREATE OR REPLACE VIEW ${name} AS FROM ${below(at)} UNION ALL FROM ${below(at)}`,
  );
  await writeDatabase(file, [
    'CREATE TABLE shop (id INTEGER)',
    ...names.map((name) => `CREATE VIEW ${name} AS FROM shop`),
    ...doubled.reverse(),
  ]);
  await using adapter = open({ file });
  const { schema, incomplete } = await adapter.introspect();
  expect(schema.relations.map(({ name }) => name)).toEqual(expect.arrayContaining(['shop', 'v0', 'v9']));
  expect(incomplete.find(({ subject }) => subject === 'v39')?.reason).toMatch(
    /this view cannot be read: DuckDB would put [\d,]+ views and macros into one another/,
  );
  await expect(adapter.query('FROM v39')).rejects.toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
  expect((await adapter.query('SELECT count(*) FROM v3')).rows).toEqual([[0]]);
});

test('the planner tells which columns of data files are read', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('users.csv'), 'id,name,ssn\n1,Ada,777001\n2,Ben,777002\n');
  writeFileSync(folder.file('notes.json'), '[{"id": 1, "at": {"place": "Rome"}}]');
  await using adapter = open({ files: folder.path });
  const reads = async (sql: string) => {
    const plan = await adapter.planner.check(sql, { timeoutMs: 20_000, context: createCallContext() });
    return plan.reads?.map(({ nameParts, columns }) => `${nameParts.relation}: ${columns?.toSorted()}`).toSorted();
  };
  expect(await reads('SELECT name FROM users WHERE ssn > 777001')).toEqual(['users: name,ssn']);
  expect(await reads('SELECT id FROM (users CROSS JOIN (SELECT 1)) AS p (x, y, id)')).toEqual(['users: ssn']);
  expect(await reads("SELECT id FROM users UNPIVOT (id FOR name IN (id, 'ssn'))")).toEqual(['users: id,ssn']);
  expect(await reads("SELECT COUNT(*) FROM users PIVOT (COUNT(id) FOR name IN ('x'))")).toEqual(['users: ssn']);
  expect(
    await reads("SELECT u.name FROM notes AS n JOIN users AS u ON u.ssn = n.id WHERE n.at.place = 'Rome'"),
  ).toEqual(['notes: at,id', 'users: name,ssn']);
});
