import { memoryJournal } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { scriptedShop } from '../../testing/scripted-shop.ts';
import { eventsOf, shopServer } from '../../testing/shop-server.ts';

const EVENTS = { headers: { accept: 'text/event-stream' } };

describe('POST /v1/ask', () => {
  it('answers with an outcome, whose run can be shown again without asking anybody', async () => {
    const { json, shop } = shopServer();
    const outcome = await json('ann', 'POST', '/v1/ask', { question: 'Who is there?' });
    expect(outcome).toMatchObject({
      status: 200,
      type: 'answered',
      result: { rows: [['north-canary', expect.any(String)]] },
    });
    const run = await json('ann', 'GET', `/v1/runs/${outcome.runId}`);
    expect(run).toMatchObject({ status: 'ended', database: 'shop', question: 'Who is there?' });
    expect(run.outcome).toMatchObject({
      type: 'answered',
      runId: outcome.runId,
      result: { rows: outcome.result.rows },
    });
    expect(shop.questions).toHaveLength(1);
    expect(shop.sent).toHaveLength(1);
  });

  it('3: events come in order, and the outcome is the last one', async () => {
    const rows = Array.from({ length: 1_100 }, (_, at) => [`row ${at}`]);
    const { send } = shopServer({ shop: scriptedShop({ rows: () => rows }) });
    const response = await send('ann', 'POST', '/v1/ask', { ...EVENTS, body: { question: 'Who is there?' } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = await eventsOf(response);
    const names = events.map(({ event }) => event);
    expect([...new Set(names)]).toEqual(['started', 'step', 'candidate', 'rows', 'outcome']);
    expect(names).toEqual([...names].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)));
    expect(events.filter(({ event }) => event === 'rows').flatMap(({ data }) => data.rows)).toEqual(rows);
    const last = events.at(-1)?.data;
    expect(last).toMatchObject({ type: 'answered', runId: events[0]?.data.run, result: { rowCount: 1_100 } });
    expect(last.result).not.toHaveProperty('rows');
    expect(events.find(({ event }) => event === 'step')?.data).toMatchObject({ step: 'get-schema', status: 'started' });
  });

  it('4: a reader that leaves stops the statement, and the run can be gone on with', async () => {
    const { send, json, shop } = shopServer();
    const response = await send('ann', 'POST', '/v1/ask', { ...EVENTS, body: { question: 'slow' } });
    const reader = response.body?.getReader();
    const { run } = JSON.parse(new TextDecoder().decode((await reader?.read())?.value).split('data: ')[1] ?? '');
    const rest = (async () => {
      while ((await reader?.read())?.done === false);
    })();
    await shop.standing();
    expect(await json('ann', 'GET', `/v1/runs/${run}`)).toMatchObject({ status: 'running' });
    await reader?.cancel();
    await rest.catch(() => undefined);
    await expect.poll(() => shop.stopped).toHaveLength(1);
    await expect.poll(async () => (await json('ann', 'GET', `/v1/runs/${run}`)).status).toBe('interrupted');
  });

  it('4: so does one that waits for JSON', async () => {
    const { send, shop } = shopServer();
    const leaving = new AbortController();
    const asked = send('ann', 'POST', '/v1/ask', { body: { question: 'slow' }, signal: leaving.signal });
    asked.catch(() => undefined);
    await shop.standing();
    leaving.abort();
    await expect.poll(() => shop.stopped).toHaveLength(1);
  });

  it("the same key and body give the same run, paid once; another body is a conflict; keys are each caller's own", async () => {
    const { json, shop } = shopServer();
    const keyed = { headers: { 'idempotency-key': 'k-1' } };
    const asked = await Promise.all([1, 2, 3].map(() => json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed)));
    expect(new Set(asked.map(({ runId }) => runId)).size).toBe(1);
    expect(await json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed)).toMatchObject({ runId: asked[0].runId });
    expect(shop.questions).toHaveLength(1);
    expect(await json('ann', 'POST', '/v1/ask', { question: 'What?' }, keyed)).toMatchObject({
      status: 409,
      error: { code: 'REQUEST_CONFLICT' },
    });
    const other = await json('bob', 'POST', '/v1/ask', { question: 'Who?' }, keyed);
    expect(other.runId).not.toBe(asked[0].runId);
    expect(other.result.rows[0][0]).toBe('south-canary');
  });

  it('of two that read one run, the statement goes on until both have left', async () => {
    const { send, shop } = shopServer();
    const keyed = { 'idempotency-key': 'k-1' };
    const [one, two] = [new AbortController(), new AbortController()];
    const ask = ({ signal }: AbortController) =>
      send('ann', 'POST', '/v1/ask', { body: { question: 'slow' }, headers: keyed, signal }).catch(() => undefined);
    ask(one);
    await shop.standing();
    ask(two);
    await expect.poll(async () => (await send('ann', 'GET', '/v1/history')).status).toBe(200);
    one.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(shop.stopped).toHaveLength(0);
    two.abort();
    await expect.poll(() => shop.stopped).toHaveLength(1);
  });
});

