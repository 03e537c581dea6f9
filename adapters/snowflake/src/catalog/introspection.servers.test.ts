import { type Adapter, createCallContext, fillProbe, indexSchema, resolveAdapter } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snowflake } from '../snowflake.ts';
import type { SnowflakeOptions } from '../snowflake-options.ts';
import { type StartedFakesnow, startFakesnow } from '../test-support/start-fakesnow.ts';

let server: StartedFakesnow;
const adapters: Adapter[] = [];

function open(options: Partial<SnowflakeOptions> = {}): Adapter {
  const adapter = resolveAdapter(
    snowflake({ account: 'fakesnow', user: 'fake', password: 'snow', accessUrl: server.url, ...options }),
  );
  adapters.push(adapter);
  return adapter;
}

beforeAll(async () => {
  server = await startFakesnow();
  await server.load({
    database: 'SALES',
    schema: 'PUBLIC',
    snowflake: [
      'CREATE TABLE customers (id NUMBER(38,0) NOT NULL, "fullName" VARCHAR(80), credit NUMBER(12,2) DEFAULT 5, since DATE, PRIMARY KEY (id))',
      `INSERT INTO customers VALUES (1, 'Ada', 10.50, '2024-01-31'), (2, 'Bo', NULL, NULL)`,
      'CREATE SCHEMA "lower case"',
      'CREATE TABLE "lower case"."orders" ("no" NUMBER(38,0), "customer" NUMBER(38,0), "body" VARIANT, "tags" ARRAY)',
      `INSERT INTO "lower case"."orders" SELECT 1, 1, PARSE_JSON('{"ship":{"city":"Łódź","to":[{"sku":"A"},{"sku":"B"}]},"total":12.5}'), ARRAY_CONSTRUCT('x', 'y') UNION ALL SELECT 2, 2, PARSE_JSON('{"ship":null,"total":3}'), NULL`,
      'CREATE VIEW "lower case"."open orders" AS SELECT "no" FROM SALES."lower case"."orders"',
    ],
  });
  await server.load({
    database: 'HR',
    schema: 'STAFF',
    snowflake: ['CREATE TABLE customers (id NUMBER(38,0), boss NUMBER(38,0), PRIMARY KEY (id))'],
  });
}, 600_000);

afterAll(async () => {
  for (const adapter of adapters) await adapter.close();
  await server?.stop();
});

describe('introspection of fakesnow', () => {
  test('two databases and three schemas; what has one name is told apart', async () => {
    const catalog = await open({ databases: ['SALES', 'hr'] }).introspect();
    const names = Object.values(catalog.relations).map(
      ({ nameParts: { database, schema, relation }, kind }) => `${kind} ${database}.${schema}.${relation}`,
    );
    expect(names.sort()).toEqual([
      'table HR.STAFF.CUSTOMERS',
      'table SALES.PUBLIC.CUSTOMERS',
      'table SALES.lower case.orders',
      'view SALES.lower case.open orders',
    ]);
    expect(catalog.incomplete).toEqual([]);
    const index = indexSchema(catalog);
    const customers = index.relationsNamed('CUSTOMERS').map(({ id }) => index.attributesOf(id).map(({ name }) => name));
    expect(customers).toContainEqual(['ID', 'fullName', 'CREDIT', 'SINCE']);
    expect(customers).toContainEqual(['ID', 'BOSS']);
  });

  test('types, defaults and keys', async () => {
    const catalog = await open({ database: 'SALES', schema: 'PUBLIC' }).introspect();
    const index = indexSchema(catalog);
    const id = index.relationsNamed('CUSTOMERS')[0]?.id ?? '';
    const attributes = index.attributesOf(id).map((attribute) => {
      const { nativeType, defaultExpression } = catalog.attributes[attribute.id] ?? { nativeType: '' };
      return [attribute.name, nativeType, defaultExpression, index.isNotNull(attribute.id)];
    });
    expect(attributes).toEqual([
      ['ID', 'NUMBER(38,0)', undefined, true],
      ['fullName', 'VARCHAR(80)', undefined, false],
      ['CREDIT', 'NUMBER(12,2)', '5', false],
      ['SINCE', 'DATE', undefined, false],
    ]);
    expect(catalog.keyStanding[id]).toBe('informational');
    expect(catalog.relations[id]).toMatchObject({ rowCount: 2, rowCountExact: true });
  });

  test('fields of VARIANT and ARRAY columns, and none where they are not asked for', async () => {
    const place = { database: 'SALES', schemas: ['lower case'] };
    const catalog = await open(place).introspect();
    const fields = Object.values(catalog.attributes).flatMap(({ nestedFields = [] }) =>
      nestedFields.map(({ path, nativeType }) => `${path.join('.')} ${nativeType}`),
    );
    expect(fields).toEqual([
      'ship OBJECT',
      'ship.city VARCHAR',
      'ship.to ARRAY',
      'ship.to.[] OBJECT',
      'ship.to.[].sku VARCHAR',
      'total FLOAT',
      '[] VARCHAR',
    ]);
    const without = await open({ ...place, nestedFields: 'off' }).introspect();
    expect(Object.values(without.attributes).flatMap(({ nestedFields = [] }) => nestedFields)).toEqual([]);
  });

  test('a database that is not there is an error; one of two is a gap', async () => {
    await expect(open({ databases: ['NOWHERE'], schemas: ['X'] }).introspect()).rejects.toMatchObject({
      code: 'DATABASE_NOT_FOUND',
    });
    const catalog = await open({ database: 'SALES', schemas: ['PUBLIC', 'NOWHERE'] }).introspect();
    expect(catalog.incomplete).toEqual([
      { subject: 'SALES.NOWHERE', reason: expect.stringContaining('does not exist or may not be seen') },
    ]);
  });
});

