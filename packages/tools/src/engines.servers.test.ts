import { postgres } from '@askema/postgres';
import { afterAll } from 'vitest';
import { type StartedServer, startServer } from '../../../servers/start-server.ts';
import { describeEngine } from './fixtures/describe-engine.ts';

const servers: StartedServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
});

describeEngine(
  'PostgreSQL',
  {
    exact: 'SELECT 9007199254740993 AS big, 12345678901234567890123456789012345678.90::numeric(40,2) AS digits',
    decimal: '12345678901234567890123456789012345678.90',
    writes: [
      "COPY notes TO PROGRAM 'cat'",
      'SET ROLE postgres',
      'LOCK TABLE notes',
      "SELECT set_config('a.b', 'c', false)",
    ],
  },
  async () => {
    const needs = 'a PostgreSQL server (Debian: apt-get install postgresql)';
    const server = await startServer('postgres/start.mjs', [], { needs });
    servers.push(server);
    const { host, port, password } = server.ready;
    const place = { host: String(host), port: Number(port), password: String(password) };
    return {
      adapter: postgres({ ...place, user: 'postgres', database: 'postgres', access: 'write', poolSize: 1 }),
    };
  },
);
