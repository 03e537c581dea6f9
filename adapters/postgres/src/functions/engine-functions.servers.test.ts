import { type Adapter, type AskemaError, createCallContext, resolveAdapter } from '@askema/core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgres } from '../postgres.ts';
import { createDatabase, type ServerParts } from '../test-support/load-fixture.ts';
import { STABLE_OF_ENGINE } from '../test-support/stable-of-engine.ts';
import { type StartedPostgres, startPostgres } from '../test-support/start-postgres.ts';
import { actingNames, isHarmless } from './harmless-functions.ts';

/**
 * Volatile functions that were looked at and are refused. A name of a newer version or of another extension that is
 * neither here nor in harmless-functions.ts fails the test: somebody has to look at it. It is refused meanwhile.
 */
const REFUSED: Readonly<Record<string, string>> = {
  '': `binary_upgrade_* brin_desummarize_range brin_summarize_new_values brin_summarize_range currtid2 cursor_to_xml cursor_to_xmlschema
    gin_clean_pending_list lo_* loread lowrite nextval pg_advisory_* pg_backup_start pg_backup_stop pg_start_backup pg_stop_backup
    pg_cancel_backend pg_copy_* pg_create_* pg_current_logfile pg_drop_replication_slot pg_export_snapshot pg_extension_config_dump
    pg_get_wal_resource_managers pg_hba_file_rules pg_ident_file_mappings pg_import_system_collations
    pg_isolation_test_session_is_blocked pg_log_backend_memory_contexts pg_logical_* pg_ls_* pg_nextoid pg_notification_queue_usage pg_notify pg_promote pg_read_*
    pg_reload_conf pg_replication_* pg_rotate_logfile pg_rotate_logfile_old pg_show_all_file_settings
    pg_show_replication_origin_status pg_sleep pg_sleep_for pg_sleep_until pg_stat_clear_snapshot pg_stat_file
    pg_stat_force_next_flush pg_stat_reset* pg_stop_making_pinned_objects pg_switch_wal pg_terminate_backend pg_try_advisory_*
    pg_wal_replay_pause pg_wal_replay_resume query_to_xml query_to_xml_and_xmlschema query_to_xmlschema set_config setseed setval ts_rewrite
    ts_stat amvalidate heap_tableam_handler`,
  adminpack: '*',
  amcheck: '*',
  dblink: '*',
  file_fdw: 'file_fdw_validator',
  old_snapshot: '*',
  pageinspect: '*',
  pg_prewarm: '*',
  pg_stat_statements: 'pg_stat_statements_reset',
  pg_surgery: '*',
  pg_visibility: 'pg_check_frozen pg_check_visible pg_truncate_visibility_map',
  pg_walinspect: '*',
  plpgsql: '*',
  postgres_fdw:
    'postgres_fdw_disconnect postgres_fdw_disconnect_all postgres_fdw_get_connections postgres_fdw_validator',
  'uuid-ossp': 'uuid_generate_v1 uuid_generate_v1mc',
  xml2: 'xslt_process',
  unaccent: 'unaccent_lexize',
  dict_int: '*',
  dict_xsyn: '*',
};

/** The volatile functions of the engine and of extensions that a query can call. */
const VOLATILE = `SELECT DISTINCT coalesce(e.extname, ''), n.nspname, p.proname FROM pg_proc AS p
  JOIN pg_namespace AS n ON n.oid = p.pronamespace
  LEFT JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
  LEFT JOIN pg_extension AS e ON e.oid = d.refobjid
  WHERE p.provolatile = 'v' AND NOT 'internal'::regtype::oid = ANY (p.proargtypes) AND (e.oid IS NOT NULL OR n.nspname = 'pg_catalog')
  AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype) AND p.prokind <> 'p'`;

const isListed = (extension: string, name: string): boolean =>
  (REFUSED[extension] ?? '')
    .split(/\s+/)
    .some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) && one !== '' : one === name));

let server: StartedPostgres;
let place: ServerParts;
let client: pg.Client;
let adapter: Adapter;
beforeAll(async () => {
  server = await startPostgres();
  place = await createDatabase(server);
  const { host, port, user, database, password } = place;
  client = new pg.Client({ host, port, user, database, password });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_available_extensions ORDER BY name');
  const failed: string[] = [];
  for (const { name } of rows)
    await client.query(`CREATE EXTENSION IF NOT EXISTS "${name}" CASCADE`).catch(() => failed.push(name));
  // Untrusted languages whose interpreter may not be there.
  expect(failed.filter((name) => !/^(?:pl|.*_pl)/.test(name))).toEqual([]);
  adapter = resolveAdapter(postgres({ host, port, database, user, password }));
}, 120_000);
afterAll(async () => {
  await adapter?.close();
  await client?.end();
  await server?.stop();
}, 60_000);

const outcomeOf = (sql: string): Promise<string> =>
  adapter.query(sql, { timeoutMs: 5_000 }).then(
    () => 'ran',
    ({ code }: AskemaError) => code,
  );

