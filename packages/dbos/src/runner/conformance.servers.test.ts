import { randomUUID } from 'node:crypto';
import { describeRunner } from '@askema/testkit';
import { afterAll, beforeAll } from 'vitest';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import { dbosRunner } from './dbos-runner.ts';

let server: StartedServer;
let connection = '';

beforeAll(async () => {
  server = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
  connection = addressOf('postgres', String(server.ready.password), 'postgres');
});

afterAll(() => server?.stop());

function addressOf(user: string, password: string, database: string): string {
  return `postgres://${user}:${password}@${server.ready.host}:${server.ready.port}/${database}`;
}

const FAST = { pollMs: 20, heartbeatMs: 100, deadAfterMs: 20_000 };

describeRunner('DBOS Transact on PostgreSQL', () => {
  const name = `conformance ${randomUUID()}`;
  return {
    open: (jobs, options) => dbosRunner({ ...FAST, jobs, connection, name, concurrency: options?.concurrency }),
  };
});
