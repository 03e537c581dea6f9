import { type Adapter, type AskemaError, resolveAdapter } from '@askema/core';
import { hostileStatements } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { postgres } from './postgres.ts';
import { databaseWith } from './test-support/database-with.ts';
import { stateOf, withClient } from './test-support/load-fixture.ts';

const SCHEMA = `
  CREATE TABLE customer (id INT PRIMARY KEY, name TEXT, active BOOL);
  CREATE TABLE shipment (id INT PRIMARY KEY);
  CREATE TABLE coupon (code TEXT PRIMARY KEY, percent INT);
  INSERT INTO customer VALUES (1, 'Ada', true), (2, 'Grace', NULL);
  INSERT INTO shipment VALUES (1);
  CREATE SEQUENCE counter;
  CREATE TABLE secret (word TEXT);
  INSERT INTO secret VALUES ('hidden');
  -- Functions whose names tell nothing: only the engine can refuse what they do.
  CREATE FUNCTION harmless() RETURNS int LANGUAGE sql AS 'INSERT INTO coupon VALUES (''X'', 1) RETURNING percent';
  CREATE FUNCTION opens_the_door() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
    SET TRANSACTION READ WRITE; INSERT INTO coupon VALUES ('X', 1); RETURN 1; END $$;
  CREATE FUNCTION turns_it_off() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
    PERFORM set_config('transaction_read_only', 'off', true); INSERT INTO coupon VALUES ('X', 1); RETURN 1; END $$;
  CREATE FUNCTION leaves_traces() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
    PERFORM set_config('search_path', 'nowhere', false); PERFORM set_config('statement_timeout', '1', false);
    PERFORM pg_advisory_lock(42); EXECUTE 'PREPARE kept AS SELECT 1'; RETURN 1; END $$;
  CREATE ROLE plain LOGIN PASSWORD 'plain';
  GRANT SELECT ON customer, shipment, coupon TO plain;
  CREATE ROLE clerk;
  GRANT SELECT ON customer TO clerk;`;

const place = databaseWith(SCHEMA);

function open(user?: string, poolSize = 1, allowFunctions: readonly string[] = []) {
  const { host, port, database } = place();
  return resolveAdapter(
    postgres({
      ...{ host, port, database, poolSize, allowFunctions },
      ...{ user: user ?? place().user, password: user ?? place().password },
    }),
  );
}

const outcomeOf = (adapter: Adapter, sql: string): Promise<string> =>
  adapter.query(sql, { timeoutMs: 5_000 }).then(
    () => 'ran',
    ({ code }: AskemaError) => code,
  );

describe('relations of the engine that show passwords, or files of the server', () => {
  const planted = `
    CREATE VIEW hashes AS SELECT rolpassword FROM pg_authid;
    CREATE VIEW more_hashes AS SELECT * FROM hashes;
    CREATE VIEW mappings AS SELECT umoptions FROM pg_user_mappings;
    CREATE FUNCTION hash() RETURNS text BEGIN ATOMIC SELECT max(rolpassword) FROM pg_authid; END;
    CREATE FUNCTION late_hash() RETURNS text LANGUAGE sql AS 'SELECT max(passwd) FROM pg_shadow';
    CREATE VIEW roles AS SELECT rolname FROM pg_roles`;

  it('are not read, whoever asks; what everybody may read is', async () => {
    await withClient(place(), (client) => client.query(planted));
    const adapter = open();
    const closed = [
      ...['pg_authid', 'pg_shadow', 'pg_hba_file_rules', 'pg_file_settings', 'pg_ident_file_mappings'],
      ...['pg_user_mapping', 'pg_user_mappings', 'information_schema.user_mapping_options', 'pg_subscription'],
      ...['pg_catalog."pg_authid"', 'hashes', 'more_hashes', 'mappings', 'hash()', 'late_hash()'],
      // Where a role may read passwords, statistics show them.
      ...['pg_stats', 'pg_stats_ext', 'pg_stats_ext_exprs'],
      // Their long values.
      ...['pg_toast.pg_toast_1260', 'pg_toast.pg_toast_2619'],
    ];
    for (const name of closed) {
      const outcome = await adapter
        .query(`SELECT count(*) FROM ${name}`)
        .catch(({ code, message }) => ({ code, message }));
      expect({ name, outcome }).toEqual({
        name,
        outcome: { code: 'QUERY_NOT_READ_ONLY', message: expect.stringContaining('may show passwords') },
      });
    }
    const shown = ['pg_roles', 'pg_class', 'pg_settings', 'pg_stat_activity', 'information_schema.tables'];
    for (const name of [...shown, 'information_schema.foreign_tables', 'pg_locks', 'roles'])
      expect({ name, outcome: await outcomeOf(adapter, `SELECT count(*) FROM ${name}`) }).toEqual({
        name,
        outcome: 'ran',
      });
    await adapter.close();
    await withClient(place(), (client) =>
      client.query('DROP VIEW more_hashes, hashes, mappings, roles; DROP FUNCTION hash, late_hash'),
    );
  });
});

