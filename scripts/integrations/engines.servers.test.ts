import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startServer } from '../../servers/start-server.ts';
import { ROOT } from '../workspace.ts';

const page = readFileSync(join(ROOT, 'docs', 'guide', 'integrations.md'), 'utf8');

it('docs/guide/integrations.md names the version of PostgreSQL that runs here', async () => {
  const server = await startServer('postgres/start.mjs', [], { needs: 'a PostgreSQL server' });
  const client = new pg.Client(server.ready);
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    const [major] = rows[0]?.server_version.split('.') ?? [];
    expect(page).toContain(`| PostgreSQL ${major} |`);
  } finally {
    await client.end();
    await server.stop();
  }
});

it('docs/guide/integrations.md names the version of MariaDB that runs here', async () => {
  const server = await startServer('mariadb/start.mjs', [], { needs: 'a MariaDB server' });
  const socket = connect(Number(server.ready.port), '127.0.0.1');
  try {
    // The server greets with its version.
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    const [, version] = /(\d+\.\d+)\.\d+-MariaDB/.exec(greeting.toString('latin1')) ?? [];
    expect(page).toContain(`| MariaDB ${version}; `);
  } finally {
    socket.destroy();
    await server.stop();
  }
});
