import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDialect } from '@askema/dialects';
import { afterAll, describe, expect, it } from 'vitest';
import { folderKnowledge } from '../knowledge/folder-knowledge.ts';
import { modernClient } from '../mcp/fixtures/clients.ts';
import { rpcOf } from '../testing/mcp-request.ts';
import { BOOKS, CONTRADICTORY, scriptedDesigner } from '../testing/scripted-designer.ts';
import { scriptedShop } from '../testing/scripted-shop.ts';
import { type SendInit, shopServer } from '../testing/shop-server.ts';
import { ROUTES } from './routes.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-two-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What belongs to somebody, by which it is asked for. */
interface Ids {
  readonly run: string;
  /** Of a question that was asked back. */
  readonly asked: string;
  readonly conversation: string;
  /** Of one that was asked back. */
  readonly design: string;
  /** An idempotency key that was used. */
  readonly key: string;
  /** What the client of an agent holds while something is asked back. */
  readonly handle: string;
}

type Sent = SendInit & { readonly query?: string };

const EVENTS = { accept: 'text/event-stream' };

/** What each route is tried with. A route that is not here fails the test: add what it takes ids by. */
const TRIED: Readonly<Record<string, (ids: Ids) => readonly Sent[]>> = {
  'POST /v1/ask': ({ key, run }) => [
    { body: { question: 'Who else?' }, headers: { 'idempotency-key': key } },
    { body: { question: 'Who lives in the north?' }, headers: { 'idempotency-key': run, 'last-event-id': run } },
    { body: { question: 'Who is there?' }, headers: { ...EVENTS, 'last-event-id': `${run}.1` } },
  ],
  'GET /v1/runs/:run': () => [{}, { headers: EVENTS }],
  'POST /v1/runs/:run/answer': () => [{ body: { answer: 1 } }, { body: { answer: '2' }, headers: EVENTS }],
  'POST /v1/runs/:run/resume': () => [{}, { headers: EVENTS }],
  'DELETE /v1/runs/:run': () => [{}],
  'POST /v1/conversations': ({ conversation }) => [{ body: { title: conversation } }],
  'GET /v1/conversations/:conversation': () => [{}],
  'POST /v1/conversations/:conversation/messages': () => [
    { body: { message: 'Who is there?' } },
    { body: { message: 'Who is there?' }, headers: EVENTS },
  ],
  'POST /v1/conversations/:conversation/answer': () => [{ body: { answer: 1 } }],
  'POST /v1/conversations/:conversation/edit': () => [{ body: { sql: 'SELECT name FROM users' } }],
  'POST /v1/conversations/:conversation/undo': () => [{}],
  'POST /v1/conversations/:conversation/branch': () => [{ body: { turn: 1 } }, { body: { turn: 0 } }],
  'POST /v1/sql': () => [{ body: { sql: 'SELECT name FROM users' } }, { body: { sql: 'SELECT nme FROM users' } }],
  'POST /v1/sql/check': () => [{ body: { sql: 'SELECT name FROM users' } }],
  'GET /v1/databases': () => [{}],
  'GET /v1/databases/:database/catalog': () => [{}],
  'GET /v1/databases/:database/search': () => [{ query: '?words=north' }, { query: '?detail=full' }],
  'GET /v1/databases/:database/values': () => [{ query: '?text=north' }, { query: '?text=canary' }],
  'GET /v1/databases/:database/knowledge': () => [{}],
  'POST /v1/databases/:database/knowledge/proposals': ({ run }) => [{ body: { run } }],
  'POST /v1/chart': ({ run, conversation }) => [
    { body: { run } },
    { body: { run }, headers: { accept: 'image/svg+xml' } },
    { body: { turn: { conversation, turn: 1 } } },
  ],
  'GET /v1/history': ({ run, conversation }) => [{}, { query: `?before=${run}` }, { query: `?before=${conversation}` }],
  'POST /v1/designs': ({ key }) => [{ body: { requirement: CONTRADICTORY }, headers: { 'idempotency-key': key } }],
  'GET /v1/designs/:design': () => [{}],
  'POST /v1/designs/:design/answer': () => [
    { body: { answers: ['One.'] } },
    { body: { answers: [null] }, headers: EVENTS },
  ],
  'POST /v1/designs/:design/resume': () => [{}],
  'DELETE /v1/designs/:design': () => [{}],
  'GET /v1/evaluations': () => [{}],
  'GET /v1/evaluations/:evaluation': () => [{}],
  'GET /v1/evaluations/:evaluation/items': () => [{}],
  'GET /health': () => [{}],
  'GET /metrics': () => [],
  'GET /openapi.json': () => [{}],
};

