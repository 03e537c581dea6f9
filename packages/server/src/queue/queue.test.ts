import { AskemaError, inProcessRunner, type Journal, memoryJournal } from '@askema/core';
import { afterEach, describe, expect, it } from 'vitest';
import type { Caller, ServerJobs } from '../contract.ts';
import { scriptedShop } from '../testing/scripted-shop.ts';
import { eventsOf, type ShopServerOptions, shopServer } from '../testing/shop-server.ts';

type Server = ReturnType<typeof shopServer>;
const servers: Server[] = [];
afterEach(async () => {
  for (const { server } of servers.splice(0)) await server.close();
});

/** Servers that share a journal and a queue. The first of `working` that is free does what is next. */
function sharing(concurrency = 8) {
  const journal: Journal = memoryJournal();
  let working: ServerJobs | undefined;
  const jobs: ServerJobs = { question: (input, context) => (working as ServerJobs).question(input, context) };
  const opened = inProcessRunner({ jobs, concurrency });
  const server = ({ works = false, ...more }: ShopServerOptions & { readonly works?: boolean } = {}) => {
    const made = shopServer({
      ...{ journal, ...more },
      runner: async (its) => {
        if (works) working = its;
        // One of them closes; the others go on.
        return { ...(await opened), close: async () => undefined };
      },
    });
    servers.push(made);
    return made;
  };
  return { server };
}

const EVENTS = { headers: { accept: 'text/event-stream' } };
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

