import { describe, expect, it } from 'vitest';
import { eventsOf, shopServer } from '../../testing/shop-server.ts';

describe('a conversation', () => {
  it('keeps its turns, takes one back, branches and runs a statement of a person', async () => {
    const { json } = shopServer();
    const { id } = await json('ann', 'POST', '/v1/conversations', { title: 'People' });
    const path = `/v1/conversations/${id}`;
    const first = await json('ann', 'POST', `${path}/messages`, { message: 'Who is there?' });
    expect(first).toMatchObject({ turn: 1, answer: { type: 'answered' }, outcome: { type: 'answered' } });
    const second = await json('ann', 'POST', `${path}/messages`, { message: 'which day?', standsAlone: true });
    expect(second).toMatchObject({ turn: 2, answer: { type: 'needsClarification' } });
    const third = await json('ann', 'POST', `${path}/answer`, { answer: 1 });
    expect(third).toMatchObject({ turn: 3, outcome: { type: 'answered', sql: 'SELECT id FROM users' } });
    expect(await json('ann', 'POST', `${path}/edit`, { sql: 'SELECT ssn FROM users' })).toMatchObject({
      turn: 4,
      understood: { kind: 'edit', of: 3 },
      outcome: { result: { rows: [['north-canary', 'SELECT ssn FROM users']] } },
    });
    expect(await json('ann', 'POST', `${path}/undo`)).toMatchObject({ last: { turn: 3 } });
    expect(await json('ann', 'POST', `${path}/branch`, { turn: 1 })).toMatchObject({ last: { turn: 1 } });
    const shown = await json('ann', 'GET', path);
    expect(shown).toMatchObject({ id, title: 'People', database: 'shop', turns: [{ turn: 1 }] });
    expect(JSON.stringify(shown)).not.toContain('canary');
    expect(await json('ann', 'POST', `${path}/branch`, { turn: 0 })).toMatchObject({ last: null });
    expect((await json('ann', 'GET', '/v1/history')).entries).toMatchObject([
      { id, kind: 'conversation', text: 'People' },
    ]);
  });

  it('tells a turn as events, the turn last; its reader stops the statement by leaving', async () => {
    const { json, send, shop } = shopServer();
    const { id } = await json('ann', 'POST', '/v1/conversations', {});
    const say = (message: string, signal?: AbortSignal) =>
      send('ann', 'POST', `/v1/conversations/${id}/messages`, {
        headers: { accept: 'text/event-stream' },
        body: { message },
        ...(signal === undefined ? {} : { signal }),
      });
    const events = await eventsOf(await say('Who is there?'));
    expect(events.at(0)).toEqual({ event: 'started', data: { conversation: id, database: 'shop' } });
    expect(events.at(-2)).toMatchObject({
      event: 'rows',
      data: { rows: [['north-canary', 'SELECT name FROM users']] },
    });
    expect(events.at(-1)).toMatchObject({ event: 'turn', data: { turn: 1, answer: { type: 'answered' } } });
    const leaving = new AbortController();
    const read = say('slow', leaving.signal).then((response) => response.text());
    await shop.standing();
    leaving.abort();
    await read;
    expect(shop.stopped).toHaveLength(1);
  });

  it('with nothing asked back has nothing to answer, and its messages are bounded', async () => {
    const { json } = shopServer();
    const { id } = await json('ann', 'POST', '/v1/conversations', {});
    const path = `/v1/conversations/${id}`;
    expect(await json('ann', 'POST', `${path}/answer`, { answer: '1' })).toMatchObject({
      error: { code: 'INPUT_INVALID' },
    });
    expect(await json('ann', 'POST', `${path}/undo`)).toMatchObject({ error: { code: 'INPUT_INVALID' } });
    expect(await json('ann', 'POST', `${path}/messages`, { message: 'a'.repeat(20_001) })).toMatchObject({
      status: 400,
    });
  });
});
