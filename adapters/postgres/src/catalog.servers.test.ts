import { type AskemaError, type Catalog, createCallContext, indexSchema, resolveAdapter } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { postgres } from './postgres.ts';
import { databaseWith } from './test-support/database-with.ts';
import { withClient } from './test-support/load-fixture.ts';

const SCHEMA = `
  CREATE SCHEMA sales; CREATE SCHEMA "Odd Schema"; CREATE SCHEMA closed;
  CREATE TYPE mood AS ENUM ('happy', 'it''s fine', 'sad');
  CREATE DOMAIN email AS text CHECK (VALUE LIKE '%@%');
  CREATE TYPE point3 AS (x int, y int, z int);
  CREATE TABLE person (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(40) NOT NULL DEFAULT 'x' COLLATE "C", mood mood, moods mood[],
    email email, height numeric(5,2) CHECK (height > 0), doubled numeric GENERATED ALWAYS AS (height * 2) STORED,
    place point3, range int4range, tags text[][], data jsonb, at timestamptz, born date, alone interval, price money, bits bit(3));
  CREATE UNIQUE INDEX person_email ON person (email);
  CREATE UNIQUE INDEX partial ON person (name) WHERE height > 1;
  CREATE UNIQUE INDEX expression ON person (lower(name));
  COMMENT ON TABLE person IS 'who; "quoted"'; COMMENT ON COLUMN person.name IS 'what they are called';
  CREATE TABLE sales.orders (
    region text, no int, day date NOT NULL, person bigint REFERENCES person, total numeric, PRIMARY KEY (no, day)) PARTITION BY RANGE (day);
  CREATE TABLE sales.orders_2023 PARTITION OF sales.orders FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
  CREATE TABLE sales.orders_2024 PARTITION OF sales.orders FOR VALUES FROM ('2024-01-01') TO ('2025-01-01') PARTITION BY RANGE (day);
  CREATE TABLE sales.orders_2024_h1 PARTITION OF sales.orders_2024 FOR VALUES FROM ('2024-01-01') TO ('2024-07-01');
  CREATE TABLE sales.shipment (id int PRIMARY KEY, no int, day date, FOREIGN KEY (no, day) REFERENCES sales.orders (no, day));
  CREATE TABLE "Odd Schema"."Odd Table" ("Odd Key" int PRIMARY KEY, person bigint REFERENCES public.person (id));
  INSERT INTO person (name, mood, moods, email, height, place, range, tags, data, at, born, alone, price, bits) VALUES
    ('Ada', 'happy', '{happy,NULL,"it''s fine"}', 'a@b', 1.70, '(1,2,3)', '[1,5)', '{{a,"b,c"},{NULL,"d\\"e"}}',
     '{"n": 12345678901234567890, "f": 0.1, "d": 0.12345678901234567890, "list": [1, {"k": null}]}', '2024-02-29 12:00:00.5+00', '0044-03-15 BC', '1 year 2 days 3 hours', '-1234.50', B'101'),
    ('Grace', NULL, '{}', NULL, NULL, NULL, NULL, NULL, '"text"', 'infinity', '12345-01-01', NULL, NULL, NULL);
  INSERT INTO sales.orders SELECT 'eu', n, date '2023-06-01' + n, 1, n FROM generate_series(1, 300) AS n;
  CREATE VIEW sales.totals AS SELECT person, sum(total) AS total FROM sales.orders GROUP BY person;
  CREATE MATERIALIZED VIEW sales.kept AS SELECT count(*) AS n FROM sales.orders;
  CREATE MATERIALIZED VIEW sales.empty AS SELECT 1 AS n WITH NO DATA;
  CREATE TABLE closed.never (a int);
  CREATE ROLE reader LOGIN PASSWORD 'reader';
  GRANT USAGE ON SCHEMA sales TO reader; GRANT SELECT ON sales.orders TO reader; GRANT SELECT (id, no) ON sales.shipment TO reader;
  GRANT SELECT (id, name) ON person TO reader;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  ANALYZE;`;

const place = databaseWith(SCHEMA);

function open(
  options: { readonly user?: string; readonly schemas?: readonly string[]; readonly access?: 'write' } = {},
) {
  const { host, port, database } = place();
  const { user = place().user, ...others } = options;
  return resolveAdapter(
    postgres({ host, port, database, user, password: options.user ?? place().password, ...others }),
  );
}