describe.each([['the superuser'], ['a plain role']])('as %s', (who) => {
  it('nothing of the hostile corpus runs or changes anything', async () => {
    const adapter = open(who === 'a plain role' ? 'plain' : undefined, 2);
    const before = await stateOf(place());
    const ran: unknown[] = [];
    for (const { sql, attack } of hostileStatements('postgres', { folder: '/tmp' })) {
      const outcome = await outcomeOf(adapter, sql);
      if (!['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED', 'QUERY_FAILED'].includes(outcome))
        ran.push({ attack, sql, outcome });
    }
    expect(ran).toEqual([]);
    expect(await stateOf(place())).toBe(before);
    await adapter.close();
  });
});

describe('what no text tells is refused by the engine', () => {
  it.each(['SELECT harmless()', 'SELECT opens_the_door()', 'SELECT turns_it_off()'])('%s', async (sql) => {
    const adapter = open(undefined, 1, ['public.harmless', 'public.opens_the_door', 'public.turns_it_off']);
    expect(await outcomeOf(adapter, sql)).toMatch(/^QUERY_(NOT_READ_ONLY|FAILED)$/);
    expect((await adapter.query('SELECT count(*) FROM coupon')).rows).toEqual([[0]]);
    await adapter.close();
  });

  it('nothing that a function sets, locks or prepares stays on the connection', async () => {
    const adapter = open(undefined, 1, ['public.leaves_traces']);
    const backend = async () => (await adapter.query('SELECT pg_backend_pid()')).rows[0]?.[0];
    const before = await backend();
    expect((await adapter.query('SELECT leaves_traces()')).rows).toEqual([[1]]);
    expect(await backend()).toBe(before);
    const { rows } = await adapter.query(
      "SELECT current_setting('search_path') <> 'nowhere', (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), (SELECT count(*) FROM pg_prepared_statements WHERE name = 'kept')",
    );
    expect(rows).toEqual([[true, 0, 0]]);
    await adapter.close();
  });
});

describe('the text is refused before the engine is asked', () => {
  it.each([
    "COPY customer TO PROGRAM 'cat > /tmp/askema-hacked'",
    "COPY customer TO '/tmp/askema-hacked'",
    "SELECT pg_read_file('/etc/hostname')",
    'SELECT "pg_read_file"(\'/etc/hostname\')',
    'SELECT pg_catalog."pg_ls_dir"(\'/\')',
    "SELECT pg_stat_file('/etc/hostname')",
    "SELECT lo_import('/etc/hostname')",
    "SELECT lo_export(1, '/tmp/askema-hacked')",
    'SELECT pg_terminate_backend(1)',
    "SELECT set_config('transaction_read_only', 'off', false)",
    "SELECT nextval('counter')",
    "SELECT setval('counter', 9)",
    'SELECT pg_advisory_lock(1)',
    'SELECT pg_try_advisory_lock_shared(1)',
    "SELECT pg_logical_emit_message(false, 'a', 'b')",
    'SELECT pg_reload_conf()',
    'SELECT pg_rotate_logfile()',
    'SELECT pg_promote()',
    "SELECT pg_notify('a', 'b')",
    "SELECT query_to_xml('SELECT 1', true, true, '')",
    "SELECT database_to_xml(true, true, '')",
    "SELECT schema_to_xml('public', true, true, '')",
    "SELECT table_to_xml('secret', true, true, '')",
    "SELECT * FROM dblink('dbname=postgres', 'SELECT 1') AS t (a int)",
    'SELECT pg_current_xact_id()',
    'SELECT txid_current()',
    'SELECT pg_export_snapshot()',
    'SELECT pg_stat_reset()',
    "SELECT ts_stat('SELECT 1')",
    'DO $$ BEGIN PERFORM 1; END $$',
    'CALL nothing()',
    'LISTEN a',
    "NOTIFY a, 'b'",
    'SET TRANSACTION READ WRITE',
    'RESET ROLE',
    'SET ROLE postgres',
    'EXPLAIN ANALYZE DELETE FROM coupon',
    'COMMIT; DELETE FROM coupon',
    'LOCK TABLE coupon',
    'PREPARE p AS SELECT 1',
    'DECLARE c CURSOR FOR SELECT 1',
    'VACUUM',
    'CHECKPOINT',
    "LOAD 'auto_explain'",
  ])('%s', async (sql) => {
    const adapter = open();
    expect(await outcomeOf(adapter, sql)).toBe('QUERY_NOT_READ_ONLY');
    await adapter.close();
  });

  it('what only reads runs', async () => {
    const adapter = open();
    for (const sql of [
      'SELECT 1;',
      '-- a comment\nSELECT 1 /* another */ -- and one more',
      'TABLE customer',
      'SHOW search_path',
      'EXPLAIN ANALYZE SELECT * FROM customer',
      "SELECT 'COPY x TO PROGRAM', $$ DELETE FROM coupon $$, E'\\'; DROP TABLE coupon'",
      'SELECT copy, "delete" FROM (SELECT 1 AS copy, 2 AS "delete") AS t',
      "SELECT current_setting('server_version'), currval FROM (SELECT 1 AS currval) AS t",
    ])
      expect({ sql, outcome: await outcomeOf(adapter, sql) }).toEqual({ sql, outcome: 'ran' });
    await adapter.close();
  });
});

