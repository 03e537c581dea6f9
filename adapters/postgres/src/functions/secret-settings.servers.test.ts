import { resolveAdapter } from '@askema/core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { postgres } from '../postgres.ts';
import { createDatabase, type ServerParts, withClient } from '../test-support/load-fixture.ts';
import { type StartedPostgres, startPostgres } from '../test-support/start-postgres.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const PASSWORD = 'pw-of-the-primary';
let server: StartedPostgres;
let place: ServerParts;
const run = (...statements: readonly string[]): Promise<void> =>
  withClient(place, async (client) => {
    for (const sql of statements) await client.query(sql);
  });
beforeAll(async () => {
  server = await startPostgres();
  place = await createDatabase(server, 'settings');
  await run(
    `CREATE VIEW conn AS SELECT current_setting('primary_' || 'conninfo') AS said`,
    'CREATE VIEW listed AS SELECT setting FROM pg_settings',
    `CREATE ROLE plain LOGIN PASSWORD 'plain'`,
  );
});
afterAll(() => server?.stop());

const SHOWING = [
  'SHOW primary_conninfo',
  'SHOW "primary_conninfo"',
  'show /* x */ all',
  `SELECT current_setting('primary_conninfo')`,
  `SELECT pg_catalog.current_setting(concat('primary_', 'conninfo'), true)`,
  `SELECT setting FROM pg_settings WHERE name LIKE 'primary%'`,
  'SELECT s FROM pg_catalog.pg_settings AS s',
  'SELECT * FROM pg_show_all_settings()',
  'SELECT said FROM conn',
  'SELECT * FROM listed',
  `SELECT query_to_xml('SHOW primary_conninfo', true, true, '')`,
];

test('settings with a password are shown to nobody; where there is none, settings are shown', async () => {
  const open = (parts: object) =>
    resolveAdapter(
      postgres({
        host: place.host,
        port: place.port,
        database: place.database,
        user: place.user,
        password: place.password,
        ...parts,
      }),
    );
  await using before = open({});
  await expect(
    before.query(`SELECT current_setting('primary_conninfo'), count(*) FROM pg_settings`),
  ).resolves.toBeDefined();
  await run(
    `ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 password=${PASSWORD}'`,
    'SELECT pg_reload_conf()',
    `DO $$ BEGIN FOR n IN 1..1000 LOOP EXIT WHEN current_setting('primary_conninfo') <> ''; PERFORM pg_sleep(0.01); END LOOP; END $$`,
  );
  await using adapter = open({});
  for (const sql of SHOWING) {
    const error = await adapter.query(sql).then(
      ({ rows }) => ({ rows }),
      ({ code, message }) => ({ code, message }),
    );
    expect({ sql, error }).toMatchObject({ sql, error: { code: 'QUERY_NOT_READ_ONLY' } });
    expect(JSON.stringify(error)).not.toContain(PASSWORD);
  }
  await expect(adapter.query('SHOW server_version')).resolves.toBeDefined();
  // PostgreSQL itself keeps them from this role, which sees the others.
  await using plain = open({ user: 'plain', password: 'plain' });
  await expect(
    plain.query(`SELECT current_setting('server_version'), count(*) FROM pg_settings`),
  ).resolves.toBeDefined();
  await expect(plain.query('SHOW primary_conninfo')).rejects.toMatchObject({ code: expect.stringMatching(/^QUERY_/) });
});