function describeRelation(catalog: Catalog, schema: string, relation: string) {
  const index = indexSchema(catalog);
  const [id] = Object.entries(catalog.relations).find(
    ([, { nameParts }]) => nameParts.schema === schema && nameParts.relation === relation,
  ) ?? [''];
  const nameOf = (attribute: string) => index.attribute(attribute)?.name;
  return {
    info: catalog.relations[id],
    columns: Object.fromEntries(
      index.attributesOf(id).map(({ id: attribute, name }) => [name, catalog.attributes[attribute]]),
    ),
    types: Object.fromEntries(index.attributesOf(id).map(({ name, type }) => [name, type])),
    key: index.primaryKey(id)?.attributes.map(nameOf),
    unique: catalog.uniqueKeys.filter((key) => key.relation === id).map(({ attributes }) => attributes.map(nameOf)),
    targets: index
      .foreignKeysFrom(id)
      .map(({ target, pairs }) => [
        Object.values(catalog.relations[target]?.nameParts ?? {}).join('.'),
        ...pairs.map(({ from, to }) => `${nameOf(from)}>${nameOf(to)}`),
      ]),
    partitionedBy: catalog.relations[id]?.partitioning?.attributes.map(nameOf),
    checks: catalog.checks.filter((check) => check.relation === id).map(({ expression }) => expression),
  };
}

describe('the catalog', () => {
  it('has schemas, kinds, types, keys, comments and defaults as the server has them', async () => {
    const adapter = open();
    const catalog = await adapter.introspect();
    expect(catalog.incomplete).toEqual([]);
    const person = describeRelation(catalog, 'public', 'person');
    expect(person.info).toMatchObject({ kind: 'table', comment: 'who; "quoted"', rowCount: 2, rowCountExact: true });
    expect(person.columns).toMatchObject({
      id: { position: 1, nativeType: 'bigint', generated: 'identity' },
      name: {
        nativeType: 'character varying(40)',
        comment: 'what they are called',
        collation: 'C',
        defaultExpression: expect.stringContaining("'x'"),
      },
      mood: { nativeType: "mood (enum: 'happy', 'it''s fine', 'sad')" },
      moods: { nativeType: "mood[] (enum: 'happy', 'it''s fine', 'sad')" },
      email: { nativeType: 'email (domain: text)' },
      height: { nativeType: 'numeric(5,2)' },
      doubled: { generated: 'stored' },
      tags: { nativeType: 'text[]' },
      range: { nativeType: 'int4range' },
    });
    expect(person.columns.data?.nestedFields?.map(({ path }) => path.join('.'))).toEqual([
      'd',
      'f',
      'list',
      'n',
      'list.[]',
      'list.[].k',
    ]);
    expect(person.types).toMatchObject({
      height: 'NUMERIC',
      at: 'DATETIME',
      mood: 'TEXT',
      email: 'TEXT',
      born: 'DATETIME',
    });
    expect(person.unique).toEqual([['email']]);
    expect(person.checks).toEqual([expect.stringContaining('height')]);
    expect(describeRelation(catalog, 'Odd Schema', 'Odd Table').targets).toEqual([['public.person', 'person>id']]);
    const totals = describeRelation(catalog, 'sales', 'totals').info;
    expect(totals).toMatchObject({ kind: 'view', definition: expect.stringContaining('sum(') });
    expect(describeRelation(catalog, 'sales', 'kept').info?.kind).toBe('materialized view');
    const again = await adapter.introspect();
    expect(again.fingerprint).toBe(catalog.fingerprint);
    await adapter.close();
  });

  it('a table in partitions is one table', async () => {
    const adapter = open({ schemas: ['sales'] });
    const catalog = await adapter.introspect();
    const names = catalog.schema.relations.map(({ name }) => name);
    expect(names).toEqual(['empty', 'kept', 'orders', 'shipment', 'totals']);
    const orders = describeRelation(catalog, 'sales', 'orders');
    expect(orders.info).toMatchObject({
      kind: 'table',
      rowCount: 300,
      partitioning: { kind: 'partition', filterRequired: false },
    });
    expect(orders.partitionedBy).toEqual(['day']);
    expect(orders.key).toEqual(['no', 'day']);
    expect(describeRelation(catalog, 'sales', 'shipment').targets).toEqual([['sales.orders', 'no>no', 'day>day']]);
    // The key leads out of the schemas that were asked for.
    expect(catalog.incomplete).toEqual([
      expect.objectContaining({ subject: 'sales.orders', foreignKey: expect.anything() }),
    ]);
    await adapter.close();
  });

  it('what may not be read is left out, and said', async () => {
    const adapter = open({ user: 'reader' });
    const catalog = await adapter.introspect();
    expect(catalog.schema.relations.map(({ name }) => name)).toEqual(['person', 'orders', 'shipment']);
    expect(Object.keys(describeRelation(catalog, 'public', 'person').columns)).toEqual(['id', 'name']);
    const subjects = catalog.incomplete.map(({ subject }) => subject);
    expect(subjects).toEqual(expect.arrayContaining(['public.person', 'sales.shipment', 'sales.totals', 'sales.kept']));
    expect(subjects).not.toContain('closed.never');
    const diagnosis = await adapter.diagnose();
    expect(diagnosis).toMatchObject({
      user: 'reader',
      readOnly: { by: 'grants' },
      server: expect.stringMatching(/^PostgreSQL \d/),
    });
    expect(diagnosis.findings.map(({ code }) => code)).toEqual(['tables-not-readable']);
    await adapter.close();
  });
});

