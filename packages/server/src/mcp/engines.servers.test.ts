import { resolveAdapter } from '@askema/core';
import { mysql } from '@askema/mysql';
import { postgres } from '@askema/postgres';
import { afterAll } from 'vitest';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import { describeMcpEngine } from './fixtures/describe-engine.ts';

const servers: StartedServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
});

async function start(program: string, needs: string) {
  const server = await startServer(program, [], { needs });
  servers.push(server);
  const { host, port, user, password } = server.ready;
  return { host: String(host), port: Number(port), user: String(user), password: String(password) };
}

describeMcpEngine('PostgreSQL', async () => {
  const place = await start('postgres/start.mjs', 'a PostgreSQL server (Debian: apt-get install postgresql)');
  return {
    adapter: postgres({ ...place, database: 'postgres', access: 'write' }),
    writes: [
      "COPY notes TO PROGRAM 'cat'",
      'TRUNCATE notes',
      'LOCK TABLE notes',
      'SELECT * INTO other FROM notes',
      'EXPLAIN ANALYZE DELETE FROM notes',
      'SELECT id FROM notes FOR UPDATE',
      'SELECT lo_create(0)',
      'SELECT pg_advisory_lock(1)',
    ],
  };
});

describeMcpEngine('MariaDB', async () => {
  const place = await start('mariadb/start.mjs', 'a MariaDB server (Debian: apt-get install mariadb-server)');
  await using maker = resolveAdapter(mysql({ ...place, access: 'write' }));
  await maker.query('CREATE DATABASE test', { access: 'write' });
  return {
    adapter: mysql({ ...place, database: 'test', access: 'write' }),
    writes: [
      "SELECT 1 INTO OUTFILE '/tmp/askema-out'",
      'TRUNCATE notes',
      'SET GLOBAL max_connections = 7',
      "SELECT GET_LOCK('a', 1)",
    ],
  };
});