describe('servers that share a queue', () => {
  it('answer what another one has worked on, paid once, under whichever server the key comes back', async () => {
    const { server } = sharing();
    const [asked, other, worker] = [server(), server(), server({ works: true })];
    const outcome = await asked.json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed('k'));
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['north-canary', expect.any(String)]] } });
    expect(await other.json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed('k'))).toEqual(outcome);
    expect(await other.json('ann', 'GET', `/v1/runs/${outcome.runId}`)).toMatchObject({
      status: 'ended',
      outcome: { runId: outcome.runId },
    });
    expect([asked, other, worker].map(({ shop }) => shop.questions.length)).toEqual([0, 0, 1]);
    expect(await other.json('ann', 'POST', '/v1/ask', { question: 'What?' }, keyed('k'))).toMatchObject({
      status: 409,
    });
    expect(await other.json('eve', 'GET', `/v1/runs/${outcome.runId}`)).toMatchObject({ status: 404 });
    expect(await other.json('bob', 'GET', `/v1/runs/${outcome.runId}`)).toMatchObject({ status: 404 });
  });

  it('work in the name of who asks: their tenant, and limits where it was accepted', async () => {
    const { server } = sharing();
    const [asked, worker] = [server({ limits: { questionsPerMinute: 1 } }), server({ works: true })];
    expect(await asked.json('bob', 'POST', '/v1/ask', { question: 'Who?' })).toMatchObject({
      result: { rows: [['south-canary', expect.any(String)]] },
    });
    expect(worker.shop.sent).toEqual(['south: SELECT name FROM users']);
    expect(await asked.json('bob', 'POST', '/v1/ask', { question: 'Who?' })).toMatchObject({ status: 429 });
    expect(await asked.json('ann', 'POST', '/v1/ask', { question: 'Who?' })).toMatchObject({ status: 200 });
  });

  it('work for a caller for whom a limit is lifted', async () => {
    const { server } = sharing();
    const callers: readonly Caller[] = [{ subject: 'ann', scopes: ['*'], limits: { questionsAtOnce: false } }];
    const [asked] = [server({ callers }), server({ works: true })];
    expect(await asked.json('ann', 'POST', '/v1/ask', { question: 'Who?' })).toMatchObject({ type: 'answered' });
  });

  it('send events: of a server that works itself as they come, of another one its finished steps', async () => {
    const { server } = sharing();
    const [other, worker] = [server(), server({ works: true })];
    const followed = await eventsOf(
      await other.send('ann', 'POST', '/v1/ask', { ...EVENTS, body: { question: 'Who?' } }),
    );
    const steps = followed.filter(({ event }) => event === 'step').map(({ data }) => `${data.step} ${data.status}`);
    expect(steps).toEqual(
      ['get-schema', 'generate-sql', 'execute-sql', 'weigh-readings'].map((step) => `${step} finished`),
    );
    expect(followed.at(-1)).toMatchObject({ event: 'outcome', data: { type: 'answered' } });

    const events = await eventsOf(
      await worker.send('ann', 'POST', '/v1/ask', { ...EVENTS, body: { question: 'Who?' } }),
    );
    const names = events.map(({ event }) => event);
    expect([...new Set(names)]).toEqual(['started', 'step', 'candidate', 'rows', 'outcome']);
  });

  it('take answers to what was asked back, once, at any of them', async () => {
    const { server } = sharing();
    const [one, two, worker] = [server(), server(), server({ works: true })];
    const asked = await one.json('ann', 'POST', '/v1/ask', { question: 'which day?' });
    expect(asked).toMatchObject({ type: 'needsClarification' });
    const path = `/v1/runs/${asked.runId}/answer`;
    const before = worker.shop.sent.length;
    expect(await two.json('ann', 'POST', path, { answer: 'neither' })).toMatchObject({
      status: 400,
      error: { code: 'INPUT_INVALID' },
    });
    const answered = await Promise.all([one, two].map(({ json }) => json('ann', 'POST', path, { answer: 2 })));
    expect(answered[0]).toMatchObject({ type: 'answered', runId: `${asked.runId}~2` });
    expect(answered[1]).toEqual(answered[0]);
    expect(worker.shop.sent).toHaveLength(before + 1);
    expect(worker.shop.questions).toHaveLength(1);
    expect(await two.json('ann', 'POST', path, { answer: 1 })).toMatchObject({ status: 409 });
  });

  it('stop what another one works on: for good, and when its readers have left', async () => {
    const { server } = sharing();
    const [one, two, worker] = [server(), server(), server({ works: true })];
    const asked = one.json('ann', 'POST', '/v1/ask', { question: 'slow' }, keyed('k'));
    await worker.shop.standing();
    const { entries } = await two.json('ann', 'GET', '/v1/history');
    const path = `/v1/runs/${entries[0].id}`;
    expect(await two.json('ann', 'GET', path)).toMatchObject({ status: 'running' });
    expect(await two.json('ann', 'DELETE', path)).toMatchObject({ status: 'ended' });
    expect(await asked).toMatchObject({ error: { code: 'REQUEST_CONFLICT' } });
    await expect.poll(() => worker.shop.stopped).toHaveLength(1);
    expect(await one.json('ann', 'POST', '/v1/ask', { question: 'slow' }, keyed('k'))).toMatchObject({ status: 409 });

    const leaving = new AbortController();
    const left = one.send('ann', 'POST', '/v1/ask', {
      body: { question: 'slow 2' },
      ...keyed('l'),
      signal: leaving.signal,
    });
    left.catch(() => undefined);
    await worker.shop.standing();
    leaving.abort();
    await expect.poll(() => worker.shop.stopped).toHaveLength(2);
    const run = (await two.json('ann', 'GET', '/v1/history')).entries[0].id;
    await expect.poll(async () => (await two.json('ann', 'GET', `/v1/runs/${run}`)).status).toBe('interrupted');
  });

  it('go on for the readers of one server when those of another have left', async () => {
    const { server } = sharing();
    const [one, two, worker] = [server(), server(), server({ works: true })];
    const body = { question: 'slow' };
    const leaving = [new AbortController(), new AbortController()];
    const asked = [one, two].map(({ send }, at) =>
      send('ann', 'POST', '/v1/ask', { body, ...keyed('k'), signal: leaving[at]?.signal ?? null }).catch(
        () => undefined,
      ),
    );
    await worker.shop.standing();
    await expect.poll(async () => (await two.json('ann', 'GET', '/v1/history')).entries).toHaveLength(1);
    leaving[0]?.abort();
    // Its statement begins again, behind what was paid for.
    await worker.shop.standing();
    expect(worker.shop.questions).toHaveLength(1);
    leaving[1]?.abort();
    await expect.poll(() => worker.shop.stopped).toHaveLength(2);
    await Promise.all(asked);
  });

  it('try again what has failed when they are told to, at any of them', async () => {
    let times = 0;
    const onModel = () => {
      times += 1;
      if (times === 1) throw new Error('/etc/secret-model is down');
    };
    const { server } = sharing();
    const [one, two] = [server(), server()];
    server({ works: true, shop: scriptedShop({ onModel }) });
    const failed = await one.json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed('k'));
    expect(failed).toMatchObject({ type: 'failed' });
    expect(await two.json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed('k'))).toEqual(failed);
    const path = `/v1/runs/${failed.runId}`;
    expect(await two.json('ann', 'POST', `${path}/resume`)).toMatchObject({ type: 'answered', runId: failed.runId });
    expect(await one.json('ann', 'GET', path)).toMatchObject({ outcome: { type: 'answered' } });
  });

  it('a server that closes leaves its questions to the others', async () => {
    const { server } = sharing();
    const [one, two, worker] = [server(), server(), server({ works: true })];
    const asked = one.json('ann', 'POST', '/v1/ask', { question: 'slow' }, keyed('k'));
    await worker.shop.standing();
    await one.server.close();
    expect(await asked).toMatchObject({ status: 503, error: { code: 'SERVER_CLOSING' } });
    const { entries } = await two.json('ann', 'GET', '/v1/history');
    expect(await two.json('ann', 'GET', `/v1/runs/${entries[0].id}`)).toMatchObject({ status: 'running' });
    expect(worker.shop.stopped).toEqual([]);
    await two.json('ann', 'DELETE', `/v1/runs/${entries[0].id}`);
  });

  it('a server that is about to stop begins what its own readers wait for, and nothing else', async () => {
    const { server } = sharing(1);
    const [other, worker] = [server(), server({ works: true })];
    const slow = worker.json('ann', 'POST', '/v1/ask', { question: 'slow' });
    await worker.shop.standing();
    const own = worker.json('ann', 'POST', '/v1/ask', { question: 'Who?' });
    const entriesOf = async () => (await other.json('ann', 'GET', '/v1/history')).entries;
    await expect.poll(entriesOf).toHaveLength(2);
    const foreign = other.json('ann', 'POST', '/v1/ask', { question: 'What?' });
    await expect.poll(entriesOf).toHaveLength(3);
    const drained = worker.server.drain();
    const { id } = (await entriesOf()).at(-1);
    await other.json('ann', 'DELETE', `/v1/runs/${id}`);
    expect(await own).toMatchObject({ type: 'answered' });
    await Promise.all([drained, slow]);
    expect(worker.shop.questions).toEqual(['slow', 'Who?']);
    await other.server.close();
    expect(await foreign).toMatchObject({ status: 503 });
  });

  it('find the database of a question that names none, paid once, and ask back at any of them', async () => {
    const reads = (message: string): string => (/people/.test(message) ? 'hr' : '');
    const { server } = sharing();
    const callers: readonly Caller[] = [{ subject: 'ann', tenant: 'north', scopes: ['*@sales', '*@hr'] }];
    const databases = { sales: scriptedShop({ reads }), hr: scriptedShop({ reads }), secret: scriptedShop() };
    const [one, two] = [server({ databases, callers }), server({ databases, callers, works: true })];
    const found = await one.json('ann', 'POST', '/v1/ask', { question: 'How many people?' }, keyed('k'));
    expect(found).toMatchObject({ type: 'answered', calls: 2 });
    expect(await two.json('ann', 'POST', '/v1/ask', { question: 'How many people?' }, keyed('k'))).toEqual(found);
    expect([databases.sales.questions.length, databases.hr.questions.length]).toEqual([1, 1]);
    const asked = await one.json('ann', 'POST', '/v1/ask', { question: 'How many?' });
    expect(asked).toMatchObject({ type: 'needsClarification', choices: [{ id: 'sales' }, { id: 'hr' }] });
    const path = `/v1/runs/${asked.runId}/answer`;
    expect(await two.json('ann', 'POST', path, { answer: 'secret' })).toMatchObject({ status: 400 });
    const answered = await two.json('ann', 'POST', path, { answer: 'hr' });
    expect(answered).toMatchObject({ type: 'answered', runId: `${asked.runId}~2` });
    expect(await one.json('ann', 'GET', `/v1/runs/${answered.runId}`)).toMatchObject({
      outcome: { sql: answered.sql },
    });
  });

  it('a question that cannot be worked on can be gone on with', async () => {
    const { server } = sharing();
    let isAway = true;
    const shop = scriptedShop();
    const open: typeof shop.open = (who) => {
      if (isAway) throw new AskemaError('DATABASE_UNAVAILABLE', 'It is away.');
      return shop.open(who);
    };
    const one = server();
    server({ works: true, shop: { ...shop, open } });
    expect(await one.json('ann', 'POST', '/v1/ask', { question: 'Who?' })).toMatchObject({ status: 503 });
    const path = `/v1/runs/${(await one.json('ann', 'GET', '/v1/history')).entries[0].id}`;
    expect(await one.json('ann', 'GET', path)).toMatchObject({ status: 'interrupted' });
    isAway = false;
    expect(await one.json('ann', 'POST', `${path}/resume`)).toMatchObject({ type: 'answered' });
  });
});

it('a queue without a journal that all share is refused', () => {
  expect(() => shopServer({ journal: undefined, runner: (jobs) => inProcessRunner({ jobs }) })).toThrow(
    /`runner` needs `journal`/,
  );
});