describe('what a catalog leads to', () => {
  test('FLATTEN, paths and quoted names in lower case', async () => {
    const adapter = open({ database: 'SALES' });
    const { rows } = await adapter.query(
      'SELECT o."no", f.value:sku::VARCHAR AS sku FROM "SALES"."lower case"."orders" o, LATERAL FLATTEN(INPUT => o."body":ship.to) f ORDER BY sku',
    );
    expect(rows).toEqual([
      [1, 'A'],
      [1, 'B'],
    ]);
    expect(
      (await adapter.query('SELECT "body":total::NUMBER(10,2) FROM "SALES"."lower case"."orders" ORDER BY 1')).rows,
    ).toEqual([['3.00'], ['12.50']]);
  });

  test('each probe of the dialect runs', async () => {
    const adapter = open({ database: 'SALES' });
    const plain = { relation: '"SALES"."PUBLIC"."CUSTOMERS"', attribute: '"fullName"', pattern: "'%a%'", limit: 5 };
    const nested = { relation: '"SALES"."lower case"."orders"', attribute: '"body"', limit: 5 };
    const found: Record<string, number> = {};
    for (const [name, skeleton] of Object.entries(snowflakeDialect.probes)) {
      if (/\{(condition|attributes|alias)\}/.test(skeleton)) continue;
      const holes = name === 'jsonFields' ? nested : name === 'elements' ? { ...nested, attribute: '"tags"' } : plain;
      found[name] = (await adapter.query(fillProbe(skeleton, holes))).rows.length;
    }
    expect(found).toMatchObject({ sample: 2, distinct: 2, frequent: 2, range: 1, search: 1, elements: 2 });
    expect(found.jsonFields).toBeGreaterThan(0);
  });

  test('timestamps before 1970 with fractions, and exact numbers, pass both ways', async () => {
    const adapter = open({ database: 'SALES' });
    const { rows } = await adapter.query(
      `SELECT '1969-12-31 23:59:59.5'::TIMESTAMP_NTZ, '0001-01-01'::DATE, -0.05::NUMBER(5,2), -170141183460469231731687303715884105.5::NUMBER(38,1), NULL::TIMESTAMP_NTZ, X'00FF'::BINARY`,
    );
    expect(rows[0]?.slice(1)).toEqual([
      '0001-01-01',
      '-0.05',
      '-170141183460469231731687303715884105.5',
      null,
      new Uint8Array([0, 255]),
    ]);
    expect(rows[0]?.[0]).toMatch(/^1969-12-31[T ]23:59:59\.50*$/);
  });

  test('an abort stops the statement in fakesnow, so that the session of the next one is free', async () => {
    const adapter = open({ database: 'SALES', poolSize: 1 });
    const controller = new AbortController();
    const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n';
    const promise = adapter.query(endless, { context: createCallContext({ signal: controller.signal }) });
    setTimeout(() => controller.abort(), 300);
    await expect(promise).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
  });
});
