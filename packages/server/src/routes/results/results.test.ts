import { journalInvalid, memoryJournal } from '@askema/core';
import { expect, it } from 'vitest';
import { scriptedShop } from '../../testing/scripted-shop.ts';
import { shopServer } from '../../testing/shop-server.ts';

it('a chart is chosen and drawn of a run', async () => {
  const rows = () => [
    ['Ann', 3],
    ['Bob', 5],
    ['<script>', 1],
  ];
  const { json, send } = shopServer({ shop: scriptedShop({ rows }) });
  const { runId: run } = await json('ann', 'POST', '/v1/ask', { question: 'How many for each?' });
  const chosen = await json('ann', 'POST', '/v1/chart', { run });
  expect(chosen).toMatchObject({ reason: expect.any(String), offered: expect.any(Array) });
  const spec = { kind: 'bar', x: [0], y: [1], sort: 'value', format: 'plain', title: 'How many' };
  const drawn = await send('ann', 'POST', '/v1/chart', { headers: { accept: 'image/svg+xml' }, body: { run, spec } });
  expect(drawn.headers.get('content-type')).toBe('image/svg+xml');
  const svg = await drawn.text();
  expect(svg).toContain('<svg');
  expect(svg).not.toContain('<script>');
  expect(await json('ann', 'POST', '/v1/chart', { run, spec: { ...spec, y: [7] } })).toMatchObject({ status: 400 });
  for (const locale of ['!!', ''])
    expect(await json('ann', 'POST', '/v1/chart', { run, spec, locale })).toMatchObject({ status: 400 });
  const { id: conversation } = await json('ann', 'POST', '/v1/conversations', {});
  await json('ann', 'POST', `/v1/conversations/${conversation}/messages`, { message: 'How many for each?' });
  const ofTurn = { turn: { conversation, turn: 1 } };
  expect(await json('ann', 'POST', '/v1/chart', ofTurn)).toMatchObject({ spec: chosen.spec });
  expect(await json('bob', 'POST', '/v1/chart', ofTurn)).toMatchObject({ error: { code: 'RUN_NOT_FOUND' } });
  expect(await json('ann', 'POST', '/v1/chart', { turn: { conversation, turn: 2 } })).toMatchObject({ status: 400 });
  expect(await json('ann', 'POST', '/v1/chart', {})).toMatchObject({ status: 400 });
  const { runId: asked } = await json('ann', 'POST', '/v1/ask', { question: 'nothing' });
  expect(await json('ann', 'POST', '/v1/chart', { run: asked })).toMatchObject({ error: { code: 'INPUT_INVALID' } });
});

it('history has pages, newest first', async () => {
  const { json } = shopServer();
  for (const question of ['one', 'two', 'nothing']) await json('ann', 'POST', '/v1/ask', { question });
  const first = await json('ann', 'GET', '/v1/history?limit=2');
  expect(first.entries).toHaveLength(2);
  const second = await json('ann', 'GET', `/v1/history?limit=2&before=${first.next}`);
  expect(second).not.toHaveProperty('next');
  const all = [...first.entries, ...second.entries];
  expect(all.map(({ text }) => text).sort()).toEqual(['nothing', 'one', 'two']);
  expect(all.find(({ text }) => text === 'nothing')).toMatchObject({ outcome: 'unanswerable' });
  expect(await json('eve', 'GET', '/v1/history')).toMatchObject({ entries: [] });
});

it('history passes over a record that cannot be read, and goes on behind it', async () => {
  const journal = memoryJournal();
  const { json } = shopServer({ journal });
  for (const question of ['one', 'two', 'three']) await json('ann', 'POST', '/v1/ask', { question });
  const [, { id: broken }] = (await json('ann', 'GET', '/v1/history')).entries;
  const read = async (runId: string) => {
    if (runId.endsWith(`.run.${broken}`)) throw journalInvalid(runId, 'is torn');
    return journal.read(runId);
  };
  const torn = shopServer({ journal: { ...journal, read } });
  const first = await torn.json('ann', 'GET', '/v1/history?limit=2');
  expect(first.entries).toMatchObject([{ text: 'three' }]);
  const second = await torn.json('ann', 'GET', `/v1/history?limit=2&before=${first.next}`);
  expect(second).toMatchObject({ entries: [{ text: 'one' }] });
});

it('metrics count requests and outcomes, and never name what was sent', async () => {
  const { json, send } = shopServer();
  await json('ann', 'POST', '/v1/ask', { question: 'canary-question' });
  await json('ann', 'GET', '/v1/runs/none');
  expect((await send('cat', 'GET', '/metrics')).status).toBe(403);
  const text = await (await send('ann', 'GET', '/metrics')).text();
  expect(text).toContain('askema_requests_total{route="POST /v1/ask",status="200"} 1\n');
  expect(text).toContain('askema_requests_total{route="GET /v1/runs/:run",status="404"} 1\n');
  expect(text).toContain('askema_outcomes_total{type="answered"} 1\n');
  expect(text).toContain('askema_request_duration_seconds_count{route="POST /v1/ask"} 1\n');
  expect(text).not.toContain('canary');
  for (const line of text.trim().split('\n')) expect(line).toMatch(/^(?:# .+|[a-z_]+(?:\{[^}]*\})? [\d.e+-]+)$/);
});
