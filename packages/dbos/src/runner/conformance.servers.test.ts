import { randomUUID } from 'node:crypto';
import { describeRunner } from '@askema/testkit';
import { afterAll, beforeAll } from 'vitest';
import { startDatabase, type TestDatabase } from '../test-support/test-database.ts';
import { dbosRunner } from './dbos-runner.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database?.stop());

describeRunner('DBOS Transact on PostgreSQL', () => {
  const name = `conformance ${randomUUID()}`;
  return {
    open: (jobs, options) =>
      dbosRunner({
        jobs,
        connection: database.connection,
        name,
        concurrency: options?.concurrency,
        pollMs: 20,
        heartbeatMs: 100,
        deadAfterMs: 20_000,
      }),
  };
});
