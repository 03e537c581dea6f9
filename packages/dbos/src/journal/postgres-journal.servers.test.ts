import { randomUUID } from 'node:crypto';
import { type JournalEntry, memoryJournal } from '@askema/core';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import { type PostgresJournal, type PostgresJournalOptions, postgresJournal } from './postgres-journal.ts';

let server: StartedServer;
let connection = '';
let client: Client;
const journals: PostgresJournal[] = [];

beforeAll(async () => {
  server = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
  const { host, port, password } = server.ready;
  connection = `postgres://postgres:${password}@${host}:${port}/postgres`;
  client = new Client({ connectionString: connection });
  await client.connect();
});

afterAll(async () => {
  for (const journal of journals) await journal.close();
  await client?.end();
  await server?.stop();
});

async function openJournal(options: Partial<PostgresJournalOptions> = {}): Promise<PostgresJournal> {
  const journal = await postgresJournal({ connection, heartbeatMs: 50, deadAfterMs: 30_000, ...options });
  journals.push(journal);
  return journal;
}

function entry(action: string): JournalEntry {
  return { schemaVersion: 1, at: 1, path: `flow@1/${action}#1 \u0000 🦊`, kind: 'step', action };
}

/** As if the process of this run had died: it says no more that it lives. */
async function pretendDeath(runId: string): Promise<void> {
  await client.query(
    `UPDATE askema.workers SET beat_at = clock_timestamp() - interval '1 hour', dead_after_ms = 1
     WHERE id = (SELECT holder FROM askema.runs WHERE run = $1)`,
    [runId],
  );
}

it('keeps entries in order, as a journal in memory does', async () => {
  for (const journal of [memoryJournal(), await openJournal()]) {
    const runId = `run ${randomUUID()}`;
    const first = await journal.open(runId);
    expect(first.entries).toEqual([]);
    await Promise.all([first.append([entry('a'), entry('b')]), first.append([entry('c')]), first.append([])]);
    expect(await journal.read(runId)).toEqual([entry('a'), entry('b'), entry('c')]);
    await expect(journal.open(runId)).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
    await first.close();
    await first.close();
    await expect(first.append([entry('late')])).rejects.toMatchObject({ code: 'INTERNAL' });
    const second = await journal.open(runId);
    expect(second.entries).toEqual([entry('a'), entry('b'), entry('c')]);
    await second.append([entry('d')]);
    await second.close();
    expect(await journal.read(runId)).toHaveLength(4);
    expect(await journal.runIds()).toContain(runId);
    expect(await journal.read('nobody')).toEqual([]);
  }
});

it('keeps a run from others while its process lives, and says which process that is', async () => {
  const [one, two] = [await openJournal(), await openJournal()];
  const run = await one.open('shared');
  await expect(two.open('shared')).rejects.toMatchObject({
    code: 'JOURNAL_LOCKED',
    message: expect.stringContaining(`process ${process.pid} on `),
  });
  await run.close();
  await (await two.open('shared')).close();
});

it('gives the run of a dead process to another, and refuses what the first still writes', async () => {
  // The first says only once that it lives.
  const one = await openJournal({ heartbeatMs: 3_600_000, deadAfterMs: 14_400_000 });
  const two = await openJournal();
  const lost = await one.open('left open');
  await lost.append([entry('a')]);
  await pretendDeath('left open');
  const taken = await two.open('left open');
  expect(taken.entries).toEqual([entry('a')]);
  await taken.append([entry('b')]);
  await expect(lost.append([entry('zombie')])).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
  await expect(lost.append([entry('again')])).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
  await lost.close();
  await taken.append([entry('c')]);
  await taken.close();
  expect(await two.read('left open')).toEqual([entry('a'), entry('b'), entry('c')]);
});

it('names the entry that cannot be read', async () => {
  const journal = await openJournal();
  const run = await journal.open('torn');
  await run.append([entry('a')]);
  await run.close();
  await client.query(`INSERT INTO askema.entries VALUES ('torn', 1, '{"no')`);
  await expect(journal.read('torn')).rejects.toMatchObject({
    code: 'JOURNAL_INVALID',
    message: expect.stringContaining('run `torn`, entry 2 is no JSON'),
  });
});

it('lists runs by how they begin, from the last one on, and forgets one', async () => {
  const journal = await openJournal({ heartbeatMs: 3_600_000, deadAfterMs: 14_400_000 });
  const prefix = `${randomUUID()}.`;
  for (const runId of ['1', '3', 'B', 'a'].map((end) => prefix + end)) {
    const opened = await journal.open(runId);
    await opened.append([entry('a')]);
    await opened.close();
  }
  await (await journal.open(`${prefix}b`)).close();
  const listed = async (more: object) => {
    const ids = await journal.runIds({ startsWith: prefix, ...more });
    return ids.map((id) => id.slice(prefix.length));
  };
  expect((await listed({})).sort()).toEqual(['1', '3', 'B', 'a']);
  expect(await listed({ last: 2 })).toEqual(['a', 'B']);
  expect(await listed({ last: 2, before: `${prefix}B` })).toEqual(['3', '1']);

  const stale = await journal.open(`${prefix}3`);
  await pretendDeath(`${prefix}3`);
  const other = await openJournal();
  const opened = await other.open(`${prefix}3`);
  await expect(stale.remove?.()).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
  expect(await journal.read(`${prefix}3`)).toHaveLength(1);
  await opened.remove?.();
  await opened.close();
  expect(await listed({ last: 9 })).toEqual(['a', 'B', '1']);
  const again = await journal.open(`${prefix}3`);
  expect(again.entries).toEqual([]);
  await again.close();
});