describe('a run', () => {
  it('that asks back is answered, once', async () => {
    const { json, shop } = shopServer();
    const asked = await json('ann', 'POST', '/v1/ask', { question: 'which day?' });
    expect(asked).toMatchObject({ type: 'needsClarification', choices: [{ id: '1' }, { id: '2' }] });
    expect(await json('ann', 'POST', `/v1/runs/${asked.runId}/answer`, { answer: 'neither' })).toMatchObject({
      status: 400,
      error: { code: 'INPUT_INVALID' },
    });
    const answered = await json('ann', 'POST', `/v1/runs/${asked.runId}/answer`, { answer: 2 });
    expect(answered).toMatchObject({ type: 'answered', runId: `${asked.runId}~2`, sql: 'SELECT name FROM users' });
    expect(await json('ann', 'GET', `/v1/runs/${answered.runId}`)).toMatchObject({
      status: 'ended',
      outcome: { type: 'answered' },
    });
    expect(await json('ann', 'POST', `/v1/runs/${asked.runId}/answer`, { answer: 2 })).toMatchObject({
      runId: answered.runId,
    });
    expect(await json('ann', 'POST', `/v1/runs/${asked.runId}/answer`, { answer: 1 })).toMatchObject({ status: 409 });
    expect(await json('ann', 'POST', `/v1/runs/${answered.runId}/answer`, { answer: 1 })).toMatchObject({
      status: 400,
    });
    expect(shop.questions).toHaveLength(1);
  });

  it('is stopped by DELETE, and then has ended', async () => {
    const { json, shop } = shopServer();
    const keyed = { headers: { 'idempotency-key': 'k-1' } };
    const asked = json('ann', 'POST', '/v1/ask', { question: 'slow' }, keyed);
    await shop.standing();
    const { entries } = await json('ann', 'GET', '/v1/history');
    expect(entries).toMatchObject([{ kind: 'question', text: 'slow', database: 'shop' }]);
    const { id } = entries[0];
    expect(await json('ann', 'DELETE', `/v1/runs/${id}`)).toMatchObject({
      status: 'ended',
      outcome: { type: 'cancelled' },
    });
    expect(await asked).toMatchObject({ type: 'cancelled', runId: id });
    expect(shop.stopped).toHaveLength(1);
    // It does not begin again by itself.
    expect(await json('ann', 'POST', '/v1/ask', { question: 'slow' }, keyed)).toMatchObject({ type: 'cancelled' });
    expect(shop.sent).toHaveLength(1);
    expect((await json('ann', 'GET', '/v1/history')).entries).toMatchObject([{ outcome: 'cancelled' }]);
  });

  it('in flight while a server stops is interrupted, and the next one goes on with it', async () => {
    let isSlow = true;
    const journal = memoryJournal();
    const stand = Promise.withResolvers<void>();
    const first = shopServer({
      journal,
      shop: scriptedShop({ onModel: () => (isSlow ? stand.promise : undefined) }),
    });
    const asked = first.json('ann', 'POST', '/v1/ask', { question: 'Who?' });
    await expect.poll(() => first.shop.questions).toHaveLength(1);
    isSlow = false;
    const closed = first.server.close();
    stand.resolve();
    await Promise.all([closed, asked]);
    const second = shopServer({ journal });
    const { entries } = await second.json('ann', 'GET', '/v1/history');
    expect(entries).toMatchObject([{ text: 'Who?' }]);
    const path = `/v1/runs/${entries[0].id}`;
    expect(await second.json('ann', 'GET', path)).toMatchObject({ status: 'interrupted' });
    expect(await second.json('ann', 'POST', `${path}/resume`)).toMatchObject({
      type: 'answered',
      runId: entries[0].id,
    });
    expect(await second.json('ann', 'GET', path)).toMatchObject({ status: 'ended', outcome: { type: 'answered' } });
  });
});

