import { memoryJournal } from '@askema/core';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../contract.ts';
import { scriptedShop } from '../testing/scripted-shop.ts';
import { eventsOf, type ShopServerOptions, shopServer } from '../testing/shop-server.ts';

const CALLERS: readonly Caller[] = [
  { subject: 'ann', tenant: 'north', scopes: ['*@sales', '*@hr'] },
  { subject: 'bob', tenant: 'south', scopes: ['*'] },
  { subject: 'clerk', tenant: 'north', scopes: ['ask', 'sql@sales'] },
  { subject: 'one', tenant: 'north', scopes: ['ask@hr'] },
];

const reads = (message: string): string => (/people/.test(message) ? 'hr' : /price/.test(message) ? 'secret' : '');

/** Three databases; ann may not know of `secret`. */
function three(options: ShopServerOptions & { readonly isRead?: boolean } = {}) {
  const { isRead = true, ...more } = options;
  const shop = (title: string) => scriptedShop({ title, ...(isRead ? { reads } : {}) });
  const [sales, hr, secret] = [shop('What is sold'), shop('Who works here'), shop('Mergers')];
  const served = shopServer({ databases: { sales, hr, secret }, callers: CALLERS, ...more });
  const ask = (who: string, question: string, key?: string) =>
    served.json(who, 'POST', '/v1/ask', { question }, key === undefined ? {} : { headers: { 'idempotency-key': key } });
  return { ...served, sales, hr, secret, ask };
}

