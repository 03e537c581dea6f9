import { describe, expect, it } from 'vitest';
import type { AuditEntry, AuditOutcome } from '../contract.ts';
import { shopServer } from '../testing/shop-server.ts';
import { ROUTES } from './routes.ts';

const filled = (path: string): string => path.replace(':database', 'shop').replace(/:\w+/g, 'none');
const CLOSED = ROUTES.filter(({ scope }) => scope !== 'none');
const WITH_BODY = ROUTES.filter(({ body }) => body !== undefined);

it('5: no route but health and the description answers who is not known', async () => {
  const { send } = shopServer();
  expect(ROUTES.filter(({ scope }) => scope === 'none').map(({ path }) => path)).toEqual(['/health', '/openapi.json']);
  for (const { method, path } of CLOSED) {
    const response = await send('nobody', method, filled(path));
    expect([path, response.status, await response.json()]).toMatchObject([
      path,
      401,
      { error: { code: 'CALLER_UNKNOWN' } },
    ]);
  }
});

it('6: every route needs its scope', async () => {
  const { send, shop } = shopServer();
  for (const { method, path, scope } of CLOSED.filter((route) => route.scope !== 'catalog')) {
    const response = await send('cat', method, filled(path), method === 'POST' ? { body: {} } : {});
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([path, response.status, error.code]).toEqual([path, 403, 'CALLER_REFUSED']);
    expect(error.message).toContain(`\`${scope}\``);
  }
  expect(shop.sent).toHaveLength(0);
});

it('7: questions above the limit are told to wait; one that is only read again does not count', async () => {
  const { json, send } = shopServer({ limits: { questionsPerMinute: 2 } });
  const keyed = { headers: { 'idempotency-key': 'k' } };
  const first = await json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed);
  for (let time = 0; time < 3; time += 1) {
    expect(await json('ann', 'POST', '/v1/ask', { question: 'Who?' }, keyed)).toMatchObject({ runId: first.runId });
    expect(await json('ann', 'GET', `/v1/runs/${first.runId}`)).toMatchObject({ status: 'ended' });
  }
  expect(await json('ann', 'POST', '/v1/ask', { question: 'What?' })).toMatchObject({ type: 'answered' });
  const refused = await send('ann', 'POST', '/v1/ask', {
    body: { question: 'Why?' },
    headers: { accept: 'text/event-stream' },
  });
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await refused.json()).toMatchObject({
    error: { code: 'LIMIT_EXCEEDED', details: { limit: 'questionsPerMinute' } },
  });
  expect((await json('ann', 'GET', '/v1/history')).entries).toHaveLength(2);
  expect(await json('bob', 'POST', '/v1/ask', { question: 'Why?' })).toMatchObject({ type: 'answered' });
});

describe('8: what is wrong with a body', () => {
  it.each(WITH_BODY.map(({ method, path }) => [method, path]))('%s %s says', async (method, path) => {
    const { send, server } = shopServer({ maxBodyBytes: 1_000 });
    const shown = async (response: Response) => [
      response.status,
      ((await response.json()) as { error?: { code: string } }).error?.code,
    ];
    const large = await shown(await send('ann', method, filled(path), { body: { text: 'a'.repeat(1_000) } }));
    // Whoever has no such run is told so first.
    expect([
      [413, 'REQUEST_TOO_LARGE'],
      [404, 'RUN_NOT_FOUND'],
    ]).toContainEqual(large);
    const headers = { authorization: 'Bearer ann', 'content-type': 'text/plain' };
    const plain = await server.fetch(new Request(`http://localhost${filled(path)}`, { method, headers, body: '{}' }));
    expect([
      [400, 'INPUT_INVALID'],
      [404, 'RUN_NOT_FOUND'],
    ]).toContainEqual(await shown(plain));
  });
});

it('9: a question leaves a line before and after its statement, without rows and without its words', async () => {
  const lines: (AuditEntry | AuditOutcome)[] = [];
  const audit = {
    async before(entry: AuditEntry) {
      lines.push(entry);
      return 'id';
    },
    async after(_id: string, outcome: AuditOutcome) {
      lines.push(outcome);
    },
  };
  const { json } = shopServer({ audit });
  await json('ann', 'POST', '/v1/ask', { question: 'Who is the secret-person?' });
  await json('ann', 'POST', '/v1/sql', { sql: "SELECT name FROM users WHERE name = 'secret-person'" });
  // Before the first question, its columns are looked at.
  const statements = lines.filter(
    (line) => 'kind' in line && line.kind === 'statement' && !line.sql?.includes('sampled'),
  );
  expect(statements).toMatchObject([
    {
      subject: 'ann',
      tenant: 'north',
      database: 'shop',
      route: 'POST /v1/ask',
      question: expect.stringMatching(/^sha256:/),
    },
    { subject: 'ann', route: 'POST /v1/sql', sql: expect.stringContaining('?') },
  ]);
  expect(lines.filter((line) => 'outcome' in line && line.rows === 1)).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toMatch(/canary|secret-person/);
});
