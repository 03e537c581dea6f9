import { randomUUID } from 'node:crypto';
import { isAskemaError } from '@askema/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateDatabase, postgresJournal } from '../index.ts';
import { startDatabase, type TestDatabase } from '../test-support/test-database.ts';
import { dbosRunner } from './dbos-runner.ts';
import type { DbosRunnerOptions } from './dbos-runner-options.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database?.stop());

const jobs = { double: async (input: number) => input * 2 };
type DoubleJobs = typeof jobs;

function open(more: Partial<DbosRunnerOptions<DoubleJobs>> = {}) {
  const name = `runner ${randomUUID()}`;
  return dbosRunner({ connection: database.connection, name, jobs, pollMs: 20, ...more });
}

async function refusalOf(promise: Promise<unknown>): Promise<{ code: string; text: string }> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isAskemaError(thrown)) throw new Error(`No AskemaError: ${String(thrown)}`);
  return { code: thrown.code, text: `${thrown.message} ${JSON.stringify(thrown)} ${String(thrown.stack)}` };
}

it('says what is wrong with an address, and never shows the password', async () => {
  const password = 'a-very-Secret-1';
  const cases = [
    ['CONFIG_INVALID', 'Check user and password', database.address({ password })],
    ['CONFIG_INVALID', 'Check user and password', database.address({ user: 'nobody', password })],
    ['DATABASE_NOT_FOUND', 'CREATE DATABASE', database.address({ database: 'no_such' })],
    ['DATABASE_UNAVAILABLE', 'Nothing answers there', `postgres://me:${password}@127.0.0.1:1/there`],
    ['CONFIG_INVALID', 'postgres://user', `mysql://me:${password}@host/there`],
    ['CONFIG_INVALID', 'postgres://user', `postgres://me:${password}@host`],
  ] as const;
  for (const [code, words, connection] of cases) {
    for (const opening of [() => open({ connection }), () => postgresJournal({ connection })]) {
      const refusal = await refusalOf(opening());
      expect(refusal).toMatchObject({ code, text: expect.stringContaining(words) });
      expect(refusal.text).not.toContain(password);
      expect(refusal.text).not.toContain('only-for-tests');
    }
  }
});

it('refuses options that make no sense, with the value', async () => {
  const cases = [
    [{ concurrency: -1 }, '`concurrency` is -1'],
    [{ concurrency: 1.5 }, '`concurrency` is 1.5'],
    [{ name: '' }, '`name` is ""'],
    [{ pollMs: Number.NaN }, '`pollMs` is NaN'],
    [{ heartbeatMs: 1_000, deadAfterMs: 2_000 }, '`deadAfterMs` is 2000'],
    [{ schema: 'x"; DROP' }, 'no name for a schema'],
  ] as const;
  for (const [more, words] of cases)
    expect(await refusalOf(open(more))).toMatchObject({ code: 'CONFIG_INVALID', text: expect.stringContaining(words) });
});

it('a user who must not make tables works on those that an owner made', async () => {
  await database.query(`CREATE DATABASE shared`);
  await database.query(`CREATE ROLE worker LOGIN PASSWORD 'pw-of-worker'`);
  const owner = database.address({ database: 'shared' });
  await database.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC', owner);
  const connection = database.address({ user: 'worker', password: 'pw-of-worker', database: 'shared' });

  expect(await refusalOf(open({ connection }))).toMatchObject({
    code: 'CONFIG_INVALID',
    text: expect.stringContaining('migrateDatabase'),
  });
  expect(await refusalOf(open({ connection, migrate: false }))).toMatchObject({
    code: 'CONFIG_INVALID',
    text: expect.stringContaining('migrateDatabase'),
  });
  await migrateDatabase({ connection: owner, role: 'worker' });
  await migrateDatabase({ connection: owner, role: 'worker' });
  const runner = await open({ connection, migrate: false });
  await runner.signal('j', 1);
  expect(await runner.run('p', 'k', async () => 'kept')).toBe('kept');
  expect(await (await runner.enqueue('double', 21, { id: 'j' })).result).toBe(42);
  await runner.close();
  const journal = await postgresJournal({ connection, migrate: false });
  await (await journal.open('r')).close();
  await journal.close();
});

it('refuses tables of another version, newer ones and those of an older DBOS', async () => {
  await database.query(`CREATE DATABASE versions`);
  const connection = database.address({ database: 'versions' });
  await migrateDatabase({ connection });
  await database.query('UPDATE dbos.dbos_migrations SET version = 1', connection);
  expect(await refusalOf(open({ connection, migrate: false }))).toMatchObject({
    code: 'CONFIG_INVALID',
    text: expect.stringContaining('migrateDatabase'),
  });
  await database.query('UPDATE askema.version SET version = 99', connection);
  for (const migrate of [true, false])
    expect(await refusalOf(open({ connection, migrate }))).toMatchObject({
      code: 'CONFIG_INVALID',
      text: expect.stringMatching(/version 99.*newer/),
    });
});

it('one runner per process: the second is told of the first, which goes on', async () => {
  const first = await open({ name: 'the first' });
  expect(await refusalOf(open())).toMatchObject({
    code: 'CONFIG_INVALID',
    text: expect.stringContaining('`the first`'),
  });
  expect(await (await first.enqueue('double', 1, { id: 'j' })).result).toBe(2);
  await first.close();
  const second = await open();
  expect(await (await second.enqueue('double', 2, { id: 'j' })).result).toBe(4);
  await second.close();
  const [left] = await database.query('SELECT count(*)::int AS workers FROM askema.workers');
  expect(left).toEqual({ workers: 0 });
});

it('does not show secrets of a failed job, neither to callers nor in the database', async () => {
  const name = `runner ${randomUUID()}`;
  const key = 'sk-abcdefghijklmnopqrstuvwxyz123456';
  const runner = await dbosRunner({
    connection: database.connection,
    name,
    pollMs: 20,
    jobs: {
      leak: async (_input: string) => {
        throw new Error(`401 for ${key}`);
      },
    },
  });
  const refusal = await refusalOf((await runner.enqueue('leak', 'x', { id: 'j' })).result);
  await runner.close();
  const [row] = await database.query(
    `SELECT row_to_json(job)::text AS text FROM dbos.workflow_status job WHERE application_name = '${name}'`,
  );
  expect(refusal.text).toContain('401 for sk-[redacted]');
  expect(`${refusal.text} ${String(row?.text)}`).not.toContain(key);
});

it.each([
  ['another workflow', "name = 'other'"],
  ['no input', 'inputs = NULL'],
  ['input that cannot be read', "inputs = '{'"],
  ['an unknown job', `inputs = '{"json":["other","j","1"]}'`],
  ['an input of the job that is no JSON', `inputs = '{"json":["double","bad","{"]}'`],
])('a job with %s, put into the table by hand, keeps no place of a worker', async (_what, change) => {
  const name = `runner ${randomUUID()}`;
  const enqueuer = await open({ name, concurrency: 0 });
  await enqueuer.enqueue('double', 1, { id: 'bad' });
  await enqueuer.close();
  await database.query(`UPDATE dbos.workflow_status SET ${change} WHERE application_name = '${name}'`);
  await database.query(`DELETE FROM dbos.workflow_input WHERE workflow_uuid LIKE '${name}%'`);
  const runner = await open({ name, concurrency: 1 });
  // The malformed one is in front.
  expect(await (await runner.enqueue('double', 21, { id: 'good' })).result).toBe(42);
  await runner.close();
});
