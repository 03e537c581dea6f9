import { existsSync, rmSync } from 'node:fs';
import { type AskemaError, createCallContext, resolveAdapter } from '@askema/core';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { postgres } from '../postgres.ts';
import { createDatabase, type ServerParts } from '../test-support/load-fixture.ts';
import { PLANTED_SQL, TRACE } from '../test-support/planted-objects.ts';
import { type StartedPostgres, startPostgres } from '../test-support/start-postgres.ts';

let server: StartedPostgres;
let place: ServerParts;
let client: pg.Client;
beforeAll(async () => {
  server = await startPostgres();
  place = await createDatabase(server);
  const { host, port, user, database, password } = place;
  client = new pg.Client({ host, port, user, database, password });
  await client.connect();
  await client.query(PLANTED_SQL);
}, 120_000);
beforeEach(() => rmSync(TRACE, { force: true }));
afterAll(async () => {
  await client?.end();
  await server?.stop();
  rmSync(TRACE, { force: true });
}, 60_000);

function open(user = 'postgres', allowFunctions: readonly string[] = []) {
  const { host, port, database, password } = place;
  const secret = user === 'postgres' ? password : user;
  return resolveAdapter(postgres({ host, port, database, user, password: secret, allowFunctions }));
}

const failureOf = (promise: Promise<unknown>): Promise<AskemaError> =>
  promise.then(
    () => Promise.reject(new Error('It ran.')),
    (error: AskemaError) => error,
  );

