import { memoryJournal } from '@askema/core';
import { expect, it } from 'vitest';
import type { Caller, ServerOptions } from '../contract.ts';
import { createServer } from '../server.ts';
import { scriptedShop } from '../testing/scripted-shop.ts';
import { subjectKeys } from '../testing/subject-keys.ts';
import { modernClient, olderClient } from './fixtures/clients.ts';

const CALLERS: readonly Caller[] = [
  { subject: 'ann', tenant: 'north', scopes: ['*@sales', '*@hr'] },
  { subject: 'bob', tenant: 'north', scopes: ['*'] },
];
const KEY = new Uint8Array(32).fill(7);
const FORMS = { elicitation: { form: {} } };

/** Three databases; ann may not know of `secret`. */
function three(options: Partial<ServerOptions> = {}) {
  const reads = (message: string): string => (/people/.test(message) ? 'hr' : 'secret');
  const shop = (title: string) => scriptedShop({ title, reads });
  const [sales, hr, secret] = [shop('What is sold'), shop('Who works here'), shop('Mergers')];
  const auth = subjectKeys(CALLERS);
  const server = createServer({ databases: { sales, hr, secret }, auth, mcp: { key: KEY }, ...options });
  const client = (token: string, capabilities = {}) =>
    modernClient((request) => server.fetch(request), { token, capabilities });
  return { sales, hr, secret, server, client };
}

const ask = (given: object) => ({ name: 'ask', arguments: { ...given } });
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Reply = any;

it('`ask` finds its database among those of the caller, and counts once', async () => {
  const { client, hr, secret } = three({ limits: { questionsPerMinute: 2 } });
  const ann = await client('ann');
  const [first] = (await ann.listTools()).tools;
  expect(first?.inputSchema).toMatchObject({ properties: { database: { description: 'One of: sales, hr' } } });
  const { structuredContent: named } = (await ann.callTool(ask({ question: 'Who is in HR?' }))) as Reply;
  expect(named).toMatchObject({ type: 'answered', calls: 1 });
  await ann.callTool(ask({ question: 'How many people?' }));
  expect(hr.questions).toEqual(['Who is in HR?', 'How many people?']);
  const limited = await ann.callTool(ask({ question: 'What is the price?' }));
  expect(JSON.stringify(limited)).toContain('LIMIT_EXCEEDED');
  expect(secret.questions).toHaveLength(0);
});

it('asks back with the databases of the caller alone; the answer survives a restart, and holds for them alone', async () => {
  const journal = memoryJournal();
  const { client } = three({ journal });
  const { structuredContent: asked } = (await (await client('ann')).callTool(ask({ question: 'which day?' }))) as Reply;
  expect(asked).toMatchObject({
    ...{ type: 'needsClarification', question: 'which day?' },
    choices: [{ id: 'sales' }, { id: 'hr' }],
  });
  expect(JSON.stringify(asked)).not.toMatch(/secret|Mergers/);
  const [body = ''] = asked.resume.split('.');
  expect(Object.keys(JSON.parse(Buffer.from(body, 'base64url').toString()))).toEqual(['run', 'until']);

  const again = three({ journal });
  const answers = { resume: asked.resume, choice: 'hr' };
  const { structuredContent: other } = (await (await again.client('bob')).callTool(ask({ answers }))) as Reply;
  expect(other).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  const ann = await again.client('ann');
  const wrong = (await ann.callTool(ask({ answers: { ...answers, choice: 'secret' } }))) as Reply;
  expect(wrong.structuredContent).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  const { structuredContent: day } = (await ann.callTool(ask({ answers }))) as Reply;
  expect(day).toMatchObject({
    type: 'needsClarification',
    question: 'which day?',
    choices: [{ id: '1' }, { id: '2' }],
  });
  const { structuredContent: last } = (await ann.callTool(
    ask({ answers: { resume: day.resume, choice: '1' } }),
  )) as Reply;
  expect(last).toMatchObject({ type: 'answered', sql: 'SELECT id FROM users' });
  expect([again.hr.questions.length, again.secret.questions.length]).toEqual([1, 0]);
});

it('shows the databases in a form where the client has forms', async () => {
  const { client, sales, server } = three();
  const ann = await client('ann', FORMS);
  const shown: unknown[] = [];
  ann.setRequestHandler('elicitation/create', async ({ params }) => {
    shown.push(params);
    return { action: 'accept', content: { choice: 'sales' } };
  });
  const { structuredContent } = (await ann.callTool(ask({ question: 'How many?' }))) as Reply;
  expect(structuredContent).toMatchObject({ type: 'answered', question: 'How many?' });
  expect(JSON.stringify(shown)).toContain('sales: What is sold');
  expect(sales.questions).toEqual(['How many?', 'How many?']);
  const older = await olderClient((request) => server.fetch(request), { token: 'ann' });
  const { structuredContent: plain } = (await older.callTool(ask({ question: 'How many?' }))) as Reply;
  expect(plain).toMatchObject({ type: 'needsClarification', resume: expect.any(String) });
});

it('a question that waits is a run of the caller, whom a route can answer', async () => {
  const { client, server } = three();
  const { structuredContent: asked } = (await (await client('ann')).callTool(ask({ question: 'How many?' }))) as Reply;
  const send = (who: string) =>
    server.fetch(
      new Request(`http://127.0.0.1/v1/runs/${asked.runId}/answer`, {
        ...{ method: 'POST', body: JSON.stringify({ answer: 'hr' }) },
        headers: { authorization: `Bearer ${who}`, 'content-type': 'application/json' },
      }),
    );
  expect((await send('bob')).status).toBe(404);
  expect(await (await send('ann')).json()).toMatchObject({ type: 'answered', runId: `${asked.runId}~2` });
});
