import { expect, it } from 'vitest';
import type { ServerOptions } from '../contract.ts';
import { createServer } from '../server.ts';
import { fakeDatabase } from '../testing/fake-database.ts';
import { BOOKS, CONTRADICTORY, scriptedDesigner } from '../testing/scripted-designer.ts';
import { subjectKeys } from '../testing/subject-keys.ts';
import { modernClient } from './fixtures/clients.ts';

function designing(options: Partial<ServerOptions> = {}) {
  const designer = scriptedDesigner();
  const auth = subjectKeys([
    { subject: 'ann', scopes: ['design', 'history'] },
    { subject: 'sql', scopes: ['sql'] },
  ]);
  const databases = { shop: fakeDatabase(), people: fakeDatabase() };
  const server = createServer({ databases, auth, design: designer.design, ...options });
  const client = (token: string) => modernClient((request) => server.fetch(request), { token });
  const history = async () => {
    const headers = { authorization: 'Bearer ann' };
    const response = await server.fetch(new Request('http://127.0.0.1/v1/history', { headers }));
    return ((await response.json()) as { readonly entries: readonly object[] }).entries;
  };
  return { ...designer, client, history };
}

it('`design_schema` is there with the scope, and only where the server designs', async () => {
  const names = async (options: Partial<ServerOptions>, token: string) => {
    const { tools } = await (await designing(options).client(token)).listTools();
    return tools.map(({ name }) => name);
  };
  expect(await names({}, 'ann')).toEqual(['design_schema']);
  expect(await names({}, 'sql')).toEqual(['run_sql', 'check_sql']);
  expect(await names({ design: undefined }, 'ann')).toEqual([]);
});

it('designs, states what it assumes, tells its steps, and stands in the history', async () => {
  const { client, history } = designing();
  const ann = await client('ann');
  const steps: unknown[] = [];
  const reply = await ann.callTool(
    { name: 'design_schema', arguments: { requirement: CONTRADICTORY } },
    { onprogress: ({ message }) => steps.push(message) },
  );
  expect(reply.structuredContent).toMatchObject({ type: 'designed', ddl: expect.stringContaining('CREATE TABLE') });
  expect(JSON.stringify(reply.structuredContent)).toContain('Several.');
  expect(steps).toEqual(expect.arrayContaining(['product manager', 'logical designer']));
  expect(await history()).toMatchObject([{ kind: 'design', text: CONTRADICTORY, outcome: 'designed' }]);
  const wrong = await ann.callTool({ name: 'design_schema', arguments: { requirement: ' ' } });
  expect(wrong.structuredContent).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  expect(await history()).toHaveLength(1);
});

it('counts as a question, and stops when the client cancels', async () => {
  const { client, standing, history } = designing({ limits: { questionsPerMinute: 1 } });
  const ann = await client('ann');
  const leaving = new AbortController();
  const call = ann.callTool(
    { name: 'design_schema', arguments: { requirement: `${BOOKS} slow` } },
    { signal: leaving.signal },
  );
  await standing();
  leaving.abort();
  await expect(call).rejects.toThrow();
  const limited = await ann.callTool({ name: 'design_schema', arguments: { requirement: BOOKS } });
  expect(limited.structuredContent).toMatchObject({ error: { code: 'LIMIT_EXCEEDED' } });
  const [broken] = await history();
  expect(broken).not.toHaveProperty('outcome');
});