describe('a question without a database', () => {
  it('is asked of the one that it names, by its name or its title, without a model reading it', async () => {
    const { ask, json, sales, hr } = three({ isRead: false });
    const { runId } = await ask('ann', 'How many orders are in Sales?');
    expect(await json('ann', 'GET', `/v1/runs/${runId}`)).toMatchObject({ database: 'sales', status: 'ended' });
    expect(await ask('ann', 'Who works here?')).toMatchObject({ type: 'answered', calls: 1 });
    expect([sales.questions, hr.questions]).toEqual([['How many orders are in Sales?'], ['Who works here?']]);
  });

  it('is asked of the one that the model reads in it, paid once', async () => {
    const { ask, json, sales, hr } = three();
    const first = await ask('ann', 'How many people?', 'k');
    expect(first).toMatchObject({ type: 'answered', calls: 2, usage: { inputTokens: 20 } });
    expect(await ask('ann', 'How many people?', 'k')).toMatchObject({ runId: first.runId, calls: 2 });
    expect(await json('ann', 'GET', `/v1/runs/${first.runId}`)).toMatchObject({
      database: 'hr',
      outcome: { calls: 2 },
    });
    // The first of the caller's reads.
    expect([sales.questions, hr.questions]).toEqual([['How many people?'], ['How many people?']]);
  });

  it('tells as an event where it is asked', async () => {
    const { send } = three();
    const read = async (question: string) =>
      eventsOf(await send('ann', 'POST', '/v1/ask', { headers: { accept: 'text/event-stream' }, body: { question } }));
    const found = await read('How many people?');
    expect(found[0]).toMatchObject({ event: 'started', data: { database: 'hr' } });
    const asked = await read('How many?');
    expect(asked.map(({ event }) => event)).toEqual(['started', 'outcome']);
    expect(asked[0]?.data).toEqual({ run: asked[1]?.data.runId });
  });

  it('is asked back with the databases of the caller alone, and goes on after a restart', async () => {
    const journal = memoryJournal();
    const { ask, json } = three({ journal });
    const asked = await ask('ann', 'which day?', 'k');
    expect(asked).toMatchObject({
      ...{ type: 'needsClarification', ask: 'Which database is meant?' },
      choices: [
        { id: 'sales', meaning: 'sales: What is sold' },
        { id: 'hr', meaning: 'hr: Who works here' },
      ],
    });
    expect(await ask('ann', 'which day?', 'k')).toEqual(asked);
    const shown = await json('ann', 'GET', `/v1/runs/${asked.runId}`);
    expect(shown).toMatchObject({ status: 'ended', outcome: { choices: [{ id: 'sales' }, { id: 'hr' }] } });
    expect(shown).not.toHaveProperty('database');

    const again = three({ journal });
    const answer = (run: string, said: string | number) =>
      again.json('ann', 'POST', `/v1/runs/${run}/answer`, { answer: said });
    const path = `/v1/runs/${asked.runId}`;
    for (const wrong of ['secret', 'neither', 'sales or hr']) {
      const refused = await answer(asked.runId, wrong);
      expect(refused).toMatchObject({ status: 400, error: { code: 'INPUT_INVALID' } });
      expect(refused.error.message).toContain('There are: sales, hr.');
    }
    const day = await answer(asked.runId, 'the one of SALES');
    expect(day).toMatchObject({ type: 'needsClarification', runId: `${asked.runId}~2`, choices: [{ id: '1' }, {}] });
    expect(await answer(asked.runId, 'hr')).toMatchObject({ status: 409 });
    const placed = await answer(day.runId, 1);
    expect(placed).toMatchObject({ type: 'answered', runId: `${asked.runId}~3`, sql: 'SELECT id FROM users' });
    for (const [run, type] of [
      ['', 'needsClarification'],
      ['~2', 'needsClarification'],
      ['~3', 'answered'],
    ] as const)
      expect(await again.json('ann', 'GET', `${path}${run}`)).toMatchObject({
        outcome: { type, runId: asked.runId + run },
      });
    expect(await again.json('ann', 'GET', `${path}~3`)).toMatchObject({ database: 'sales' });
    expect(again.sales.questions).toHaveLength(1);
    expect((await again.json('ann', 'GET', '/v1/history')).entries).toMatchObject([
      { id: asked.runId, database: 'sales', outcome: 'answered' },
    ]);
    expect((await again.json('bob', 'POST', `${path}/answer`, { answer: 'hr' })).status).toBe(404);
  });

  it('that is answered and broken off goes on at the database that was chosen', async () => {
    const { ask, json, hr } = three();
    const asked = await ask('ann', 'slow');
    const leaving = new AbortController();
    const body = { answer: 'hr' };
    const sent = json('ann', 'POST', `/v1/runs/${asked.runId}/answer`, body, { signal: leaving.signal });
    sent.catch(() => undefined);
    await hr.standing();
    leaving.abort();
    const path = `/v1/runs/${asked.runId}~2`;
    await expect.poll(async () => json('ann', 'GET', path)).toMatchObject({ status: 'interrupted', database: 'hr' });
    expect(await json('ann', 'DELETE', path)).toMatchObject({ status: 'ended' });
    expect(hr.questions).toHaveLength(1);
  });

  it('never names or asks one that the caller may not ask, whatever the model says', async () => {
    const { ask, sales, secret } = three();
    const asked = await ask('ann', 'What is the price in Mergers of secret?');
    expect(asked.type).toBe('needsClarification');
    expect(JSON.stringify(asked.choices)).not.toMatch(/secret|Mergers/);
    expect(secret.questions).toHaveLength(0);
    expect(sales.questions).toHaveLength(1);
    const one = await ask('one', 'What is in sales?');
    expect(one).toMatchObject({ type: 'answered', calls: 1 });
    expect(await ask('bob', 'What is the price?')).toMatchObject({ type: 'answered' });
  });

  it('comes to nothing for who may not ask its database any more, also sent again under its key', async () => {
    const journal = memoryJournal();
    const before = three({ journal });
    const [, ...others] = CALLERS;
    const fewer = { subject: 'ann', tenant: 'north', scopes: ['*@sales', '*@secret'] };
    const after = three({ journal, callers: [fewer, ...others] });
    for (const question of ['Nothing of people?', 'which day of people?', 'How many people?', 'nothing of people']) {
      const { runId } = await before.ask('ann', question, question);
      for (const refused of [
        await after.ask('ann', question, question),
        await after.json('ann', 'GET', `/v1/runs/${runId}`),
        await after.json('ann', 'POST', `/v1/runs/${runId}/resume`),
        await after.json('ann', 'POST', '/v1/chart', { run: runId }),
      ]) {
        expect(refused).toMatchObject({ status: 403, error: { code: 'CALLER_REFUSED' } });
        expect(JSON.stringify(refused)).not.toMatch(/hr|users|canary/);
      }
      expect((await after.json('ann', 'GET', '/v1/history')).entries[0]).not.toHaveProperty('database');
    }
  });

  it('is not joined, while it is worked on, by who may not ask its database', async () => {
    const shop = () => scriptedShop({ reads });
    const databases = { sales: shop(), hr: shop(), secret: shop() };
    const narrow = { subject: 'ann', tenant: 'north', scopes: ['*@sales', '*@secret'] };
    const wide = { ...narrow, scopes: ['*@sales', '*@hr'] };
    const isWide = (request: Request) => request.headers.get('authorization') === 'Bearer wide';
    const auth = { isOpen: false, authenticate: async (request: Request) => (isWide(request) ? wide : narrow) };
    const { json } = shopServer({ databases, auth });
    const ask = (who: string) =>
      json(who, 'POST', '/v1/ask', { question: 'slow people' }, { headers: { 'idempotency-key': 'k' } });
    const asked = ask('wide');
    await databases.hr.standing();
    const joined = ask('narrow');
    const { entries } = await json('wide', 'GET', '/v1/history');
    await json('wide', 'DELETE', `/v1/runs/${entries[0].id}`);
    expect(await asked).toMatchObject({ type: 'cancelled' });
    expect(await joined).toMatchObject({ status: 403 });
  });

  it('does not count twice, and reads nothing above the limit', async () => {
    const { ask, sales } = three({ limits: { questionsPerMinute: 1 } });
    await ask('ann', 'How many?');
    expect(await ask('ann', 'How many more?')).toMatchObject({ status: 429 });
    expect(sales.questions).toHaveLength(1);
  });

  it('asks the others where one cannot be opened, and says why where that one is meant', async () => {
    const hr = { title: 'Who works here', open: () => Promise.reject(new Error('gone')) };
    const sales = scriptedShop({ reads });
    const { json } = shopServer({ databases: { hr, sales }, callers: CALLERS });
    const ask = (question: string) => json('ann', 'POST', '/v1/ask', { question });
    expect(await ask('How many in sales?')).toMatchObject({ type: 'answered' });
    expect(await ask('How many people?')).toMatchObject({ status: 500 });
    expect((await ask('How many?')).choices).toMatchObject([{ id: 'hr' }, { id: 'sales' }]);
  });
});

