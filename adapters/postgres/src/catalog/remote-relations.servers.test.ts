import { type AddressInfo, createServer } from 'node:net';
import { createCallContext, resolveAdapter } from '@askema/core';
import { expect, it } from 'vitest';
import { postgres } from '../postgres.ts';
import { createDatabase, withClient } from '../test-support/load-fixture.ts';
import { startPostgres } from '../test-support/start-postgres.ts';

it('no other server is asked but by a statement that names a foreign table', async () => {
  let connections = 0;
  const elsewhere = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  const server = await startPostgres();
  try {
    const place = await createDatabase(server);
    await withClient(place, (client) =>
      client.query(`
        CREATE EXTENSION postgres_fdw;
        CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '${port}', dbname 'x');
        CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'x', password 'x');
        CREATE FOREIGN TABLE away (id int, name text, body jsonb) SERVER far;
        CREATE VIEW seen AS SELECT name, body FROM away;
        CREATE TABLE parent (id int, name text); CREATE FOREIGN TABLE child () INHERITS (parent) SERVER far;
        CREATE TABLE near (id int, name text); INSERT INTO near VALUES (1, 'London')`),
    );
    const { host, port: own, user, password, database } = place;
    await using adapter = resolveAdapter(postgres({ host, port: own, user, password, database }));
    const catalog = await adapter.introspect();
    expect(catalog.incomplete).toEqual([
      expect.objectContaining({
        affects: 'counts',
        reason: expect.stringMatching(/away, .*child, .*parent, .*seen read foreign tables/),
      }),
    ]);
    const context = createCallContext();
    const ids = catalog.schema.attributes.map(({ id }) => id);
    const samples = await adapter.sampleValues(ids, { catalog, limit: 5, timeoutMs: 20_000, context });
    expect(Object.values(samples)).toContainEqual(['London']);
    await adapter.diagnose();
    expect(connections).toBe(0);
    await expect(adapter.query('SELECT * FROM away')).rejects.toThrow();
    expect(connections).toBeGreaterThan(0);
  } finally {
    elsewhere.close();
    await server.stop();
  }
}, 120_000);