describe.each(['postgres', 'reader'])('planted objects, as %s', (user) => {
  it.each([
    ['a function', 'SELECT acts()', 'public.acts'],
    ['a function that uses dblink', 'SELECT acts_by_dblink()', 'public.acts_by_dblink'],
    ['a function in SQL that runs a program', 'SELECT copies()', 'COPY'],
    ['a function in SQL that calls it', 'SELECT wraps(1)', 'public.acts_on'],
    ['an XPath', "SELECT xpath('/a', '<a/>'::xml)", 'xpath'],
    ['an XPath in XMLEXISTS', "SELECT XMLEXISTS('/a' PASSING ('<a/>'::xml))", 'xmlexists'],
    ['an XPath in XMLTABLE', "SELECT a FROM XMLTABLE('/a' PASSING ('<a>1</a>'::xml) COLUMNS a int PATH '.')", 'xpath'],
    ['an XMLTABLE in a view', 'SELECT a FROM by_xml_table', 'xpath'],
    ['an XMLEXISTS in a view', 'SELECT a FROM by_xml_exists', 'xmlexists'],
    ['a function that sets a role', 'SELECT as_owner()', 'public.as_owner has settings of its own'],
    ['a function that sets a deadline', 'SELECT a FROM by_untimed', 'public.untimed has settings of its own'],
    [
      'a function of a long text',
      'SELECT long_winded()',
      'public.long_winded does cannot be seen, because its text is too long',
    ],
    ['a function with a parsed body', 'SELECT public.atomic(1)', 'public.acts_on'],
    ['a parsed body that calls the engine', 'SELECT atomic_list()', 'pg_ls_dir'],
    ['the default of an argument', 'SELECT defaults()', 'public.acts'],
    ['a view', 'SELECT * FROM direct', 'The view public.direct leads to the function public.acts()'],
    ['a view on a view', 'SELECT b FROM public."through_view"', 'through the view public.direct'],
    [
      'a view that calls the engine',
      'TABLE engine',
      'The view public.engine leads to the function pg_catalog.pg_ls_dir',
    ],
    ['a sub-query of a view', 'SELECT id FROM by_sub_query', 'public.acts'],
    ['an explained view', 'EXPLAIN ANALYZE SELECT * FROM direct', 'public.direct'],
    ['an operator', "SELECT === 'a'", 'The operator public.==='],
    ['an operator by its schema', "SELECT OPERATOR(public.===) 'a'", 'The operator public.==='],
    ['an operator of a common name', 'SELECT 1 FROM customer WHERE name IN (1)', 'The operator public.='],
    ['an operator with a function of the engine', "SELECT ~> '/'", 'pg_ls_dir'],
    ['an operator in a view', 'SELECT a FROM by_operator', 'public.acts_on'],
    ['a cast that nobody writes', 'SELECT length(feels) FROM person', 'the cast (public.mood AS pg_catalog.text)'],
    ['a cast of elements', 'SELECT length(feel[1]) FROM crowd', 'cast'],
    ['a cast of a value', "SELECT length('sad'::mood)", 'cast'],
    ['a field that is a function', 'SELECT i.item_row FROM item AS i', 'public.item_row'],
    ['the check of a domain', "SELECT 'x'::word", 'The type public.word leads to the function public.acts_on'],
    ['the check of a domain by its name', "SELECT domain_in('x', 'word'::regtype, -1)", 'domain_in'],
    ['a domain within a row', `SELECT jsonb_populate_record(NULL::note, '{"said": "x"}')`, 'public.acts_on'],
    ['a policy', 'SELECT * FROM guarded', 'the policy by_function on public.guarded'],
    ['a policy that reads a view', 'SELECT * FROM guarded_too', 'public.acts'],
    ['an aggregate', 'SELECT total(id) FROM item', 'public.step'],
    ['an aggregate as a window function', 'SELECT total(id) OVER () FROM item', 'public.step'],
    ['a foreign table with a program', 'SELECT * FROM program', 'runs a program'],
    ['such a table as a partition', 'SELECT * FROM parts', 'public.part'],
    ['the condition of an index', 'SELECT * FROM planned', 'public.acts_on'],
    ['the index of a materialized view', 'SELECT * FROM mat_keyed', 'public.acts_on'],
    ['a call that becomes one of constants', 'SELECT * FROM folded WHERE a = 1', 'public.acts_on'],
    ['such a call by a function in SQL', 'SELECT * FROM inlined', 'public.acts_on'],
    [
      'the row of a table as a column',
      `SELECT jsonb_populate_record(o, '{"x": {"w": "x"}}') FROM rows_of AS o`,
      'public.acts_on',
    ],
    ['a list of rows of a table', `SELECT '{"(x)"}'::_worded`, 'public.acts_on'],
    [
      'the order of a type that no statement names',
      'SELECT count(*) FROM ents AS a JOIN ents AS b ON a.e #= b.e',
      'public.acts_on',
    ],
    ['a literal of a range', "SELECT id FROM bookings WHERE during && '[2024-01-05,2024-01-06)'", 'public.day_acts'],
    ['the opposite of an operator', 'SELECT id FROM item WHERE NOT (id <!!> 3)', 'public.<!=!>'],
    ['the opposite of an operator in a view', 'SELECT * FROM by_negator', 'public.<!=!>'],
    ['the key of the parent of a partition', 'SELECT b FROM keyed_part', 'public.key_of'],
    ['a check of a function', 'SELECT fmgr_sql_validator(oid) FROM pg_proc', 'fmgr_sql_validator'],
    [
      'the key of a partition by its id',
      'SELECT pg_get_partition_constraintdef(oid) FROM pg_class',
      'pg_get_partition',
    ],
    ['such a key by another way', "SELECT satisfies_hash_partition('keyed'::regclass, 2, 0, 5)", 'satisfies_hash'],
    ['a call in the words of a cast', "SELECT TREAT('/etc/passwd' AS pg_read_file)", 'pg_read_file'],
    ['such a call of a list', 'SELECT treat /* */ (77 AS "pg_advisory_lock"[])', 'pg_advisory_lock'],
    ['the check of a child', 'SELECT * FROM parent WHERE a > 1', 'public.acts_on'],
  ])('%s does not run: %s', async (_, sql, reason) => {
    await using adapter = open(user);
    const { code, message } = await failureOf(adapter.query(sql));
    expect({ sql, code, message, ran: existsSync(TRACE) }).toEqual({
      ...{ sql, code: 'QUERY_NOT_READ_ONLY', ran: false },
      message: expect.stringContaining(reason),
    });
    const plan = await adapter.planner?.check(sql, { timeoutMs: 5_000, context: createCallContext() });
    expect([plan?.verdict, existsSync(TRACE)]).toEqual(['invalid', false]);
  });

  it('nothing of them runs while the catalog is read', async () => {
    await using adapter = open(user);
    const { relations } = await adapter.introspect();
    expect(Object.keys(relations)).toContain('public.documents');
    expect(existsSync(TRACE)).toBe(false);
  });
});