const OF_RUNS = /:run|chart|proposals/;

/** What each tool is tried with, and what each method that reads resources is. */
const TOOLS: Readonly<Record<string, (ids: Ids) => readonly object[]>> = {
  ask: ({ handle, run, asked }) => [
    ...[handle, run, asked].map((resume) => ({ arguments: { answers: { resume, choice: '1' } } })),
    {
      ...{ arguments: { question: 'which north?' }, requestState: handle },
      inputResponses: { answer: { action: 'accept', content: { choice: '1' } } },
    },
    { arguments: { question: 'which north?' }, requestState: handle, inputResponses: {} },
    { arguments: { question: 'Who is there?' } },
  ],
  search_catalog: () => [{ arguments: { words: 'north' } }, { arguments: { detail: 'full' } }],
  run_sql: () => [{ arguments: { sql: 'SELECT name FROM users' } }],
  check_sql: () => [{ arguments: { sql: 'SELECT name FROM users' } }],
  design_schema: () => [{ arguments: { requirement: BOOKS } }],
};

const MCP_KEY = new Uint8Array(32).fill(7);

/** A server whose knowledge is one folder for all tenants. */
function shop() {
  const knowledge = folderKnowledge({ folder: mkdtempSync(join(folder, 'knowledge-')), dialect: sqliteDialect });
  const { design } = scriptedDesigner();
  const served = shopServer({ shop: { ...scriptedShop(), knowledge }, design, mcp: { key: MCP_KEY } });
  const rpc = async (who: string, method: string, params: object = {}): Promise<string> => {
    const { headers, body } = rpcOf(method, params);
    return (await served.send(who, 'POST', '/mcp', { headers, body })).text();
  };
  return { ...served, rpc };
}
type Shop = ReturnType<typeof shop>;

/** Asks, is asked back, talks, proposes. */
async function work({ json, rpc }: Shop, who: string): Promise<Ids> {
  const key = `key of ${who}`;
  const answered = await json(
    who,
    'POST',
    '/v1/ask',
    { question: 'Who lives in the north?' },
    { headers: { 'idempotency-key': key } },
  );
  const asked = await json(who, 'POST', '/v1/ask', { question: 'which north?' });
  const { id } = await json(who, 'POST', '/v1/conversations', { title: 'north' });
  await json(who, 'POST', `/v1/conversations/${id}/messages`, { message: 'which of the north?' });
  await json(who, 'POST', '/v1/databases/shop/knowledge/proposals', { run: answered.runId });
  const design = await json(who, 'POST', '/v1/designs', { requirement: `${CONTRADICTORY} In the north.` });
  const reply = await rpc(who, 'tools/call', { name: 'ask', arguments: { question: 'which north?' } });
  const handle = /"requestState":"([^"]+)"/.exec(reply)?.[1] ?? '';
  expect(handle).not.toBe('');
  return { run: answered.runId, asked: asked.runId, conversation: id, design: design.runId, key, handle };
}

/** An answer without what no two have in common: ids and keys of fences that were made for it, times. */
function plainly(text: string): string {
  return text
    .replace(/"(elapsedMs|at|uptimeMs|until)":[\d.]+/g, '"$1":0')
    .replace(/eyJ[\w-]+\.[\w-]+/g, 'HANDLE')
    .replace(/\b[a-z0-9]{9}-[\w-]{16}/g, 'ID')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g, 'ID')
    .replace(/\b[0-9a-f]{16}\b/g, 'KEY')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'AT')
    .replace(/\d+(\.\d+)? ?ms\b/g, '0 ms');
}

