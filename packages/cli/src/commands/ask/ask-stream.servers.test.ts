import { resolveAdapter } from '@askema/core';
import { mysql } from '@askema/mysql';
import { postgres } from '@askema/postgres';
import { afterAll } from 'vitest';
import { type StartedServer, startServer } from '../../../../../servers/start-server.ts';
import { describeAskStream } from '../../testing/describe-ask-stream.ts';

const servers: StartedServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
});

async function start(program: string, needs: string) {
  const server = await startServer(program, [], { needs });
  servers.push(server);
  const { host, port, password } = server.ready;
  return { host: String(host), port: Number(port), password: String(password) };
}

const numbers = (end: string): string =>
  `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n${end}) SELECT x FROM n`;

describeAskStream(
  'PostgreSQL',
  {
    rows: (count) => numbers(` WHERE x < ${count}`),
    endless: numbers(''),
    failing: (count) => `SELECT ${2n ** 63n - 1n - BigInt(count)} + n.x AS x FROM (${numbers('')}) AS n`,
  },
  async () => {
    const server = await start('postgres/start.mjs', 'a PostgreSQL server (Debian: apt-get install postgresql)');
    return {
      address: `postgres://postgres@${server.host}:${server.port}/postgres`,
      env: { PGPASSWORD: server.password },
      writer: postgres({ ...server, user: 'postgres', database: 'postgres', access: 'write' }),
    };
  },
);

describeAskStream(
  'MariaDB',
  {
    rows: (count) => `SELECT seq AS x FROM seq_1_to_${count}`,
    endless: 'SELECT seq AS x FROM seq_1_to_1000000000000',
    failing: (count) => `SELECT ${2n ** 64n - 1n - BigInt(count)} + seq AS x FROM seq_1_to_${count + 1_000}`,
  },
  async () => {
    const server = await start('mariadb/start.mjs', 'a MariaDB server (Debian: apt-get install mariadb-server)');
    const options = { ...server, product: 'mariadb', user: 'admin', access: 'write' } as const;
    const maker = resolveAdapter(mysql(options));
    await maker.query('CREATE DATABASE shop', { access: 'write' });
    await maker.close();
    return {
      address: `mariadb://admin@${server.host}:${server.port}/shop`,
      env: { MYSQL_PWD: server.password },
      writer: mysql({ ...options, database: 'shop' }),
    };
  },
);