describe('a conversation without a database', () => {
  it('is about all that the caller may ask; each turn says which, and a statement needs the scope of its own', async () => {
    const { json, hr, sales } = three();
    const begun = await json('clerk', 'POST', '/v1/conversations', {});
    expect(begun).not.toHaveProperty('database');
    const path = `/v1/conversations/${begun.id}`;
    expect(await json('clerk', 'POST', `${path}/messages`, { message: 'How many people?' })).toMatchObject({
      ...{ understood: { database: 'hr' }, outcome: { type: 'answered' } },
    });
    const edit = (more: object) => json('clerk', 'POST', `${path}/edit`, { sql: 'SELECT id FROM users', ...more });
    expect(await edit({})).toMatchObject({ status: 403, error: { code: 'CALLER_REFUSED' } });
    expect(hr.sent).toHaveLength(1);
    expect(await edit({ database: 'sales' })).toMatchObject({ turn: 2, understood: { database: 'sales' } });
    expect(sales.sent).toEqual(['north: SELECT id FROM users']);
    expect(await json('clerk', 'POST', `${path}/messages`, { message: 'More', database: 'nowhere' })).toMatchObject({
      ...{ status: 404, error: { code: 'DATABASE_NOT_FOUND' } },
    });
    expect(await json('clerk', 'POST', '/v1/chart', { turn: { conversation: begun.id, turn: 1 } })).toMatchObject({
      status: 200,
    });
    expect((await json('clerk', 'GET', path)).turns).toMatchObject([
      { understood: { database: 'hr' } },
      { understood: { database: 'sales' } },
    ]);
  });

  it('runs no statement where another request moves it to a database without the scope meanwhile', async () => {
    const { json, hr, sales } = three();
    const { id } = await json('clerk', 'POST', '/v1/conversations', {});
    const path = `/v1/conversations/${id}`;
    await json('clerk', 'POST', `${path}/messages`, { message: 'How many people?' });
    await json('clerk', 'POST', `${path}/messages`, { message: 'How many in sales?', database: 'sales' });
    for (let at = 0; at < 5; at += 1) {
      await json('clerk', 'POST', `${path}/branch`, { turn: 2 });
      await Promise.all([
        json('clerk', 'POST', `${path}/branch`, { turn: 1 }),
        json('clerk', 'POST', `${path}/edit`, { sql: `SELECT id FROM users WHERE id = ${at}` }),
        json('clerk', 'POST', `${path}/branch`, { turn: 1 }),
      ]);
    }
    const own = (sent: readonly string[]) => sent.filter((sql) => sql.includes('WHERE'));
    expect(own(hr.sent)).toEqual([]);
    expect(own(sales.sent).length).toBeGreaterThan(0);
  });

  it('asks back which one, and never names another', async () => {
    const { json } = three({ isRead: false });
    const { id } = await json('ann', 'POST', '/v1/conversations', {});
    const asked = await json('ann', 'POST', `/v1/conversations/${id}/messages`, { message: 'How many?' });
    expect(asked.answer).toMatchObject({ type: 'needsClarification', choices: [{ id: '1' }, { id: '2' }] });
    expect(JSON.stringify(asked)).not.toMatch(/secret|Mergers/);
    const answered = await json('ann', 'POST', `/v1/conversations/${id}/answer`, { answer: 2 });
    expect(answered).toMatchObject({ understood: { database: 'hr' }, outcome: { type: 'answered' } });
  });

  it('is closed to who may not ask one of its databases any more', async () => {
    const journal = memoryJournal();
    const before = three({ journal });
    const { id } = await before.json('ann', 'POST', '/v1/conversations', {});
    await before.json('ann', 'POST', `/v1/conversations/${id}/messages`, { message: 'How many people?' });
    const [, ...others] = CALLERS;
    const fewer = { subject: 'ann', tenant: 'north', scopes: ['*@sales', 'catalog@secret'] };
    const { json } = three({ journal, callers: [fewer, ...others] });
    for (const [method, what, body] of [
      ['GET', '', undefined],
      ['POST', '/messages', { message: 'And now?' }],
      ['POST', '/branch', { turn: 1 }],
    ] as const) {
      const refused = await json('ann', method, `/v1/conversations/${id}${what}`, body);
      expect([what, refused.status, refused.error?.code]).toEqual([what, 403, 'CALLER_REFUSED']);
      expect(refused.error.message).not.toContain('hr');
    }
  });
});
