import { expect, it } from 'vitest';
import { scriptedShop } from '../testing/scripted-shop.ts';
import { shopServer } from '../testing/shop-server.ts';
import { ROUTES } from './routes.ts';

/** What each route with a body is sent; ids are those of `ann`. */
function bodyOf(path: string, run: string): unknown {
  const bodies: Readonly<Record<string, unknown>> = {
    '/v1/ask': { question: 'Who is there?' },
    '/v1/runs/:run/answer': { answer: 1 },
    '/v1/conversations': {},
    '/v1/conversations/:conversation/messages': { message: 'Who is there?' },
    '/v1/conversations/:conversation/answer': { choice: 1 },
    '/v1/conversations/:conversation/edit': { sql: 'SELECT name FROM users' },
    '/v1/conversations/:conversation/branch': { turn: 1 },
    '/v1/sql': { sql: 'SELECT name FROM users' },
    '/v1/sql/check': { sql: 'SELECT name FROM users' },
    '/v1/databases/:database/knowledge/proposals': { run },
    '/v1/chart': { run },
    '/v1/designs': { requirement: 'Books have authors.' },
  };
  return bodies[path];
}

/** A shop, and what `ann` of the tenant `north` has asked it. */
async function northern() {
  const knowledge = { list: async () => [], propose: async () => ({ kind: 'proposed', id: 'query:a' }) };
  const design = () => ({ design: async () => ({ type: 'designed' }) as never });
  const served = shopServer({ shop: { ...scriptedShop(), knowledge }, design });
  const { json } = served;
  const answered = await json('ann', 'POST', '/v1/ask', { question: 'Who lives in the north?' });
  const asked = await json('ann', 'POST', '/v1/ask', { question: 'which north?' });
  const { id } = await json('ann', 'POST', '/v1/conversations', { title: 'north' });
  await json('ann', 'POST', `/v1/conversations/${id}/messages`, { message: 'which of the north?' });
  return { ...served, answered: answered.runId as string, asked: asked.runId as string, conversation: id as string };
}

/** Routes whose path or body names what belongs to somebody. */
const OWNED = ROUTES.filter(
  ({ path }) => /:run|:conversation/.test(path) || JSON.stringify(bodyOf(path, 'x') ?? '').includes('"run"'),
);

it('every route with an id is tried', () => {
  expect(OWNED).toHaveLength(12);
});

it.each(['bob', 'eve'])('%s, who is not ann, gets 404 for her ids at every route', async (other) => {
  const { send, answered, asked, conversation } = await northern();
  for (const run of [answered, asked, `${asked}~2`, `${answered}~1`])
    for (const { method, path } of OWNED) {
      const filled = path.replace(':run', run).replace(':conversation', conversation).replace(':database', 'shop');
      const body = bodyOf(path, run);
      const response = await send(other, method, filled, body === undefined ? {} : { body });
      const text = await response.text();
      expect([method, path, response.status]).toEqual([method, path, 404]);
      expect(text).toContain('RUN_NOT_FOUND');
      expect(text).not.toMatch(/north|canary/);
    }
});

it('nothing that one tenant gets names the other, at any route and at the same time', async () => {
  const { json, send } = await northern();
  const paths = ROUTES.filter(({ path }) => !/:run|:conversation/.test(path));
  const own = await json('bob', 'POST', '/v1/ask', { question: 'Who is there?' });
  const texts = await Promise.all(
    paths.flatMap(({ method, path }) =>
      ['ann', 'bob'].map(async (who) => {
        const filled = `${path.replace(':database', 'shop')}${path.endsWith('/values') ? '?text=Ann' : ''}`;
        const body = bodyOf(path, own.runId);
        const text = await (await send(who, method, filled, body === undefined ? {} : { body })).text();
        return { who, path, text };
      }),
    ),
  );
  for (const { who, path, text } of texts.filter(({ who }) => who === 'bob'))
    expect([who, path, /north/.test(text)]).toEqual([who, path, false]);
  expect(texts.some(({ text }) => text.includes('south-canary'))).toBe(true);
  expect(texts.filter(({ who }) => who === 'ann').some(({ text }) => text.includes('south'))).toBe(false);
});

it('ids that look like paths, keys or prototypes are not found', async () => {
  const { send } = await northern();
  for (const id of [
    '__proto__',
    'constructor',
    '..%2f..%2fetc',
    '%00',
    `${'a'.repeat(9)}-${'A'.repeat(16)}`,
    'x'.repeat(5_000),
    '~2',
  ])
    expect([id.slice(0, 20), (await send('ann', 'GET', `/v1/runs/${id}`)).status]).toEqual([id.slice(0, 20), 404]);
});
