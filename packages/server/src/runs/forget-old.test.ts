import { setTimeout as delay } from 'node:timers/promises';
import { type Journal, memoryJournal } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { shopServer } from '../testing/shop-server.ts';
import { forgetOld } from './forget-old.ts';

const steps = { pause: async () => true, unreadable: () => undefined };
const question = { question: 'Who is there?' };
const keyed = { headers: { 'idempotency-key': 'one' } };

/** A moment that all before lies before. */
async function moment(): Promise<number> {
  const now = Date.now();
  while (Date.now() <= now) await delay(1);
  return Date.now();
}

async function write(journal: Journal, runId: string, at: number): Promise<void> {
  const run = await journal.open(runId);
  const entry = { schemaVersion: 1, at, path: 'f@1' } as const;
  const header = { kind: 'run', runId, flow: 'f', version: 1, graph: 'g', state: {}, tags: {} } as const;
  await run.append([{ ...entry, ...header }]);
  await run.close();
}

describe('forgetOld', () => {
  it('forgets questions with their runs and keys, and conversations that nobody went on with', async () => {
    const journal = memoryJournal();
    const { json, send, shop } = shopServer({ journal });
    const old = await json('ann', 'POST', '/v1/ask', question, keyed);
    const asked = await json('ann', 'POST', '/v1/ask', { question: 'which?' });
    const [ended, going] = [
      await json('ann', 'POST', '/v1/conversations', {}),
      await json('ann', 'POST', '/v1/conversations', {}),
    ];
    for (const { id } of [ended, going])
      await json('ann', 'POST', `/v1/conversations/${id}/messages`, { message: 'Who is there?', standsAlone: true });
    await write(journal, 'of the application', 1);
    const before = await moment();
    const young = await json('bob', 'POST', '/v1/ask', question);
    const answer = await json('ann', 'POST', `/v1/runs/${asked.runId}/answer`, {
      answer: 1,
    });
    const message = { message: 'Who else?', standsAlone: true };
    await json('ann', 'POST', `/v1/conversations/${going.id}/messages`, message);
    await forgetOld(journal, before, steps);

    const statuses = async (key: string, ...paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await send(key, 'GET', path)).status));
    expect(await statuses('ann', `/v1/runs/${old.runId}`, `/v1/conversations/${ended.id}`)).toEqual([404, 404]);
    expect(await statuses('bob', `/v1/runs/${young.runId}`)).toEqual([200]);
    expect(answer.status).toBe(200);
    expect(await json('ann', 'GET', `/v1/runs/${answer.runId}`)).toMatchObject({ outcome: { type: 'answered' } });
    expect((await json('ann', 'GET', `/v1/conversations/${going.id}`)).turns).toHaveLength(2);
    // The rows of an old turn are read again.
    const charts = [1, 2].map((turn) =>
      send('ann', 'POST', '/v1/chart', { body: { turn: { conversation: going.id, turn } } }),
    );
    expect((await Promise.all(charts)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await json('ann', 'GET', '/v1/history')).entries.map(({ id }: { id: string }) => id).sort()).toEqual(
      [asked.runId, going.id].sort(),
    );
    const left = await journal.runIds();
    expect(left).toContain('of the application');
    for (const id of [old.runId, ended.id]) expect(left.filter((runId) => runId.includes(id))).toEqual([]);
    const calls = shop.questions.length;
    const again = await json('ann', 'POST', '/v1/ask', question, keyed);
    expect([again.type, again.runId === old.runId, shop.questions.length]).toEqual(['answered', false, calls + 1]);
  });

  it('leaves what somebody has open, and what was written to meanwhile', async () => {
    const journal = memoryJournal();
    const id = '000000001-0123456789abcdef';
    const [record, run, key] = [`${'a'.repeat(24)}.run.${id}`, `${'b'.repeat(24)}.${id}`, `${'a'.repeat(24)}.key.1`];
    for (const runId of [record, run, key]) await write(journal, runId, 1);
    const open = await journal.open(run);
    await forgetOld(journal, 10, steps);
    expect([...(await journal.runIds())].sort()).toEqual([record, run].sort());
    await open.close();
    const late: Journal = {
      ...journal,
      async open(runId) {
        if (runId === run) await write(journal, run, 20);
        return journal.open(runId);
      },
    };
    await forgetOld(late, 10, steps);
    expect([...(await journal.runIds())].sort()).toEqual([record, run].sort());
    await forgetOld(journal, 30, { ...steps, pause: async () => false });
    expect(await journal.runIds()).toHaveLength(2);
    await forgetOld(journal, 30, steps);
    expect(await journal.runIds()).toEqual([]);
  });

  it('goes on behind what cannot be read', async () => {
    const journal = memoryJournal();
    const [bad, good] = [`${'a'.repeat(24)}.key.bad`, `${'a'.repeat(24)}.key.good`];
    for (const runId of [bad, good]) await write(journal, runId, 1);
    const told: unknown[] = [];
    const { journalInvalid } = await import('@askema/core');
    const torn: Journal = {
      ...journal,
      async read(runId) {
        if (runId === bad) throw journalInvalid(bad, 'is torn');
        return journal.read(runId);
      },
    };
    await forgetOld(torn, 10, { ...steps, unreadable: (thrown) => told.push(thrown) });
    expect(await journal.runIds()).toEqual([bad]);
    expect(told).toMatchObject([{ code: 'JOURNAL_INVALID' }]);
  });
});

describe('a server with `keep`', () => {
  it('forgets while it runs, and ends at once', async () => {
    const journal = memoryJournal();
    const [old, young] = [`${'a'.repeat(24)}.key.old`, `${'a'.repeat(24)}.key.young`];
    await write(journal, old, Date.now() - 7_200_000);
    await write(journal, young, Date.now());
    const { server } = shopServer({ journal, keep: { runsMs: 3_600_000 } });
    await expect.poll(() => journal.runIds()).toEqual([young]);
    await server.close();
  });

  it('says what it cannot do', async () => {
    const audit = { before: async () => '', after: async () => undefined };
    for (const options of [{ keep: { runsMs: 1_000 } }, { keep: { auditMs: 1e9 } }, { keep: { auditMs: 1e9 }, audit }])
      expect(() => shopServer(options)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    const journal = memoryJournal();
    await write(journal, `${'a'.repeat(24)}.key.old`, 1);
    const cannot: Journal = {
      ...journal,
      async open(runId) {
        const { remove: _, ...run } = await journal.open(runId);
        return run;
      },
    };
    const warned: unknown[] = [];
    const nothing = () => undefined;
    const logger = { debug: nothing, info: nothing, warn: (_: string, data?: unknown) => void warned.push(data) };
    const { server } = shopServer({ journal: cannot, keep: { runsMs: 3_600_000 }, runtime: { logger } });
    await expect.poll(() => warned).toMatchObject([{ error: { code: 'CAPABILITY_UNSUPPORTED' } }]);
    await server.close();
  });
});
