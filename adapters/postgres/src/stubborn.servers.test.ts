import { setTimeout as pause } from 'node:timers/promises';
import { resolveAdapter } from '@askema/core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgres } from './postgres.ts';
import { createDatabase, type ServerParts } from './test-support/load-fixture.ts';
import { type StartedPostgres, startPostgres } from './test-support/start-postgres.ts';

let server: StartedPostgres;
let place: ServerParts;
let client: pg.Client;
beforeAll(async () => {
  server = await startPostgres();
  place = await createDatabase(server);
  const { host, port, user, database, password } = place;
  client = new pg.Client({ host, port, user, database, password });
  await client.connect();
  await client.query(`
    CREATE FUNCTION stubborn() RETURNS int LANGUAGE plpgsql AS $$ DECLARE started timestamptz := clock_timestamp(); BEGIN
      WHILE clock_timestamp() < started + interval '40 s' LOOP
        BEGIN PERFORM pg_sleep(0.05); EXCEPTION WHEN query_canceled THEN NULL; END;
      END LOOP; RETURN 1; END $$;
    CREATE ROLE reader LOGIN PASSWORD 'reader'`);
}, 120_000);
afterAll(async () => {
  await client?.end();
  await server?.stop();
}, 60_000);

/** Resolves as soon as no statement of the adapter is left on the server. */
async function untilQuiet(): Promise<number> {
  const started = performance.now();
  for (;;) {
    const { rows } = await client.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'stubborn'");
    if (rows.length === 0) return performance.now() - started;
    await pause(50);
  }
}

function open() {
  const { host, port, database } = place;
  const options = { host, port, database, user: 'reader', password: 'reader', applicationName: 'stubborn' };
  return resolveAdapter(postgres({ ...options, allowFunctions: ['public.stubborn'] }));
}

/** The server looks twice a second whether the connection is there. */
const NOTICED_MS = 5_000;

describe.each([
  ['ended over a second connection', 'GRANT EXECUTE ON FUNCTION pg_terminate_backend TO PUBLIC'],
  [
    'ended by the server, which notices the closed connection, where the role may not end it',
    'REVOKE EXECUTE ON FUNCTION pg_terminate_backend FROM PUBLIC',
  ],
])('a function that swallows every cancel is %s', (_, grant) => {
  beforeAll(async () => {
    await client.query(grant);
  });

  it('after the deadline', async () => {
    await using adapter = open();
    await expect(adapter.query('SELECT stubborn()', { timeoutMs: 500 })).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    });
    expect(await untilQuiet()).toBeLessThan(NOTICED_MS);
  }, 60_000);

  it('when the adapter is closed', async () => {
    const adapter = open();
    const running = adapter.query('SELECT stubborn()', { timeoutMs: 60_000 }).catch(({ code }) => code);
    await expect
      .poll(
        async () =>
          (
            await client.query(
              "SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT stubborn%' AND state = 'active'",
            )
          ).rows.length,
      )
      .toBe(1);
    await adapter.close();
    expect(await running).toBe('DATABASE_CLOSED');
    expect(await untilQuiet()).toBeLessThan(NOTICED_MS);
  }, 60_000);

  it('and check says where a role may not end its own sessions', async () => {
    await using adapter = open();
    const { findings } = await adapter.diagnose();
    expect(findings.some(({ code }) => code === 'cannot-terminate')).toBe(grant.startsWith('REVOKE'));
  });
});