it('a scope takes on a role and a search path, for its own calls only', async () => {
  const adapter = open();
  const clerk = adapter.scope({ role: 'clerk', namespace: ['pg_catalog'] });
  expect((await clerk.query('SELECT count(*) FROM public.customer')).rows).toEqual([[2]]);
  await expect(clerk.query('SELECT word FROM public.secret')).rejects.toMatchObject({
    code: 'QUERY_FAILED',
    details: { errorClass: 'permission' },
  });
  await expect(clerk.query('SELECT * FROM customer')).rejects.toMatchObject({ code: 'QUERY_FAILED' });
  expect(await outcomeOf(clerk, 'RESET ROLE')).toBe('QUERY_NOT_READ_ONLY');
  expect((await adapter.query('SELECT current_user, (SELECT word FROM secret)')).rows).toEqual([
    ['postgres', 'hidden'],
  ]);
  await adapter.close();
});

it('what the owner of a database has set for it does not change results', async () => {
  const settings = {
    transform_null_equals: 'on',
    array_nulls: 'off',
    xmloption: 'document',
    xmlbinary: 'hex',
    quote_all_identifiers: 'on',
    exit_on_error: 'on',
    row_security: 'off',
    gin_fuzzy_search_limit: '1',
    client_min_messages: 'debug5',
    bytea_output: 'escape',
    standard_conforming_strings: 'off',
  };
  const each = (change: (name: string, value: string) => string) =>
    withClient(place(), (client) =>
      client.query(
        Object.entries(settings)
          .map(([name, value]) => `ALTER DATABASE ${place().database} ${change(name, value)};`)
          .join('\n'),
      ),
    );
  await each((name, value) => `SET ${name} = ${value}`);
  try {
    const adapter = open();
    const { rows } =
      await adapter.query(`SELECT count(*) FILTER (WHERE active = NULL), '{NULL}'::text[], xmlparse(content 'a')::text = 'a'::xml::text,
      current_setting('gin_fuzzy_search_limit'), current_setting('row_security'), quote_ident('a'), '\\' FROM customer`);
    expect(rows).toEqual([[0, [null], true, '0', 'on', 'a', '\\']]);
    expect(await outcomeOf(adapter, 'SELECT nosuch')).toBe('QUERY_FAILED');
    await adapter.close();
  } finally {
    await each((name) => `RESET ${name}`);
  }
});

it.each([
  [3_000_000, /invalid input syntax.* characters/],
  [30_000_000, /an error of more than 8000000 bytes/],
])('an error with a text of %i characters is an error, and short', async (length, message) => {
  const adapter = open();
  const error = await adapter.query(`SELECT repeat('x', ${length})::int`, { maxBytes: 1_000_000 }).then(
    () => undefined,
    (thrown: AskemaError) => thrown,
  );
  expect(error).toMatchObject({ code: 'QUERY_FAILED', message: expect.stringMatching(message) });
  expect(error?.message.length).toBeLessThan(20_000);
  await adapter.close();
});
