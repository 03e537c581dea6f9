import { type Clock, countTokensRoughly } from '@askema/core';
import type { CallToolResult, Client as ModernClient } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import type { Caller } from '../contract.ts';
import { catalogResources } from './catalog-resources.ts';
import type { McpServed } from './contract.ts';
import { modernClient, olderClient } from './fixtures/clients.ts';
import { fakeDatabase, SECRET_SQL } from './fixtures/fake-database.ts';
import { givenWith, mcpEndpoint } from './mcp-endpoint.ts';
import { mcpFactory } from './mcp-factory.ts';
import { signedHandles } from './signed-handles.ts';
import { toolsOfCaller } from './tools-of-caller.ts';

const KEY = new Uint8Array(32).fill(7);
const ADA: Caller = { subject: 'ada', scopes: ['*'] };

function serve(caller: Caller = ADA, names: readonly string[] = ['shop']) {
  const { database, log } = fakeDatabase();
  const clock: Clock & { at: number } = { at: 1_000, now: () => clock.at };
  const endpoint = mcpEndpoint({ factory: mcpFactory({ serve: givenWith<McpServed> }) });
  const fetchAs = (request: Request, who: Caller): Promise<Response> => {
    const handles = signedHandles({ key: KEY, owner: who, clock });
    const databases = Object.fromEntries(names.map((name) => [name, database]));
    const tools = toolsOfCaller(who, { databases, handles });
    const resources = catalogResources(databases, { shop: () => 'revenue: paid orders' });
    return endpoint.fetch(request, { tools, handles, resources } satisfies McpServed, request.signal);
  };
  return { fetchAs, log, clock, fetch: (request: Request) => fetchAs(request, caller) };
}

type Served = ReturnType<typeof serve>;
const NO_FORMS = {};
const FORMS = { capabilities: { elicitation: { form: {} } } };

/** A client of 2026-07-28 whose person answers so. */
async function asking(served: Served, answer: object) {
  const client = await modernClient(served.fetch, FORMS);
  const shown: unknown[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    shown.push(params);
    return answer as { action: 'decline' };
  });
  return { client, shown };
}

/** The older client takes a schema of the result in between. */
function withProgress(
  client: ModernClient | OlderClient,
  options: { onprogress: (progress: { message?: string | undefined }) => void },
): Promise<unknown> {
  const call = { name: 'ask', arguments: { question: 'How many?' } };
  return client instanceof OlderClient ? client.callTool(call, undefined, options) : client.callTool(call, options);
}

const structured = (result: unknown) => (result as CallToolResult).structuredContent as Record<string, unknown>;
const which = { name: 'ask', arguments: { question: 'Which?' } };

describe.each([
  ['2026-07-28', modernClient],
  ['2025-11-25', olderClient],
] as const)('test 3: MCP over HTTP, a client of %s', (_, connect) => {
  it('lists five tools at most, in order, each marked as reading', async () => {
    const served = serve();
    const client = await connect(served.fetch);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['ask', 'search_catalog', 'run_sql', 'check_sql']);
    for (const { annotations, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect(outputSchema).toMatchObject({ type: 'object' });
    }
    expect(client.getServerVersion()).toMatchObject({ name: 'askema', version: manifest.version });
  });

  it('test 11: gives exact numbers, with progress on the way', async () => {
    const client = await connect(serve().fetch);
    const messages: unknown[] = [];
    const onprogress = (progress: { message?: string | undefined }) => messages.push(progress.message);
    const result = await withProgress(client, { onprogress });
    expect(JSON.stringify(structured(result).result)).toMatch(/9007199254740993.*12345678901234567890\.10/);
    expect(messages).toEqual(['write sql', '1 model call']);
  });

  it('tells wrong arguments in a reply', async () => {
    const client = await connect(serve().fetch);
    const result = await client.callTool({ name: 'ask', arguments: { question: 7 } });
    expect(result.isError).toBe(true);
    expect(structured(result)).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  });

  it('reads catalogs and definitions', async () => {
    const client = await connect(serve().fetch);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'askema://databases/shop/catalog',
      'askema://databases/shop/knowledge',
    ]);
    const [catalog, knowledge] = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })));
    expect(catalog?.contents).toMatchObject([{ text: expect.stringContaining('customers') }]);
    expect(knowledge?.contents).toMatchObject([{ text: 'revenue: paid orders' }]);
    await expect(client.readResource({ uri: 'askema://databases/other/catalog' })).rejects.toThrow(/not found/i);
  });
});

describe('MCP, a question that is asked back', () => {
  it('test 4: is shown to the person, and their answer is what the run goes on with', async () => {
    const served = serve();
    const { client, shown } = await asking(served, { action: 'accept', content: { choice: '1' } });
    const result = await client.callTool(which);
    expect(structured(result)).toMatchObject({ type: 'answered', runId: 'r1~2' });
    expect(served.log.answers).toEqual([['r1', '1']]);
    expect(shown).toMatchObject([
      {
        message: 'Which city is meant?',
        requestedSchema: {
          properties: { choice: { oneOf: [{ const: '1', title: 'city of table 1' }, { const: '2' }] } },
        },
      },
    ]);
  });

  it('test 5: is an ordinary reply where the client has no forms, and the next call answers it', async () => {
    for (const connect of [modernClient, olderClient]) {
      const served = serve();
      const client = await connect(served.fetch, NO_FORMS);
      const asked = structured(await client.callTool(which));
      expect(asked).toMatchObject({ type: 'needsClarification', choices: [{ id: '1' }, { id: '2' }] });
      const answers = { resume: asked.resume, choice: '1' };
      const next = await client.callTool({ name: 'ask', arguments: { answers } });
      expect(structured(next)).toMatchObject({ type: 'answered', runId: 'r1~2' });
    }
  });

  it('test 6: stays open when the person declines or cancels', async () => {
    for (const action of ['decline', 'cancel']) {
      const { client } = await asking(serve(), { action });
      const result = structured(await client.callTool(which));
      expect(result).toMatchObject({
        type: 'needsClarification',
        ask: 'Which city is meant?',
        resume: expect.any(String),
      });
    }
  });

  it('asks the person again when their answer leaves something open', async () => {
    const served = serve();
    const client = await modernClient(served.fetch, FORMS);
    const choices = ['2', '1'];
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept' as const,
      content: { choice: choices.shift() ?? '' },
    }));
    expect(structured(await client.callTool(which))).toMatchObject({ type: 'answered', runId: 'r1~2~2' });
    expect(served.log.answers).toEqual([
      ['r1', '2'],
      ['r1~2', '1'],
    ]);
  });
});

