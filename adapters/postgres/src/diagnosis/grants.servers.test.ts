import { resolveAdapter } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { postgres } from '../postgres.ts';
import { databaseWith } from '../test-support/database-with.ts';
import { withClient } from '../test-support/load-fixture.ts';

const SCHEMA = `
  CREATE TABLE customer (a int, b int); CREATE SEQUENCE counter;
  CREATE PROCEDURE act() LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM customer';
  REVOKE EXECUTE ON PROCEDURE act() FROM PUBLIC;
  CREATE ROLE writing; GRANT DELETE ON customer TO writing;
  CREATE ROLE plain LOGIN PASSWORD 'plain' NOINHERIT; GRANT SELECT ON customer TO plain;`;

const place = databaseWith(SCHEMA);

async function look() {
  const { host, port, database } = place();
  await using adapter = resolveAdapter(postgres({ host, port, database, user: 'plain', password: 'plain' }));
  const { readOnly, findings } = await adapter.diagnose();
  return { by: readOnly.by, findings };
}

describe('`grants` is said only of a role that may do no more than read', () => {
  it('which this one is', async () => {
    expect(await look()).toEqual({ by: 'grants', findings: [] });
  });

  it.each([
    ['GRANT UPDATE (b) ON customer TO plain', 'public.customer', 'REVOKE INSERT, UPDATE'],
    ['GRANT INSERT (a) ON customer TO plain', 'public.customer', 'REVOKE INSERT, UPDATE'],
    ['GRANT TRIGGER ON customer TO plain', 'public.customer', 'TRIGGER ON ALL TABLES'],
    ['GRANT USAGE ON SEQUENCE counter TO plain', 'public.counter', 'ON SEQUENCE public.counter'],
    ['GRANT UPDATE ON SEQUENCE counter TO plain', 'public.counter', 'ON SEQUENCE public.counter'],
    ['GRANT writing TO plain', 'writing', 'REVOKE writing FROM plain'],
    ['ALTER ROLE plain CREATEROLE', 'create and change roles', 'NOCREATEROLE'],
    ['ALTER ROLE plain CREATEDB', 'create databases', 'NOCREATEDB'],
    ['ALTER ROLE plain REPLICATION', 'REPLICATION', 'NOREPLICATION'],
    ['GRANT ALTER SYSTEM ON PARAMETER work_mem TO plain', 'work_mem', 'ON PARAMETER work_mem'],
    ['CREATE DOMAIN mine AS int; ALTER DOMAIN mine OWNER TO plain', 'public.mine', 'CREATE ROLE askema_reader'],
    ['GRANT EXECUTE ON PROCEDURE act() TO plain', 'act()', 'REVOKE EXECUTE ON PROCEDURE'],
    ['GRANT pg_checkpoint TO plain', 'pg_checkpoint', 'REVOKE pg_checkpoint FROM plain'],
    [
      "DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO plain', current_database()); END $$",
      'create schemas',
      'REVOKE CREATE ON DATABASE',
    ],
  ])('%s', async (grant, named, fix) => {
    await withClient(place(), async (client) => client.query(grant));
    try {
      const { by, findings } = await look();
      expect(by).toBe('engine');
      const found = findings.filter(({ severity }) => severity === 'warning');
      expect(found).toHaveLength(1);
      expect(found[0]?.message).toContain(named);
      expect(found[0]?.fix).toContain(fix);
      // What the fix says takes the right away.
      if (!found[0]?.fix?.startsWith('CREATE')) {
        await withClient(place(), async (client) => client.query(found[0]?.fix ?? ''));
        expect((await look()).by).toBe('grants');
      }
    } finally {
      await withClient(place(), (client) => client.query('DROP DOMAIN IF EXISTS mine'));
    }
  });
});
