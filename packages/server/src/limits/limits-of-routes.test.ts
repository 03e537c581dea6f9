import { describe, expect, test } from 'vitest';
import { rpcOf } from '../testing/mcp-request.ts';
import { shopServer } from '../testing/shop-server.ts';

const STREAM = { headers: { accept: 'text/event-stream' } };

describe('where nobody has set a limit', () => {
  test('a caller has four statements at a time, and their colleague has others', async () => {
    const { send, shop } = shopServer();
    const left = new AbortController();
    const slow = Array.from({ length: 6 }, () =>
      send('ann', 'POST', '/v1/sql', {
        body: { sql: "SELECT name FROM users WHERE name = 'slow'" },
        signal: left.signal,
      }),
    );
    for (let begun = 0; begun < 4; begun += 1) await shop.standing();
    expect((await send('eve', 'POST', '/v1/sql', { body: { sql: 'SELECT name FROM users' } })).status).toBe(200);
    expect(shop.sent).toHaveLength(5);
    left.abort();
    await Promise.all(slow);
  });

  test('a caller has sixteen questions at a time, until their streams are read or left', async () => {
    const { send, json } = shopServer();
    const question = (key: string, more = {}) => send(key, 'POST', '/v1/ask', { body: { question: 'who?' }, ...more });
    const asked = await Promise.all(Array.from({ length: 16 }, () => question('ann', STREAM)));
    expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    for (const refused of [await question('ann', STREAM), await question('ann')]) {
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await refused.json()).toMatchObject({ error: { details: { limit: 'questionsAtOnce' } } });
    }
    const { conversation } = await json('ann', 'POST', '/v1/conversations', {});
    expect(await json('ann', 'POST', `/v1/conversations/${conversation}/messages`, { message: 'x' })).toMatchObject({
      status: 429,
    });
    expect((await question('eve')).status).toBe(200);
    await asked[0]?.text();
    expect((await question('ann')).status).toBe(200);
    await asked[1]?.body?.cancel();
    expect((await question('ann')).status).toBe(200);
    await Promise.all(asked.slice(2).map((each) => each.body?.cancel()));
  });

  test('streams that join one question count as well, and a key that is turned away is not taken', async () => {
    const { send } = shopServer({ limits: { questionsAtOnce: 1 } });
    const ask = (key: string, question: string) =>
      send('ann', 'POST', '/v1/ask', {
        body: { question },
        headers: { ...STREAM.headers, 'idempotency-key': key },
      });
    const first = await ask('one', 'slow?');
    expect((await ask('one', 'slow?')).status).toBe(429);
    expect((await ask('two', 'who?')).status).toBe(429);
    await first.body?.cancel();
    expect((await ask('two', 'who else?')).status).toBe(200);
  });

  test('agents have as many', async () => {
    const { send } = shopServer({ limits: { questionsAtOnce: 2 } });
    const ask = async () => {
      const tool = { name: 'ask', arguments: { question: 'who?' } };
      return (await send('ann', 'POST', '/mcp', rpcOf('tools/call', tool))).text();
    };
    const said = await Promise.all([ask(), ask(), ask()]);
    expect(said.filter((text) => text.includes('questionsAtOnce'))).toHaveLength(1);
    expect(await ask()).not.toContain('questionsAtOnce');
  });
});

test('`false` lifts both', async () => {
  const { send, shop } = shopServer({ limits: { questionsAtOnce: false, statementsAtOnce: false } });
  const left = new AbortController();
  const asked = Array.from({ length: 20 }, () =>
    send('ann', 'POST', '/v1/ask', { body: { question: 'slow?' }, signal: left.signal }),
  );
  for (let begun = 0; begun < 20; begun += 1) await shop.standing();
  left.abort();
  await Promise.all(asked);
  expect(shop.stopped).toHaveLength(20);
});

test('requests to all routes count together, where that is limited, and other callers have their own', async () => {
  const { send } = shopServer({ limits: { requestsPerMinute: 3 } });
  const paths = ['/v1/databases/shop/catalog', '/v1/history', '/v1/runs/none', '/v1/databases', '/v1/history'];
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await send('ann', 'GET', path)).status);
  expect(statuses).toEqual([200, 200, 404, 429, 429]);
  expect((await send('ann', 'POST', '/mcp', rpcOf('tools/list', {}))).headers.get('retry-after')).toBe('20');
  expect((await send('ann', 'GET', '/health')).status).toBe(200);
  expect((await send('eve', 'GET', '/v1/history')).status).toBe(200);
});
