import { randomUUID } from 'node:crypto';
import type { JobContext, Runner } from '@askema/core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Child, startChild } from '../test-support/start-child.ts';
import { startDatabase, type TestDatabase } from '../test-support/test-database.ts';
import { dbosRunner } from './dbos-runner.ts';
import type { DbosRunnerOptions } from './dbos-runner-options.ts';

let database: TestDatabase;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await startDatabase();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => database?.stop());

type HoldJobs = { hold: (input: string, context: JobContext) => Promise<string> };

const quick: HoldJobs = { hold: async (input) => `parent ${input}` };

async function open(name: string, more: Partial<DbosRunnerOptions<HoldJobs>> = {}): Promise<Runner<HoldJobs>> {
  const { connection } = database;
  const runner = await dbosRunner({ connection, name, jobs: quick, pollMs: 20, heartbeatMs: 100, ...more });
  closing.push(() => runner.close());
  return runner;
}

async function child(name: string, more: { version?: string; deadAfterMs?: number } = {}): Promise<Child> {
  const started = await startChild({ connection: database.connection, name, ...more });
  closing.push(() => started.kill());
  return started;
}

const anyName = (): string => `runner ${randomUUID()}`;

it('asks here and works there: results, signals and cancelling cross processes', async () => {
  const name = anyName();
  const runner = await open(name, { concurrency: 0 });
  const worker = await child(name);
  const received = await runner.enqueue('hold', 'receive', { id: 'signalled' });
  await runner.signal('signalled', 42n);
  expect(await received.result).toBe('child 42');

  const cancelled = await runner.enqueue('hold', 'cancelled', { id: 'cancelled' });
  await worker.said('begun cancelled');
  await runner.cancel('cancelled');
  await expect(cancelled.result).rejects.toMatchObject({ code: 'ABORTED' });
  await worker.said('stopped cancelled');

  const finished = await runner.enqueue('hold', 'finished', { id: 'finished' });
  await worker.said('begun finished');
  worker.tell('finish');
  expect(await finished.result).toBe('child finished');
});

it('leaves what a closed process had begun to the others, at once', async () => {
  const name = anyName();
  const worker = await child(name, { deadAfterMs: 3_600_000 });
  const runner = await open(name, { concurrency: 0 });
  const { result } = await runner.enqueue('hold', 'x', { id: 'left' });
  await worker.said('begun x');
  worker.tell('close');
  await worker.said('closed');
  await runner.close();
  const second = await open(name);
  expect(await (await second.enqueue('hold', 'x', { id: 'left' })).result).toBe('parent x');
  await expect(result).rejects.toMatchObject({ code: 'ABORTED' });
});

it('takes over from a process that stands still, and does not count what that comes up with later', async () => {
  const name = anyName();
  const asking = await open(name, { concurrency: 0 });
  const worker = await child(name, { deadAfterMs: 1_000 });
  const first = await asking.enqueue('hold', 'x', { id: 'frozen' });
  first.result.catch(() => {});
  await worker.said('begun x');
  worker.process.kill('SIGSTOP');
  await asking.close();
  const runner = await open(name, { deadAfterMs: 60_000 });
  const { result } = await runner.enqueue('hold', 'x', { id: 'frozen' });
  expect(await result).toBe('parent x');
  worker.tell('finish');
  worker.process.kill('SIGCONT');
  worker.tell('close');
  await worker.said('closed');
  const rows = await database.query(`SELECT status FROM dbos.workflow_status WHERE application_name = '${name}'`);
  expect(rows).toEqual([{ status: 'SUCCESS' }]);
  expect(await (await runner.enqueue('hold', 'x', { id: 'frozen' })).result).toBe('parent x');
});

it('a job of another version waits for a process of that version; where none lives, both are named', async () => {
  const name = anyName();
  const asking = await open(name, { concurrency: 0, version: 'old' });
  const worker = await child(name, { version: 'old', deadAfterMs: 1_000 });
  const first = await asking.enqueue('hold', 'x', { id: 'j' });
  first.result.catch(() => {});
  await worker.said('begun x');
  await asking.close();
  await worker.kill();

  const runner = await open(name, { version: 'new' });
  const refused = async (): Promise<unknown> =>
    runner.enqueue('hold', 'x', { id: 'j' }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  await expect.poll(refused, { timeout: 30_000 }).toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/version `old`.*`new`/),
  });
  await runner.cancel('j');
  expect(await (await runner.enqueue('hold', 'x', { id: 'j' })).result).toBe('parent x');
});

it('three processes may start at once on an empty database', async () => {
  await database.query('CREATE DATABASE empty');
  const connection = database.address({ database: 'empty' });
  const name = anyName();
  const started = await Promise.all([1, 2, 3].map(() => startChild({ connection, name })));
  closing.push(...started.map((worker) => () => worker.kill()));
  const runner = await open(name, { connection, concurrency: 0 });
  const handles = await Promise.all([1, 2, 3].map((n) => runner.enqueue('hold', `${n}`, { id: `j${n}` })));
  for (const worker of started) worker.tell('finish');
  expect(await Promise.all(handles.map(({ result }) => result))).toEqual(['child 1', 'child 2', 'child 3']);
});

it('gives up a job whose processes end one after the other, and tries once more when asked', async () => {
  const name = anyName();
  const asking = await open(name, { concurrency: 0 });
  const lost = await asking.enqueue('hold', 'x', { id: 'poison' });
  await database.query(`UPDATE dbos.workflow_status SET recovery_attempts = 50 WHERE application_name = '${name}'`);
  const worker = await child(name);
  await expect(lost.result).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('one process after the other'),
  });
  worker.tell('finish');
  expect(await (await asking.enqueue('hold', 'x', { id: 'poison' })).result).toBe('child x');
});