it('a run that has failed shows so without being tried again, and goes on when it is told to', async () => {
  let times = 0;
  const onModel = () => {
    times += 1;
    if (times === 1) throw new Error('/etc/secret-model is down');
  };
  const { json, shop } = shopServer({ shop: scriptedShop({ onModel }) });
  const keyed = { headers: { 'idempotency-key': 'k' } };
  const failed = await json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed);
  expect(failed).toMatchObject({ type: 'failed', error: { code: 'INTERNAL' } });
  expect(JSON.stringify(failed)).not.toContain('secret');
  expect(await json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed)).toMatchObject({ type: 'failed' });
  const path = `/v1/runs/${failed.runId}`;
  expect(await json('ann', 'GET', path)).toMatchObject({ status: 'ended', outcome: { type: 'failed' } });
  expect(shop.questions).toHaveLength(1);
  expect(await json('ann', 'POST', `${path}/resume`)).toMatchObject({ type: 'answered', runId: failed.runId });
  expect(await json('ann', 'GET', path)).toMatchObject({ outcome: { type: 'answered' } });
  expect(shop.questions).toHaveLength(2);
});

it('a run that was interrupted can be stopped for good', async () => {
  const { send, json, shop } = shopServer();
  const keyed = { headers: { 'idempotency-key': 'k' } };
  const leaving = new AbortController();
  const body = { question: 'slow' };
  const asked = send('ann', 'POST', '/v1/ask', { ...keyed, body, signal: leaving.signal }).catch(() => undefined);
  await shop.standing();
  leaving.abort();
  await asked;
  const { entries } = await json('ann', 'GET', '/v1/history');
  const path = `/v1/runs/${entries[0].id}`;
  await expect.poll(async () => (await json('ann', 'GET', path)).status).toBe('interrupted');
  expect(await json('ann', 'DELETE', path)).toMatchObject({ status: 'ended' });
  expect(await json('ann', 'GET', path)).toMatchObject({ status: 'ended' });
  expect(await json('ann', 'POST', '/v1/ask', body, keyed)).toMatchObject({ error: { code: 'REQUEST_CONFLICT' } });
  expect(shop.sent).toHaveLength(1);
});

it('whoever may ask nothing more leaves nothing in the journal, under whatever key', async () => {
  const journal = memoryJournal();
  const { json } = shopServer({ journal, limits: { questionsPerMinute: 2 } });
  const ask = (key: string) =>
    json('ann', 'POST', '/v1/ask', { question: 'Who?' }, { headers: { 'idempotency-key': key } });
  const { runId } = await ask('a');
  expect(await json('ann', 'POST', '/v1/conversations', {})).toMatchObject({ status: 200 });
  const kept = await journal.runIds();
  expect(await ask('b')).toMatchObject({ status: 429 });
  expect(await json('ann', 'POST', '/v1/conversations', {})).toMatchObject({ status: 429 });
  expect(await journal.runIds()).toEqual(kept);
  expect(await ask('a')).toMatchObject({ status: 200, runId });
});

const ORDER = ['started', 'step', 'candidate', 'rows', 'outcome'];
