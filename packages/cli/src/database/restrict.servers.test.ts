import { type Adapter, type AdapterSpec, createCallContext } from '@askema/core';
import { restrict } from '@askema/lint';
import { mysql } from '@askema/mysql';
import { postgres } from '@askema/postgres';
import { createSqlParser } from '@askema/sql-parser';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { StartedServer } from '../../../../servers/start-server.ts';
import { connectionOf, ENGINES, type Engine, type Parts } from '../testing/restricted-servers.ts';
import { SECRET } from '../testing/restricted-shop.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 });

const parser = createSqlParser();
const RULES = { hide: ['*.ssn', 'salaries', 'hr_*'], mask: ['*.email', 'users.balance'] };
afterAll(() => parser.close());

/** What PostgreSQL names in a plan by a parent that it does not scan, and in arms and parts of a statement. */
const IN_PLANS = [
  'SELECT MAX(ssn) FROM parted WHERE id IN (1, 2)',
  'SELECT note FROM orders UNION SELECT ssn FROM users',
  'SELECT note FROM orders EXCEPT SELECT ssn FROM users',
  "SELECT 1 FROM (SELECT ssn AS x FROM users OFFSET 0) AS s WHERE s.x > ''",
];

describe.each(ENGINES)('hide and mask on $name', (engine) => {
  const { hostile, allowed } = engine;
  let server: StartedServer;
  let inner: AdapterSpec;
  let adapter: Adapter;
  beforeAll(async () => {
    server = await engine.start();
    inner = await engine.open(server.ready as unknown as Parts);
    adapter = restrict(inner, { ...RULES, parser });
  });
  afterAll(async () => {
    await adapter?.close();
    await server?.stop();
  });

  test('at least 120 hostile statements are tried, and 20 that may run', () => {
    expect(new Set(hostile).size).toBeGreaterThanOrEqual(120);
    expect(new Set(allowed).size).toBeGreaterThanOrEqual(20);
  });

  test.each(hostile)('refuses %s', async (sql) => {
    const error = await adapter.query(sql).then(
      ({ rows }) => ({ rows }),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'QUERY_REFUSED' });
    const said = JSON.stringify(error).toLowerCase();
    expect(said).not.toContain(SECRET.toLowerCase());
    for (const name of ['ssn', 'salaries', 'hr_notes', 'hr_pay', 'bonus'])
      if (!sql.toLowerCase().includes(name)) expect(said).not.toContain(name);
  });

  test.each(allowed)('runs %s', async (sql) => {
    const { rows } = await adapter.query(sql);
    expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      SECRET,
    );
    expect(rows.length).toBeGreaterThan(0);
  });

  test('the catalog, samples and the diagnosis have no hidden name and no masked value', async () => {
    const catalog = await adapter.introspect();
    const text = JSON.stringify(catalog).toLowerCase();
    for (const name of ['ssn', 'salaries', 'hr_notes', 'hr_pay', 'bonus', 'v_users', 'v_deep', 'f_ssn'])
      expect(text).not.toContain(name);
    expect(text).toContain('v_fine');
    const samples = await adapter.sampleValues(
      catalog.schema.attributes.map(({ id }) => id),
      { catalog, limit: 5, timeoutMs: 20_000, context: createCallContext() },
    );
    expect(JSON.stringify(samples)).not.toContain(SECRET);
    expect(JSON.stringify(samples)).toContain('Ada');
    expect(JSON.stringify(await adapter.diagnose()).toLowerCase()).not.toMatch(/ssn|salaries|hr_|bonus/);
  });

  test.each([
    'SELECT ssn FROM users',
    'SELECT email FROM users',
    'SELECT COUNT(*) FROM users',
    'SELECT code FROM v_users',
    'SELECT c.n FROM numbers c, salaries s',
    'SELECT n FROM numbers WHERE EXISTS (SELECT 1 FROM users WHERE ssn IS NULL)',
    ...(engine.name === 'PostgreSQL' ? IN_PLANS : []),
  ])('where our parser takes %s for another statement, the server still says what it reads', async (sql) => {
    const fooled = restrict(inner, {
      ...RULES,
      parser: {
        ...parser,
        parse: (text, dialect, options) =>
          parser.parse(text === sql ? 'SELECT n FROM numbers' : text, dialect, options),
      },
    });
    await expect(fooled.query(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    expect(await fooled.query('SELECT n FROM numbers')).toMatchObject({ rows: [[expect.anything()]] });
  });

  test('a view that is replaced, and one in the place of a table, are judged as they are now', async () => {
    const run = (sql: string): Promise<void> => engine.run(server.ready as unknown as Parts, sql);
    const counted = (column: string): string => `SELECT ${column} AS name, COUNT(*) AS n FROM users GROUP BY ${column}`;
    await run(`CREATE VIEW v_late AS ${counted('name')}; CREATE TABLE late (name TEXT); INSERT INTO late VALUES ('x')`);
    const catalog = await adapter.introspect();
    const queries = ['SELECT name FROM v_late WHERE n > 0', 'SELECT name FROM late'];
    for (const sql of queries) expect((await adapter.query(sql)).rows.length).toBeGreaterThan(0);
    await run(`CREATE OR REPLACE VIEW v_late AS ${counted('ssn')}`);
    await run(`DROP TABLE late; CREATE VIEW late AS ${counted('ssn')}`);
    const ids = catalog.schema.attributes.flatMap(({ id, name }) => (name === 'name' ? [id] : []));
    const context = createCallContext();
    const samples = await adapter.sampleValues(ids, { catalog, limit: 5, timeoutMs: 20_000, context });
    expect(JSON.stringify(samples)).not.toContain(SECRET);
    for (const sql of queries) await expect(adapter.query(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    const parameter = engine.name === 'PostgreSQL' ? '$1' : '?';
    await expect(
      adapter.query(`SELECT name FROM v_late WHERE n > ${parameter}`, { parameters: [0] }),
    ).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  });

  test('columns that are made anew are judged as they are now', async () => {
    const run = (sql: string): Promise<void> => engine.run(server.ready as unknown as Parts, sql);
    await run(
      "CREATE TABLE anew (id INT, ssn VARCHAR(40), note VARCHAR(60)); INSERT INTO anew (ssn) VALUES ('S3CR3T-anew')",
    );
    await adapter.query('SELECT note FROM anew');
    const stored = engine.name === 'PostgreSQL' ? 'STORED' : 'VIRTUAL';
    await run(
      `ALTER TABLE anew DROP COLUMN note; ALTER TABLE anew ADD COLUMN note VARCHAR(60) GENERATED ALWAYS AS (UPPER(ssn)) ${stored}`,
    );
    await expect(adapter.query('SELECT note FROM anew')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  });
});

test('an order of a type that calls a function of a user lets nothing run, and says why', async () => {
  const [{ start, open, run }] = ENGINES as readonly [Engine];
  const server = await start();
  const parts = server.ready as unknown as Parts;
  const adapter = restrict(await open.call(ENGINES[0] as Engine, parts), { ...RULES, parser });
  try {
    expect((await adapter.query('SELECT n FROM numbers')).rows).toHaveLength(1);
    const operators = ['<', '<=', '=', '>=', '>'];
    await run(
      parts,
      `CREATE TYPE card AS (a int);
       CREATE FUNCTION card_is(card, card) RETURNS bool LANGUAGE sql STABLE AS 'SELECT $1.a = $2.a';
       CREATE FUNCTION card_order(card, card) RETURNS int LANGUAGE sql STABLE AS
         'SELECT CASE WHEN EXISTS (SELECT FROM public.users WHERE ssn LIKE ''S%'') THEN -1 ELSE 1 END';
       ${operators.map((name) => `CREATE OPERATOR ${name}# (FUNCTION = card_is, LEFTARG = card, RIGHTARG = card);`).join('')}
       CREATE OPERATOR CLASS cards DEFAULT FOR TYPE card USING btree AS
         ${operators.map((name, at) => `OPERATOR ${at + 1} ${name}#`).join(', ')}, FUNCTION 1 card_order(card, card);
       CREATE TABLE cards (id int, c card);`,
    );
    await expect(adapter.query('SELECT id FROM cards ORDER BY c')).rejects.toThrow(/may call a function of a user/);
  } finally {
    await adapter.close();
    await server.stop();
  }
});

test('in MariaDB, a date that may not be NULL any more, and another engine of a table, are seen', async () => {
  const engine = ENGINES[1] as Engine;
  const server = await engine.start();
  const parts = server.ready as unknown as Parts;
  const inner = await engine.open(parts);
  await engine.run(
    parts,
    'CREATE TABLE late (id INT, born DATE, email TEXT); INSERT INTO late (id) VALUES (1); CREATE TABLE whole (id INT) ENGINE=MyISAM',
  );
  const adapter = restrict(inner, { hide: ['users.ssn'], mask: ['late.born'], parser });
  const queries = ['SELECT id FROM late WHERE born IS NULL', 'SELECT COUNT(*) FROM whole'];
  try {
    for (const sql of queries) expect((await adapter.query(sql)).rows).toHaveLength(1);
    await engine.run(parts, "UPDATE late SET born = '2000-01-01'; ALTER TABLE late MODIFY born DATE NOT NULL");
    await engine.run(
      parts,
      'CREATE TABLE part (id INT) ENGINE=MyISAM; DROP TABLE whole; CREATE TABLE whole (id INT) ENGINE=MERGE UNION=(part)',
    );
    for (const sql of queries) await expect(adapter.query(sql), sql).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  } finally {
    await adapter.close();
    await server.stop();
  }
});

test('in MariaDB, neither placeholders nor letters beyond ASCII keep anything from being looked at', async () => {
  const engine = ENGINES[1] as Engine;
  const server = await engine.start();
  const parts = server.ready as unknown as Parts;
  await engine.open(parts);
  await engine.run(
    parts,
    "CREATE DATABASE apart; CREATE TABLE apart.users (id INT, name TEXT); INSERT INTO apart.users VALUES (1, 'S3CR3T-apart'); CREATE TABLE staff (id INT PRIMARY KEY, privé TEXT, größe TEXT); INSERT INTO staff VALUES (1, 'S3CR3T-1', 'S3CR3T-2')",
  );
  // The catalog has what `shop` has; names without a database mean those of `apart`.
  const elsewhere = mysql({ ...connectionOf(parts), database: 'apart', databases: ['shop'] });
  const asked = async (spec: AdapterSpec, sql: string) => {
    await using adapter = restrict(spec, { ...RULES, parser });
    return (await adapter.query(sql, { parameters: [1] })).rows;
  };
  try {
    const byId = 'SELECT name FROM users WHERE id = ?';
    await expect(asked(elsewhere, byId)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    const shop = () => mysql({ ...connectionOf(parts), database: 'shop' });
    expect(await asked(shop(), byId)).toEqual([['Ada']]);
    expect(await asked(shop(), 'SELECT name FROM users WHERE id > 0 ORDER BY id LIMIT ?')).toEqual([['Ada']]);
    await expect(asked(shop(), 'SELECT code FROM v_merged WHERE id = ?')).rejects.toMatchObject({
      code: 'QUERY_REFUSED',
    });
    await engine.run(
      parts,
      'CREATE FUNCTION age(n INT) RETURNS TEXT READS SQL DATA RETURN (SELECT ssn FROM users WHERE id = n)',
    );
    const allowing = mysql({ ...connectionOf(parts), database: 'shop', allowFunctions: ['shop.age'] });
    await expect(asked(allowing, 'SELECT age(id) FROM users')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    await engine.run(
      parts,
      'CREATE TABLE born (id INT PRIMARY KEY, day DATE NOT NULL); CREATE VIEW v_born AS SELECT o.id, b.day FROM orders o LEFT JOIN born b ON b.id = o.id',
    );
    await using dates = restrict(shop(), { mask: ['v_born.day'], parser });
    await expect(dates.query('SELECT COUNT(*) FROM v_born WHERE day IS NULL')).rejects.toMatchObject({
      code: 'QUERY_REFUSED',
    });
    await using letters = restrict(shop(), { hide: ['staff.privé'], mask: ['staff.größe'], parser });
    for (const name of ['privÉ', 'grÖße', 'privé'])
      await expect(
        letters.query(`SELECT (SELECT ${name} FROM staff WHERE id = 1) FROM (SELECT 1 AS \`${name}\`) AS t`),
      ).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    expect((await letters.query('SELECT COUNT(größe) AS größen FROM staff')).rows).toEqual([[1]]);
  } finally {
    await server.stop();
  }
});

test('in PostgreSQL, a type that gets rows of a restricted relation is seen, and a name that two schemas have is written whole', async () => {
  const [{ start, run }] = ENGINES as readonly [Engine];
  const server = await start();
  const parts = server.ready as unknown as Parts;
  await run(
    parts,
    `CREATE TABLE mails (id INT, email TEXT); INSERT INTO mails VALUES (1, 'S3CR3T');
     CREATE TYPE pair AS (a INT); CREATE TABLE kept (id INT, v pair); INSERT INTO kept VALUES (1, ROW(1));
     CREATE TABLE orders (id INT); INSERT INTO orders VALUES (7); CREATE SCHEMA hr; CREATE TABLE hr.orders (pay INT)`,
  );
  await using adapter = restrict(postgres({ ...connectionOf(parts), database: 'postgres' }), {
    hide: ['hr.*'],
    mask: ['*.email'],
    parser,
  });
  try {
    expect((await adapter.query('SELECT v FROM kept')).rows).toEqual([['(1)']]);
    await run(parts, `ALTER TYPE pair ADD ATTRIBUTE x mails; UPDATE kept SET v.x = (SELECT mails FROM mails)`);
    await expect(adapter.query('SELECT v FROM kept')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    const message = expect.stringContaining('"orders" may be one of several relations; write its schema');
    await expect(adapter.query('SELECT id FROM orders')).rejects.toMatchObject({ code: 'QUERY_REFUSED', message });
    expect((await adapter.query('SELECT id FROM public.orders')).rows).toEqual([[7]]);
  } finally {
    await server.stop();
  }
});

test('in PostgreSQL, what a row-level policy reads counts, though a plan leaves it out', async () => {
  const [{ start, run }] = ENGINES as readonly [Engine];
  const server = await start();
  const parts = server.ready as unknown as Parts;
  await run(
    parts,
    `CREATE TABLE users (id INT, name TEXT, ssn TEXT, email TEXT);
     INSERT INTO users SELECT i, 'n' || i, NULL, 'a' || i FROM generate_series(1, 1000) AS i;
     CREATE UNIQUE INDEX ON users (id) WHERE ssn IS NULL;
     CREATE POLICY p ON users USING (ssn IS NULL);
     CREATE TABLE mails (id INT, email TEXT);
     CREATE POLICY p ON mails USING (email LIKE 'a%');
     CREATE TABLE tenants (id INT, tenant INT, ssn TEXT);
     INSERT INTO tenants VALUES (1, 1, 'S3CR3T-1'), (2, 2, 'S3CR3T-2');
     CREATE POLICY p ON tenants USING (tenant = 1);
     ALTER TABLE users ENABLE ROW LEVEL SECURITY; ALTER TABLE mails ENABLE ROW LEVEL SECURITY;
     ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
     CREATE TABLE papers (id INT, ssn TEXT, doc JSONB);
     INSERT INTO papers VALUES (1, NULL, '{"first": 1}'), (2, 'S3CR3T-2', '{"second": 1}');
     CREATE POLICY p ON papers USING (ssn IS NULL); ALTER TABLE papers ENABLE ROW LEVEL SECURITY;
     CREATE TABLE rows (id INT, ssn TEXT); INSERT INTO rows SELECT i, 'S3CR3T' FROM generate_series(1, 30000) AS i;
     CREATE POLICY p ON rows USING (rows IS NOT NULL); CREATE INDEX ON rows (id) WHERE rows IS NOT NULL;
     CREATE TABLE whole (id INT, ssn TEXT); INSERT INTO whole VALUES (1, 'S3CR3T'); CREATE POLICY p ON whole USING (whole < ROW(2, '')::whole);
     CREATE TABLE docs (id INT, email TEXT); INSERT INTO docs VALUES (1, 'a1'); CREATE POLICY p ON docs USING (to_jsonb(docs) ->> 'email' = 'a1');
     ALTER TABLE rows ENABLE ROW LEVEL SECURITY; ALTER TABLE whole ENABLE ROW LEVEL SECURITY; ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
     CREATE TYPE place AS (street TEXT, zip TEXT); CREATE TABLE homes (id INT, email place); INSERT INTO homes VALUES (1, ROW('x', NULL));
     CREATE TABLE letters (id INT, doc JSONB); INSERT INTO letters VALUES (1, '{"shown": 1}');
     CREATE ROLE ann LOGIN PASSWORD '${parts.password}'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ann;
     CREATE ROLE filler; GRANT SELECT ON tenants, rows TO filler; GRANT CREATE ON SCHEMA public TO filler; SET ROLE filler;
     CREATE MATERIALIZED VIEW filled AS SELECT id FROM rows WHERE id < 10; RESET ROLE; GRANT SELECT ON filled TO ann;
     CREATE VIEW w WITH (security_invoker) AS SELECT id, name FROM users WHERE id < 10; GRANT SELECT ON w TO ann; ANALYZE`,
  );
  await using adapter = restrict(postgres({ ...connectionOf(parts), user: 'ann', database: 'postgres' }), {
    hide: ['*.ssn'],
    mask: ['*.email'],
    parser,
  });
  try {
    for (const sql of [
      'SELECT name FROM users WHERE id = 5',
      'SELECT name FROM w',
      'SELECT COUNT(email) FROM mails',
      'SELECT id FROM rows WHERE id = 50',
      'SELECT COUNT(email) FROM docs',
      'SELECT id FROM homes WHERE email IS NOT NULL',
    ])
      await expect(adapter.query(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    for (const sql of ['SELECT name FROM users WHERE id = $1', 'SELECT id FROM whole WHERE id = $1'])
      await expect(adapter.query(sql, { parameters: [5] })).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    expect((await adapter.query('SELECT COUNT(email) FROM homes')).rows).toEqual([[1]]);
    expect((await adapter.query('SELECT id FROM tenants')).rows).toEqual([[1]]);
    // Whoever fills a materialized view is bound by it, for all who read that later.
    const rules = { hide: ['*.ssn'], mask: ['*.email'], parser };
    await using whole = restrict(postgres({ ...connectionOf(parts), database: 'postgres' }), rules);
    expect((await whole.query('SELECT id FROM rows WHERE id = 50')).rows).toEqual([[50]]);
    await expect(whole.query('SELECT id FROM filled')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    // Nor do documents that it lets through show their fields.
    const { attributes } = await adapter.introspect();
    const fields = Object.values(attributes).flatMap(({ nestedFields = [] }) => nestedFields.map(({ path }) => path));
    expect(fields).toEqual([['shown']]);
  } finally {
    await server.stop();
  }
});