describe('MCP, what goes through the client', () => {
  /** The first round by hand: what a client holds between the rounds. */
  async function stateOf(served: Served): Promise<{ readonly state: string; readonly body: string }> {
    const response = await served.fetch(round({}));
    const body = await response.text();
    const state = /"requestState":"([^"]+)"/.exec(body)?.[1] ?? '';
    return { state, body };
  }

  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };

  function round(more: object): Request {
    const params = { ...which, ...more, _meta: META };
    return new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'ask',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
  }

  const inputResponses = { answer: { action: 'accept', content: { choice: '1' } } };
  const REFUSED = { error: { code: -32602, data: { reason: 'invalid_request_state' } } };

  it('test 7: is an id with a signature: no SQL, no rows, no question', async () => {
    const { state, body } = await stateOf(serve());
    const held = JSON.parse(Buffer.from(state.split('.')[0] ?? '', 'base64url').toString());
    expect(Object.keys(held)).toEqual(['run', 'database', 'until']);
    expect(body).not.toContain(SECRET_SQL);
  });

  it('test 7: is refused when it was changed, has expired, or was given to somebody else', async () => {
    const served = serve();
    const { state } = await stateOf(served);
    const answer = async (requestState: string, caller: Caller = ADA) =>
      (await served.fetchAs(round({ inputResponses, requestState }), caller)).json();
    const [body = '', signature = ''] = state.split('.');
    const forged = Buffer.from(body, 'base64url').toString().replace('r1', 'r2');
    for (const changed of [
      `${Buffer.from(forged).toString('base64url')}.${signature}`,
      `${body}.${signature.slice(1)}`,
      `${body}.`,
      'x',
    ])
      expect(await answer(changed)).toMatchObject(REFUSED);
    for (const other of [{ subject: 'bob' }, { tenant: 'ada' }, { role: 'ada' }])
      expect(await answer(state, { ...ADA, ...other })).toMatchObject(REFUSED);
    expect(served.log.answers).toEqual([]);
    expect(await answer(state)).toMatchObject({ result: { structuredContent: { type: 'answered' } } });
    served.clock.at += 1_800_000;
    expect(await answer(state)).toMatchObject(REFUSED);
  });

  it('without an answer, asks again', async () => {
    const served = serve();
    const { state } = await stateOf(served);
    const again = await (await served.fetch(round({ inputResponses: {}, requestState: state }))).json();
    expect(again).toMatchObject({ result: { resultType: 'input_required', requestState: state } });
  });
});

describe('MCP, cancelling', () => {
  it.each([
    ['2026-07-28', modernClient],
    ['2025-11-25', olderClient],
  ] as const)('test 8: a client of %s that leaves stops the question', async (_, connect) => {
    const served = serve();
    const leaving = new AbortController();
    const client = await connect((request) => served.fetch(withSignal(request, leaving.signal)));
    // What a client hears of a call that it left is its own affair.
    client.callTool({ name: 'ask', arguments: { question: 'Slow' } }).catch(() => undefined);
    await served.log.begun;
    leaving.abort();
    await served.log.stopped;
  });
});

function withSignal(request: Request, signal: AbortSignal): Request {
  return new Request(request, { signal });
}

describe('MCP, the list of tools', () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const list = async (served: Served, caller = ADA): Promise<string> =>
    (await served.fetchAs(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }), caller)).text();

  it('test 10: has the same bytes each time, and at most 900 tokens for one database', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `warehouse_${index}`);
    for (const names of [['shop'], many]) {
      const served = serve(ADA, names);
      const first = await list(served);
      expect(await list(served)).toBe(first);
      if (names.length === 1) expect(countTokensRoughly(first)).toBeLessThanOrEqual(900);
    }
  });

  it('test 12: has what the scopes allow, on the databases they allow', async () => {
    const served = serve(ADA, ['shop', 'people']);
    const listed = async (scopes: readonly string[]) => {
      const { tools } = JSON.parse(
        /\{"result".*\}|\{.*"result".*\}/.exec(await list(served, { subject: 'a', scopes }))?.[0] ?? '{}',
      ).result;
      return (tools as { name: string; inputSchema: { properties: { database?: unknown } } }[]).map(
        ({ name, inputSchema }) => `${name} ${JSON.stringify(inputSchema.properties.database) ?? ''}`,
      );
    };
    expect(await listed(['catalog'])).toEqual([expect.stringMatching(/^search_catalog .*shop.*people/)]);
    expect(await listed(['sql@people', 'ask@shop'])).toEqual(['ask ', 'run_sql ', 'check_sql ']);
    expect(await listed(['history'])).toEqual([]);
  });
});
