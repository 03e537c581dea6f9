import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type ServerParts, withClient } from '../../adapters/postgres/src/test-support/load-fixture.ts';
import { runInProcess } from '../../packages/cli/src/testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../packages/cli/src/testing/temporary-project.ts';
import { type StartedServer, startServer } from '../../servers/start-server.ts';

let server: StartedServer;
let parts: ServerParts;
let project: TemporaryProject;

const NEEDS = { needs: 'a PostgreSQL server (Debian: apt-get install postgresql)' };
const addressOf = (user: string): string =>
  `postgres://${user}@${parts.host}:${parts.port}/${parts.database}?sslmode=disable`;
const run = (user: string, ...statements: readonly string[]): Promise<void> =>
  withClient({ ...parts, user }, async (client) => {
    for (const sql of statements) await client.query(sql);
  });
const mine = (user: string, ...flags: readonly string[]) =>
  runInProcess(['knowledge', 'mine', '--server', addressOf(user), '--json', '--folder', user, ...flags], {
    cwd: project.folder,
    env: { PGPASSWORD: parts.password },
  });

beforeAll(async () => {
  project = temporaryProject();
  server = await startServer('postgres/start.mjs', ['shared_preload_libraries=pg_stat_statements'], NEEDS);
  parts = await createDatabase(server.ready as unknown as ServerParts, 'mined');
  const roles = ['ann', 'bob', 'reader', 'blind'].map(
    (name) => `CREATE ROLE ${name} LOGIN PASSWORD '${parts.password}';`,
  );
  await withClient(parts, (client) =>
    client.query(`
      CREATE TABLE customers (id int PRIMARY KEY, country text);
      CREATE TABLE orders (id int PRIMARY KEY, customer_id int, total numeric, status text);
      ${roles.join('\n')}
      GRANT SELECT ON ALL TABLES IN SCHEMA public TO ann, bob, reader, blind;
      GRANT pg_read_all_stats TO reader;`),
  );
}, 60_000);
afterAll(async () => {
  await server?.stop();
  project?.remove();
});

it('says what to do where the extension is not there', async () => {
  const { code, stderr } = await mine('reader');
  expect(code).toBe(2);
  expect(stderr).toContain('CREATE EXTENSION pg_stat_statements');
});

it('proposes what a server counts, without any value', async () => {
  await withClient(parts, (client) => client.query('CREATE EXTENSION pg_stat_statements'));
  const revenue = (name: string): string => `SELECT SUM(total) AS revenue FROM orders WHERE status <> '${name}'`;
  await run(
    'ann',
    revenue('void'),
    revenue('open'),
    'SELECT c.country, SUM(o.total) AS revenue FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1',
  );
  await run(
    'bob',
    revenue('Ann Berg'),
    revenue('late'),
    'SELECT o.id FROM orders o, customers c WHERE c.id = o.customer_id AND c.country = $$NO$$',
  );
  await run('reader', ...Array.from({ length: 9 }, () => 'SELECT MAX(total) AS own FROM orders'));
  const { code, stdout, stderr } = await mine('reader', '--min-count', '2');
  expect([code, stderr]).toEqual([0, expect.stringContaining('own')]);
  const { proposals } = JSON.parse(stdout) as { proposals: { id: string; count: number; users: number }[] };
  expect(proposals).toEqual([
    expect.objectContaining({ id: 'metric:revenue', count: 5, users: 2 }),
    expect.objectContaining({ id: 'relationship:orders_to_customers', count: 2, users: 2 }),
  ]);
  expect(stdout).not.toMatch(/void|Berg/);
});

it('counts what a role may not read, and takes its own only when told to', async () => {
  await run('blind', ...Array.from({ length: 60 }, () => 'SELECT AVG(total) AS mean FROM orders'));
  const blind = await mine('blind');
  expect(blind.stderr).toMatch(/\d+ hidden/);
  expect(JSON.parse(blind.stdout)).toMatchObject({ proposals: [] });
  const own = await mine('blind', '--own-role');
  expect(JSON.parse(own.stdout)).toMatchObject({ proposals: [{ id: 'metric:mean', count: 60, users: 1 }] });
});