it('cells are exact', async () => {
  const adapter = open();
  const { columns, rows } = await adapter.query(
    'SELECT id, height, moods, place, range, tags, data, at, born, alone, price, bits, person FROM person ORDER BY id',
  );
  expect(rows[0]?.slice(0, 12)).toEqual([
    1,
    '1.70',
    ['happy', null, "it's fine"],
    '(1,2,3)',
    '[1,5)',
    [
      ['a', 'b,c'],
      [null, 'd"e'],
    ],
    { n: '12345678901234567890', f: 0.1, d: '0.12345678901234567890', list: [1, { k: null }] },
    expect.stringMatching(/^2024-02-29T\d\d:00:00\.5[+-]\d\d:\d\d$/),
    '-0043-03-15',
    'P1Y2DT3H',
    '-1234.50',
    '101',
  ]);
  expect(rows[1]?.slice(2, 10)).toEqual([[], null, null, null, 'text', 'infinity', '+012345-01-01', null]);
  expect(columns[1]).toEqual({
    name: 'height',
    nativeType: 'numeric(5,2)',
    type: 'NUMERIC',
    source: { relation: 'person', attribute: 'height' },
  });
  const exact = await adapter.query(
    `SELECT 9007199254740993::int8, 5::numeric, 1e30::numeric, 'NaN'::numeric, '-Infinity'::float8, '{1,9007199254740993,NaN}'::numeric[],
      '[0:1]={1,2}'::int[], '{"(1,2),(3,4)";(5,6),(7,8)}'::box[], TIME '10:00', TIMETZ '10:00+02', ''::bytea, '{"\\\\x01"}'::bytea[], 1::oid, 'a'::"char"`,
  );
  expect(exact.rows[0]).toEqual([
    9007199254740993n,
    5,
    10n ** 30n,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    [1, '9007199254740993', 'NaN'],
    [1, 2],
    expect.anything(),
    '10:00:00',
    '10:00:00+02:00',
    new Uint8Array(),
    ['\\x01'],
    1,
    'a',
  ]);
  await adapter.close();
});