it.each([
  ['SELECT area(2), twice(1), atomic_area(3)', [[4, 4, 6]]],
  ['SELECT plain_total(id) FROM item', [[1]]],
  [
    'SELECT n, r, a FROM plain ORDER BY n',
    [
      ['ADA', true, 2],
      ['GRACE', true, 4],
    ],
  ],
  ['SELECT * FROM stored', [[1]]],
  ['SELECT * FROM indexed', []],
  ['SELECT * FROM checked', []],
  ["SELECT '7'::positive", [[7]]],
  ['SELECT count(*) FROM customer', [[2]]],
  ['SELECT a FROM tag', []],
  ['SELECT acts FROM (SELECT 1 AS acts) AS t', [[1]]],
])('what leads to no such function runs: %s', async (sql, rows) => {
  await using adapter = open('reader');
  expect((await adapter.query(sql)).rows).toEqual(rows);
});

it('a function that is allowed runs, and what leads to it alone', async () => {
  await using adapter = open('reader', ['public.acts']);
  expect((await adapter.query('SELECT b FROM through_view')).rows).toEqual([[2]]);
  expect(existsSync(TRACE)).toBe(true);
  expect((await failureOf(adapter.query('SELECT acts_by_dblink()'))).code).toBe('QUERY_NOT_READ_ONLY');
  expect(() => postgres({ allowFunctions: ['acts'] })).toThrow(/"acts": write a function with its schema/);
});

it('what is made, changed, renamed or dropped meanwhile counts for the next statement', async () => {
  await using adapter = open('reader');
  const outcome = (sql: string): Promise<string> =>
    adapter.query(sql).then(
      () => 'ran',
      ({ code }) => code,
    );
  await client.query('CREATE VIEW later AS SELECT 1 AS a; GRANT SELECT ON later TO reader');
  expect(await outcome('SELECT a FROM later')).toBe('ran');
  await client.query('CREATE OR REPLACE VIEW later AS SELECT acts() AS a');
  expect(await outcome('SELECT a FROM later')).toBe('QUERY_NOT_READ_ONLY');
  await client.query('CREATE OR REPLACE VIEW later AS SELECT area(1) AS a');
  expect(await outcome('SELECT a FROM later')).toBe('ran');
  await client.query(`CREATE OR REPLACE FUNCTION area(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN acts(); END'`);
  expect(await outcome('SELECT a FROM later')).toBe('QUERY_NOT_READ_ONLY');
  await client.query(`CREATE OR REPLACE FUNCTION area(int) RETURNS int LANGUAGE sql AS 'SELECT abs($1) * 2'`);
  expect(await outcome('SELECT a FROM later')).toBe('ran');
  await client.query('CREATE POLICY late ON item USING (acts() = 1); ALTER TABLE item ENABLE ROW LEVEL SECURITY');
  expect(await outcome('SELECT * FROM item')).toBe('QUERY_NOT_READ_ONLY');
  await client.query('DROP POLICY late ON item; ALTER TABLE item DISABLE ROW LEVEL SECURITY');
  expect(await outcome('SELECT * FROM item')).toBe('ran');
  expect(existsSync(TRACE)).toBe(false);
});