async function all(sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await client.query({ text: sql, rowMode: 'array' })).rows;
}

describe('volatile functions of PostgreSQL and of every extension that Debian ships', () => {
  it('have been looked at, each of them, and run only if they are harmless', async () => {
    const found = (await all(`${VOLATILE} ORDER BY 1, 3`)) as [string, string, string][];
    expect(found.length).toBeGreaterThan(200);
    expect(new Set(found.map(([extension]) => extension)).size).toBeGreaterThan(15);
    const strange = found.filter(([extension, , name]) => !isHarmless(extension, name) && !isListed(extension, name));
    expect(strange).toEqual([]);
    const wrong: unknown[] = [];
    for (const [extension, schema, name] of found) {
      // Without its arguments most of them are not found, so nothing runs; the refusal comes first.
      const harmless = isHarmless(extension, name);
      for (const call of [`${name}()`, `"${schema}"."${name}" /* ( */ ()`, `${name.toUpperCase()}\n()`]) {
        if (harmless && name.startsWith('pg_stat_statements')) continue;
        const outcome = await outcomeOf(`SELECT ${call}`);
        const wanted = harmless ? /^(?:ran|QUERY_FAILED)$/ : /^QUERY_NOT_READ_ONLY$/;
        if (!wanted.test(outcome)) wrong.push({ call, outcome });
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('and so have its own that it calls STABLE: one that is not on the list is refused', async () => {
    const found = (await all(STABLE_OF_ENGINE)).map(([name]) => String(name));
    expect(found.length).toBeGreaterThan(400);
    const acting = new Set(actingNames);
    expect(found.filter((name) => !acting.has(name) && !isHarmless('', name, false))).toEqual([]);
    // One that no version has yet: with an id of the engine's own it is one of the engine.
    await client.query(`SET allow_system_table_mods = on;
      CREATE FUNCTION pg_catalog.shiny_new() RETURNS int LANGUAGE internal STABLE AS 'pg_backend_pid';
      UPDATE pg_proc SET oid = 9999 WHERE proname = 'shiny_new'`);
    const { host, port, user, database, password } = place;
    await using newer = resolveAdapter(postgres({ host, port, database, user, password }));
    await expect(newer.query('SELECT pg_catalog.shiny_new()')).rejects.toThrow(/shiny_new.* is not known to only read/);
    await expect(newer.query('SELECT pg_backend_pid()')).resolves.toBeDefined();
    await client.query('DELETE FROM pg_proc WHERE oid = 9999; RESET allow_system_table_mods');
  });

  it('are found in a schema that is not on the search path, and whose name is not ASCII', async () => {
    await client.query('CREATE SCHEMA "größe"; ALTER EXTENSION pg_visibility SET SCHEMA "größe"');
    expect(await outcomeOf("SELECT größe.pg_check_frozen('pg_class')")).toBe('QUERY_NOT_READ_ONLY');
    expect(await outcomeOf(`SELECT "größe" . "pg_check_frozen" ('pg_class')`)).toBe('QUERY_NOT_READ_ONLY');
    await client.query('ALTER EXTENSION pg_visibility SET SCHEMA public');
  });

  it('are not reached through an operator, a cast, a type, an aggregate, or a row', async () => {
    const volatile = (oids: string) =>
      `FROM pg_proc AS f WHERE f.provolatile = 'v' AND NOT 'internal'::regtype::oid = ANY (f.proargtypes) AND f.oid IN (${oids})`;
    for (const oids of [
      'SELECT oprcode FROM pg_operator',
      'SELECT castfunc FROM pg_cast',
      "SELECT unnest(ARRAY[typinput, typoutput, typreceive, typsend, typmodin, typmodout, typsubscript]::oid[]) FROM pg_type WHERE typtype IN ('b', 'd', 'e', 'r')",
      'SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[]) FROM pg_aggregate',
      // (row).name calls name(row) without a bracket.
      "SELECT p.oid FROM pg_proc AS p JOIN pg_type AS t ON t.oid = p.proargtypes[0] WHERE p.pronargs - p.pronargdefaults <= 1 AND (t.typtype = 'c' OR t.typname IN ('record', 'anyelement', 'anycompatible', 'any', 'anynonarray'))",
    ])
      expect(await all(`SELECT f.proname ${volatile(oids)}`)).toEqual([]);
  });
});

describe('heap_force_kill', () => {
  it.each([
    "SELECT heap_force_kill('kept'::regclass, ARRAY['(0,1)']::tid[])",
    "SELECT Heap_Force_Kill -- x\n ('kept'::regclass, ARRAY['(0,1)']::tid[])",
    `SELECT "public"."heap_force_kill"('kept'::regclass, ARRAY['(0,1)']::tid[])`,
    `SELECT test.public.heap_force_kill('kept'::regclass, ARRAY['(0,1)']::tid[])`,
    "SELECT * FROM ROWS FROM (heap_force_kill('kept'::regclass, ARRAY['(0,1)']::tid[])) AS x",
    "WITH x AS MATERIALIZED (SELECT heap_force_kill('kept'::regclass, ARRAY['(0,1)']::tid[])) TABLE x",
    "EXPLAIN ANALYZE SELECT heap_force_kill('kept'::regclass, ARRAY['(0,1)']::tid[])",
    "SELECT crosstab('SELECT heap_force_kill(''kept''::regclass, ARRAY[''(0,1)'']::tid[])')",
    String.raw`SELECT U&"heap\005fforce\005fkill"('kept'::regclass, ARRAY['(0,1)']::tid[])`,
  ])('deletes nothing: %s', async (sql) => {
    await client.query('DROP TABLE IF EXISTS kept; CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
    const text = sql.replace('test.public', `${place.database}.public`);
    expect(await outcomeOf(text)).toBe('QUERY_NOT_READ_ONLY');
    expect(await all('SELECT id FROM kept')).toEqual([[1]]);
    const check = await adapter.planner?.check(text, {
      timeoutMs: 5_000,
      context: createCallContext(),
    });
    expect(check?.verdict).toBe('invalid');
    expect(await all('SELECT id FROM kept')).toEqual([[1]]);
  });

  it('is refused by what the server says of it, with its extension and its place', async () => {
    await expect(adapter.query("SELECT 1,\n pg_prewarm('kept')")).rejects.toMatchObject({
      code: 'QUERY_NOT_READ_ONLY',
      message: expect.stringMatching(/pg_prewarm of the extension pg_prewarm/),
      details: { errorClass: 'permission', position: { line: 2, column: 2 } },
    });
  });
});

describe('what runs as before', () => {
  it.each([
    'SELECT random() < 2, clock_timestamp() IS NOT NULL, gen_random_uuid() IS NOT NULL, timeofday() IS NOT NULL',
    'SELECT * FROM plenty TABLESAMPLE SYSTEM (50)',
    'SELECT * FROM plenty TABLESAMPLE system_rows(1)',
    "SELECT pg_total_relation_size('plenty'), txid_current_if_assigned()",
    'WITH pg_prewarm_list (a) AS (VALUES (1)) SELECT a FROM pg_prewarm_list',
    'SELECT app.pg_prewarm(1)',
    "SELECT 'pg_prewarm(1)', $$ heap_force_kill(1) $$ -- heap_surgery(1)",
  ])('%s', async (sql) => {
    await client.query(`CREATE SCHEMA IF NOT EXISTS app; CREATE TABLE IF NOT EXISTS plenty AS SELECT 1 AS id;
      CREATE OR REPLACE FUNCTION app.pg_prewarm(int) RETURNS int LANGUAGE sql AS 'SELECT 1';`);
    expect(await outcomeOf(sql)).toBe('ran');
  });

  it('names with quotes and backslashes are names on a server that reads backslashes in texts, too', async () => {
    await client.query(
      "CREATE ROLE old SUPERUSER LOGIN PASSWORD 'old'; ALTER ROLE old SET standard_conforming_strings = off",
    );
    const { host, port, database } = place;
    await using old = resolveAdapter(postgres({ host, port, database, user: 'old', password: 'old' }));
    for (const name of [
      String.raw`\'), ('a'); SELECT 1/0; --`,
      String.raw`x\\`,
      "it''s",
      'Größe',
      '店',
      'x'.repeat(80),
    ])
      await expect(old.query(`SELECT "${name}"(1)`)).rejects.toMatchObject({
        code: 'QUERY_FAILED',
        details: { vendorCode: '42883' },
      });
    expect((await old.query('SELECT 1')).rows).toEqual([[1]]);
  });
});

it('diagnose names the extensions whose functions are refused, and does not call a role safe that may use dblink', async () => {
  const asSuperuser = await adapter.diagnose();
  const finding = asSuperuser.findings.find(({ code }) => code === 'extension-reaches-out');
  for (const name of ['dblink', 'pg_prewarm', 'pg_surgery']) expect(finding?.message).toContain(name);
  for (const name of ['pg_trgm', 'pgcrypto', 'tablefunc']) expect(finding?.message).not.toContain(name);
  expect(asSuperuser.readOnly).toMatchObject({
    by: 'engine',
    explanation: expect.stringContaining('what leads to a function that is not known to only read is refused'),
  });
  await client.query("CREATE ROLE plain LOGIN PASSWORD 'plain'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO plain");
  const { host, port, database } = place;
  await using plain = resolveAdapter(postgres({ host, port, database, user: 'plain', password: 'plain' }));
  const asPlain = await plain.diagnose();
  expect(asPlain.readOnly.by).not.toBe('grants');
  expect(asPlain.findings.find(({ code }) => code === 'extension-reaches-out')?.message).toContain('dblink');
});