async function answer(served: Shop, who: string, method: string, path: string, init: SendInit) {
  const response = await served.send(who, method, path, init);
  return { status: response.status, text: plainly(await response.text()) };
}

/** A server where `ann` of the tenant `north` has worked and works on, and one that she has never seen. */
async function twoServers(other: string) {
  const [shared, alone] = [shop(), shop()];
  const ids = await work(shared, 'ann');
  for (const served of [shared, alone]) await work(served, other);
  return { shared, alone, ids };
}

describe.each(['bob', 'eve'])('%s, who is not ann,', { timeout: 60_000 }, (other) => {
  it('gets at every route with her ids what nobody’s ids get', async () => {
    const routes = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(TRIED).sort()).toEqual(routes.sort());
    const { shared, alone, ids } = await twoServers(other);
    for (const [route, sent] of Object.entries(TRIED))
      for (const run of OF_RUNS.test(route) ? [ids.run, ids.asked, `${ids.asked}~2`] : [ids.run])
        for (const { query = '', ...init } of sent({ ...ids, run })) {
          const [method = '', pattern = ''] = route.split(' ');
          const path = pattern
            .replace(':run', run)
            .replace(':conversation', ids.conversation)
            .replace(':design', ids.design)
            .replace(':database', 'shop');
          const [told, right] = await Promise.all([
            answer(shared, other, method, path + query, init),
            answer(alone, other, method, path + query, init),
            answer(shared, 'ann', method, path + query, init),
          ]);
          expect([route, init, told]).toEqual([route, init, right]);
          if (/:run|:conversation|:design/.test(pattern)) expect([route, told.status]).toEqual([route, 404]);
        }
  });

  it('gets from every tool and resource with her handles what nobody’s handles get', async () => {
    const { shared, alone, ids } = await twoServers(other);
    const calls = Object.entries(TOOLS).flatMap(([name, tries]) =>
      tries(ids).map((params) => ['tools/call', { name, ...params }] as const),
    );
    const client = await modernClient((request) => shared.server.fetch(request), { token: other });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
    const reads = ['catalog', 'knowledge', ids.run].map(
      (what) => ['resources/read', { uri: `askema://databases/shop/${what}` }] as const,
    );
    for (const [method, params] of [...calls, ['resources/list', {}] as const, ...reads]) {
      const [told, right] = await Promise.all([
        shared.rpc(other, method, params),
        alone.rpc(other, method, params),
        shared.rpc('ann', method, params),
      ]);
      expect([method, params, plainly(told)]).toEqual([method, params, plainly(right)]);
    }
  });
});

it('nothing that one tenant gets names the other, at any route and at the same time', async () => {
  const served = shop();
  const ids = { ann: await work(served, 'ann'), bob: await work(served, 'bob') };
  const texts = await Promise.all(
    Object.entries(TRIED).flatMap(([route, sent]) =>
      (['ann', 'bob'] as const).flatMap((who) =>
        sent(ids[who]).map(async ({ query = '', ...init }) => {
          const [method = '', pattern = ''] = route.split(' ');
          const { run, conversation, design } = ids[who];
          const path = pattern
            .replace(':run', run)
            .replace(':conversation', conversation)
            .replace(':design', design)
            .replace(':database', 'shop');
          const response = await served.send(who, method, path + query, init);
          return { who, route, text: await response.text() };
        }),
      ),
    ),
  );
  const metrics = await (await served.send('bob', 'GET', '/metrics')).text();
  expect(metrics).not.toMatch(/north|south|canary|key of/);
  const named = { ann: 'south-canary', bob: 'north-canary' };
  for (const { who, route, text } of texts) expect([route, text.includes(named[who])]).toEqual([route, false]);
  for (const who of ['ann', 'bob'] as const)
    expect(texts.filter((one) => one.who !== who && one.text.includes(named[who])).length).toBeGreaterThan(5);
});

it('ids that look like paths, keys or prototypes are not found', async () => {
  const { send } = shop();
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