describe('the planner', () => {
  const check = async (sql: string) => {
    const adapter = open();
    const verdict = await adapter.planner.check(sql, { timeoutMs: 10_000, context: createCallContext() });
    await adapter.close();
    return verdict;
  };

  it('says what a statement reads and how much, without running it', async () => {
    expect(await check("SELECT * FROM sales.orders WHERE day > '2023-01-01'")).toMatchObject({
      verdict: 'ok',
      statement: 'read',
      relations: ['sales.orders'],
      estimatedRows: expect.any(Number),
      estimatedBytes: expect.any(Number),
    });
    expect(await check('DELETE FROM sales.orders')).toMatchObject({ verdict: 'ok', statement: 'write' });
    // Before PostgreSQL 16 it is prepared under a name; the next one finds the name free.
    for (const sql of [
      'SELECT name FROM person WHERE id = $1 -- $2',
      'SELECT name FROM person WHERE id = $1 OR id = $2',
    ])
      expect(await check(sql)).toMatchObject({
        ...{ verdict: 'ok', statement: 'read', relations: ['public.person'] },
        reads: [{ nameParts: { relation: 'person' }, columns: expect.arrayContaining(['id', 'name']) }],
      });
    expect(await check('CREATE TABLE x (a int)')).toEqual({ verdict: 'ok', statement: 'ddl' });
    expect(await check('SHOW search_path')).toEqual({ verdict: 'ok', statement: 'read' });
  });

  it('says what cannot run', async () => {
    expect(await check('SELECT 1; SELECT 2')).toMatchObject({ verdict: 'invalid' });
    expect(await check("COPY person TO PROGRAM 'x'")).toMatchObject({ verdict: 'invalid' });
    expect(await check('SELECT nam FROM person')).toMatchObject({
      verdict: 'invalid',
      error: { details: { errorClass: 'identifier', nearestNames: expect.arrayContaining(['name']) } },
    });
    const adapter = open();
    expect((await adapter.query('SELECT count(*) FROM sales.orders')).rows).toEqual([[300]]);
    await adapter.close();
  });
});

it('places are counted in UTF-16, as JavaScript does', async () => {
  const adapter = open();
  const sql = "SELECT '🦊🦊',\n  nosuch FROM person";
  const error = await adapter.query(sql).then(
    () => undefined,
    (thrown: AskemaError) => thrown,
  );
  expect(error?.details.position).toEqual({ offset: sql.indexOf('nosuch'), line: 2, column: 3 });
  await adapter.close();
});

it('a superuser is warned of, with SQL to copy', async () => {
  const adapter = open();
  const { readOnly, findings } = await adapter.diagnose();
  expect(readOnly.by).toBe('engine');
  expect(findings.find(({ code }) => code === 'role-is-superuser')?.fix).toContain('CREATE ROLE askema_reader');
  await adapter.close();
});

it('a change is whole: constraints that wait for the end count, and nothing is left on the connection', async () => {
  const adapter = open({ access: 'write' });
  const write = (sql: string) => adapter.query(sql, { access: 'write' });
  await write('CREATE TABLE child (id int PRIMARY KEY, person bigint REFERENCES person DEFERRABLE INITIALLY DEFERRED)');
  await expect(write('INSERT INTO child VALUES (1, 999)')).rejects.toMatchObject({
    code: 'QUERY_FAILED',
    details: { errorClass: 'constraint' },
  });
  expect((await adapter.query('SELECT count(*) FROM child')).rows).toEqual([[0]]);
  for (const sql of [
    'SELECT 1; DELETE FROM child',
    'COMMIT',
    '/* x */ BEGIN',
    "COPY child TO '/tmp/x'",
    'SET search_path TO sales',
  ])
    await expect(write(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  await write("SELECT set_config('search_path', 'nowhere', false)");
  expect((await adapter.query('SELECT count(*) FROM person')).rows).toEqual([[2]]);
  await write('DROP TABLE child');
  await adapter.close();
});

it('a column of the same statement comes from where another connection has moved it meanwhile', async () => {
  await using adapter = open();
  await withClient(place(), (client) => client.query('CREATE TABLE moving (a int, b int)'));
  const origins = async (): Promise<unknown> =>
    (await adapter.query('SELECT * FROM (TABLE moving) AS m (one, two)')).columns.map(({ source }) => source);
  const of = (relation: string, ...attributes: readonly string[]) =>
    attributes.map((attribute) => ({ relation, attribute }));
  for (const _ of [1, 2]) expect(await origins()).toEqual(of('moving', 'a', 'b'));
  await withClient(place(), (client) => client.query('ALTER TABLE moving RENAME COLUMN a TO c'));
  for (const _ of [1, 2]) expect(await origins()).toEqual(of('moving', 'c', 'b'));
  await withClient(place(), (client) =>
    client.query('ALTER TABLE moving RENAME TO moved; CREATE TABLE moving (b int, c int)'),
  );
  for (const _ of [1, 2]) expect(await origins()).toEqual(of('moving', 'b', 'c'));
});
