import { type Adapter, createCallContext, resolveAdapter } from '@askema/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PostgresOptions } from './options.ts';
import { postgres } from './postgres.ts';
import { createDatabase, type ServerParts, withClient } from './test-support/load-fixture.ts';
import { type StartedPostgres, startPostgres } from './test-support/start-postgres.ts';

let server: StartedPostgres;
let parts: ServerParts;
const open: Adapter[] = [];

beforeAll(async () => {
  server = await startPostgres();
  parts = await createDatabase(server, 'stamps');
  await withClient(parts, (client) =>
    client.query(`
      CREATE SCHEMA sales;
      CREATE TABLE public.a (id int PRIMARY KEY, x text);
      CREATE TABLE sales.b (id int PRIMARY KEY, a int REFERENCES public.a);
      CREATE TYPE mood AS ENUM ('calm');
      INSERT INTO public.a VALUES (1, 'one');
      CREATE ROLE stamp_reader LOGIN PASSWORD '${parts.password}'; CREATE ROLE stamp_group; GRANT USAGE ON SCHEMA sales TO stamp_reader;`),
  );
}, 60_000);
afterAll(async () => {
  await Promise.all(open.map((adapter) => adapter.close()));
  await server?.stop();
});

function adapterOf(options: PostgresOptions = {}): Adapter {
  const adapter = resolveAdapter(postgres({ ...parts, ssl: false, ...options }));
  open.push(adapter);
  return adapter;
}

async function stampsOf({ stamps }: Adapter) {
  const look = { timeoutMs: 5_000, context: createCallContext() };
  return {
    identity: await stamps?.identity(look),
    data: await stamps?.data?.(look),
    structure: await stamps?.structure(look),
  };
}

const run = (sql: string): Promise<unknown> => withClient(parts, (client) => client.query(sql));

describe('the stamps of PostgreSQL', () => {
  it('stay while nothing is committed, whoever reads', async () => {
    const before = await stampsOf(adapterOf());
    expect(Object.values(before)).not.toContain(undefined);
    const other = adapterOf();
    await other.introspect();
    await other.query('SELECT * FROM public.a');
    expect(await stampsOf(other)).toEqual(before);
  });

  it.each([
    'INSERT INTO public.a VALUES (2, NULL)',
    "UPDATE public.a SET x = 'two'",
    'DELETE FROM public.a WHERE id = 2',
    'ANALYZE public.a',
    'CREATE TEMPORARY TABLE passing (id int)',
  ])('%s is another state of the data, and the same structure', async (sql) => {
    const adapter = adapterOf();
    const before = await stampsOf(adapter);
    await run(sql);
    const after = await stampsOf(adapter);
    expect([after.data === before.data, after.structure === before.structure]).toEqual([false, true]);
  });

  it.each([
    'ALTER TABLE public.a ADD COLUMN y int',
    'ALTER TABLE public.a RENAME COLUMN y TO z',
    'ALTER TABLE public.a ALTER COLUMN z TYPE bigint',
    'ALTER TABLE public.a ALTER COLUMN z SET DEFAULT 7',
    'ALTER TABLE public.a ALTER COLUMN z SET NOT NULL; UPDATE public.a SET z = 1',
    'ALTER TABLE public.a ADD CHECK (z > 0)',
    'ALTER TABLE sales.b DROP CONSTRAINT b_a_fkey',
    'CREATE UNIQUE INDEX a_z ON public.a (z)',
    "COMMENT ON COLUMN public.a.z IS 'what it is'",
    'CREATE VIEW sales.v AS SELECT id FROM public.a',
    'CREATE OR REPLACE VIEW sales.v AS SELECT id + 1 AS id FROM public.a',
    'ALTER VIEW sales.v RENAME TO w',
    'DROP VIEW sales.w',
    "ALTER TYPE mood ADD VALUE 'cross'",
    'CREATE TABLE public.c (id int) PARTITION BY RANGE (id)',
    'CREATE TABLE public.c1 PARTITION OF public.c FOR VALUES FROM (1) TO (9)',
    'ALTER TABLE sales.b SET SCHEMA public',
    'GRANT SELECT ON public.a TO stamp_reader',
    'GRANT SELECT (id) ON public.c TO stamp_reader',
    'REVOKE USAGE ON SCHEMA sales FROM stamp_reader',
    'GRANT stamp_group TO stamp_reader',
    'ALTER ROLE stamp_reader BYPASSRLS',
    'ALTER TABLE public.a ENABLE ROW LEVEL SECURITY',
    'CREATE POLICY p ON public.a USING (id > 0)',
  ])('%s is another structure', async (sql) => {
    await run('TRUNCATE public.a CASCADE');
    const adapter = adapterOf();
    const before = await stampsOf(adapter);
    await run(sql);
    const after = await stampsOf(adapter);
    expect([after.data === before.data, after.structure === before.structure]).toEqual([false, false]);
  });

  it('are of who asks, and where: user, role, search path, schemas, database', async () => {
    const other = await createDatabase(server, 'stamps_other');
    const plain = adapterOf();
    const adapters = [
      plain,
      adapterOf({ user: 'stamp_reader' }),
      adapterOf(other),
      adapterOf({ schemas: ['sales'] }),
      adapterOf({ searchPath: ['sales'] }),
      plain.scope({ role: 'stamp_reader' }),
      plain.scope({ role: 'stamp_group' }),
      plain.scope({ namespace: ['sales', 'public'] }),
    ];
    const identities = await Promise.all(adapters.map(async (adapter) => (await stampsOf(adapter)).identity));
    expect(identities).not.toContain(undefined);
    expect(new Set(identities).size).toBe(adapters.length);
    expect((await stampsOf(adapterOf())).identity).toBe(identities[0]);
  });

  it('are of the settings that the driver sends from the environment, and do not show them', async () => {
    const plain = await stampsOf(adapterOf());
    vi.stubEnv('PGOPTIONS', '-c app.tenant=north');
    const north = await stampsOf(adapterOf());
    vi.unstubAllEnvs();
    expect(north.identity).not.toBe(plain.identity);
    expect(JSON.stringify(north)).not.toContain('north');
  });

  it('hold no password', async () => {
    expect(parts.password).toMatch(/./);
    expect(JSON.stringify(await stampsOf(adapterOf()))).not.toContain(parts.password);
  });
});