describe('operators and functions with the names of the engine', () => {
  /** What the statements of the adapter use, with types that the engine has no such operator for. */
  const PAIRS = [
    ...[
      'oid = regclass',
      'oid = int4',
      'oid >= int4',
      'oid < int4',
      'oid <> int4',
      'oid = regnamespace',
      'regtype = oid',
    ],
    ...[
      '"char" = text',
      'name = text',
      'name <> text',
      'name ~~ text',
      'name !~~ text',
      'text = name',
      'numeric + int8',
    ],
    ...['int2 > int4', 'int4 = int2', 'int8 = int4', 'float4 >= int4', 'text || name', 'int2 - int4', 'xid = int4'],
  ];
  const planted = (schema: string, [left, operator, right]: readonly string[], index: number): string => `
    CREATE FUNCTION ${schema}.planted_${index}(${left}, ${right}) RETURNS bool LANGUAGE plpgsql
      SET search_path = pg_catalog AS $$ BEGIN PERFORM public.acts(); RETURN true; END $$;
    CREATE OPERATOR ${schema}.${operator} (FUNCTION = ${schema}.planted_${index}, LEFTARG = ${left}, RIGHTARG = ${right});`;
  const FUNCTIONS = [
    'array_to_string(int2[], text)',
    'array_to_json(name[])',
    'set_config(text, text, bool)',
    'current_setting(text)',
  ];
  const plantedFunction = (schema: string, signature: string): string => `
    CREATE FUNCTION ${schema}.${signature} RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog
      AS $$ BEGIN PERFORM public.acts(); RETURN 'x'; END $$;`;

  it.each([
    ['public', undefined],
    ['sh', 'sh, pg_catalog, public'],
  ])('none in %s runs by our own statements', async (schema, path) => {
    const trap = await createDatabase(server);
    const owner = new pg.Client({ ...trap });
    await owner.connect();
    const all = PAIRS.map((pair) => pair.split(' '));
    // The engine's own, too: they stand before it where the path says so.
    if (path !== undefined)
      all.push(
        ...['oid = oid', 'name = name', 'text = text', 'text ~~ text', 'int8 + int8'].map((one) => one.split(' ')),
      );
    await owner.query(`
      ${schema === 'public' ? '' : `CREATE SCHEMA ${schema};`}
      CREATE TYPE public.mood AS ENUM ('sad', 'ok');
      CREATE TABLE public.customer (id int PRIMARY KEY, name text NOT NULL, feels public.mood);
      CREATE VIEW public.names AS SELECT name FROM public.customer;
      CREATE FUNCTION public.acts() RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS
        $$ BEGIN COPY (SELECT 1) TO PROGRAM 'cat > ${TRACE}'; RETURN 1; END $$;
      SET search_path = pg_catalog;
      ${all.map((pair, index) => planted(schema, pair, index)).join('')}
      ${FUNCTIONS.map((signature) => plantedFunction(schema, signature)).join('')}`);
    if (path !== undefined) await owner.query(`ALTER DATABASE "${trap.database}" SET search_path = ${path}`);
    await owner.end();
    rmSync(TRACE, { force: true });
    await using adapter = resolveAdapter(postgres({ ...trap }));
    expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
    expect(
      (await adapter.query('SELECT name, feels FROM customer')).columns.map(({ nativeType }) => nativeType),
    ).toEqual(['text', 'mood']);
    const { relations } = await adapter.introspect();
    expect(Object.keys(relations).sort()).toEqual(['public.customer', 'public.names']);
    await adapter.planner?.check('SELECT name FROM customer', { timeoutMs: 5_000, context: createCallContext() });
    await adapter.diagnose?.({ timeoutMs: 5_000, context: createCallContext() } as never);
    await failureOf(adapter.query('SELECT nam FROM customer'));
    expect(existsSync(TRACE)).toBe(false);
  });
});

it('what no fingerprint shows counts after ten seconds, though nothing was committed since', async () => {
  const { watchSuspects } = await import('./suspect-watch.ts');
  let asked = 0;
  const watch = watchSuspects([]);
  const server = {
    simple: async () => [['same']],
    batch: async (statements: Readonly<Record<string, string>>) => {
      if ('uses' in statements) asked += 1;
      return Object.fromEntries(Object.keys(statements).map((name) => [name, []])) as never;
    },
  };
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    await watch.read(server, ['before', 'same']);
    await watch.read(server, ['after', 'same']);
    vi.advanceTimersByTime(11_000);
    await watch.read(server, ['after', 'same']);
    expect(asked).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
