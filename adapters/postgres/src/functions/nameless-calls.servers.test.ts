import { type AskemaError, createCallContext, resolveAdapter } from '@askema/core';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgres } from '../postgres.ts';
import { createDatabase } from '../test-support/load-fixture.ts';
import { type StartedPostgres, startPostgres } from '../test-support/start-postgres.ts';

/** What leads to a function of which it is not known that it only reads, without its name in the statement. */
const ACTS = `CREATE FUNCTION acts(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN 1; END $$;
  CREATE TABLE orders (id int); INSERT INTO orders VALUES (1);`;

let server: StartedPostgres;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server?.stop(), 60_000);

/** A database of its own: what is planted there counts for every statement. */
async function planted(setUp: string) {
  const { host, port, user, database, password } = await createDatabase(server);
  const client = new pg.Client({ host, port, user, database, password });
  await client.connect();
  try {
    await client.query(ACTS + setUp);
  } finally {
    await client.end();
  }
  return resolveAdapter(postgres({ host, port, user, database, password }));
}

const limits = { timeoutMs: 30_000, context: createCallContext() };

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'It ran.',
    (error: AskemaError) => `${error.code}: ${error.message}`,
  );

it.each([
  [
    'a default of an argument that calls a function of the engine',
    `CREATE FUNCTION lists(a text DEFAULT pg_read_file('/etc/hostname')) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1';`,
    'SELECT lists()',
    /lists/,
  ],
  [
    'a cast between types of the engine',
    `CREATE FUNCTION to_int(bool) RETURNS money LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN acts(1)::money; END $$;
     CREATE CAST (bool AS money) WITH FUNCTION to_int(bool) AS IMPLICIT;`,
    'SELECT id FROM orders WHERE (id = 1)::money IS NOT NULL',
    /The cast \(boolean AS pg_catalog\.money\) leads to the function public\.to_int\(\)/,
  ],
  [
    'a function of an extension in SQL, whose text means one of a user',
    `CREATE EXTENSION earthdistance CASCADE;
     CREATE FUNCTION cube_distance(earth, earth) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN acts(1); END $$;`,
    'SELECT earth_distance(ll_to_earth(1, 2), ll_to_earth(3, 4))',
    /In function public\.earth_distance\(\)/,
  ],
  [
    'the modifier of a type that a text names',
    `CREATE TYPE short; CREATE FUNCTION short_in(cstring, oid, int) RETURNS short LANGUAGE internal IMMUTABLE STRICT AS 'varcharin';
     CREATE FUNCTION short_out(short) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
     CREATE FUNCTION short_length(cstring[]) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN acts(1); END $$;
     CREATE TYPE short (INPUT = short_in, OUTPUT = short_out, TYPMOD_IN = short_length, LIKE = text);`,
    "SELECT to_regtype('sho' || 'rt(3)')",
    /The type public\.short leads to the function public\.short_/,
  ],
  [
    'the order of a type of a user',
    `CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TABLE felt (how mood); INSERT INTO felt VALUES ('ok'), ('sad');
     CREATE FUNCTION below(mood, mood) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT $1::text < $2::text';
     ${['<', '<=', '=', '>=', '>'].map((name) => `CREATE OPERATOR ${name} (FUNCTION = below, LEFTARG = mood, RIGHTARG = mood);`).join('')}
     CREATE FUNCTION compares(mood, mood) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN acts(1); END $$;
     CREATE OPERATOR CLASS moody DEFAULT FOR TYPE mood USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =,
       OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 compares(mood, mood);`,
    'SELECT how FROM felt ORDER BY how',
    /compares/,
  ],
  [
    'another order of a type of the engine',
    `CREATE FUNCTION compares(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN acts(1); END $$;
     CREATE OPERATOR CLASS strange FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =,
       OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 compares(int, int);`,
    'SELECT id FROM orders ORDER BY id',
    /The operator class public\.strange USING btree leads to the function public\.compares\(\)/,
  ],
  ['a variable of isn', 'CREATE EXTENSION isn;', 'SELECT isn_weak(true)', /isn_weak/],
  ['an XPath of xml2', 'CREATE EXTENSION xml2;', "SELECT xpath_number('<a/>', '1')", /xpath_number/],
])('%s is refused', async (_what, setUp, sql, reason) => {
  await using adapter = await planted(setUp);
  expect(await messageOf(adapter.query(sql))).toMatch(/^QUERY_NOT_READ_ONLY: /);
  expect(await messageOf(adapter.query(sql))).toMatch(reason);
});

it('what only compares runs: a class in C, a default that computes, a cast of an extension, its functions in SQL', async () => {
  await using adapter =
    await planted(`CREATE EXTENSION citext; CREATE EXTENSION pg_trgm; CREATE EXTENSION earthdistance CASCADE;
    CREATE TABLE named (name citext, day date); INSERT INTO named VALUES ('Ada', '2024-01-01');
    CREATE INDEX ON named USING gin ((name::text) gin_trgm_ops);
    CREATE FUNCTION doubled(a int DEFAULT abs(-2)) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 2 * $1';`);
  const { rows } = await adapter.query("SELECT doubled(), name FROM named WHERE name = 'ADA' ORDER BY name");
  expect(rows).toEqual([[4, 'Ada']]);
  const far = await adapter.query('SELECT earth_distance(ll_to_earth(0, 0), ll_to_earth(0, 1))::int');
  expect(far.rows).toEqual([[111320]]);
});

it('a plan names an aggregate of a user that has the name of one of the engine, and none of an extension', async () => {
  await using adapter = await planted(`CREATE EXTENSION citext;
    CREATE FUNCTION step(int, text) RETURNS int LANGUAGE sql AS 'SELECT count(*)::int FROM orders';
    CREATE AGGREGATE count(text) (SFUNC = step, STYPE = int, INITCOND = '0');`);
  expect((await adapter.planner.check("SELECT count('a'::text)", limits)).routines).toEqual(['public.count(text)']);
  expect((await adapter.planner.check("SELECT min('a'::citext)", limits)).routines).toBeUndefined();
});
