import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import type { TraceCarrier } from '../contract.ts';
import { catalogResources } from './catalog-resources.ts';
import type { McpServed } from './contract.ts';
import { modernClient, olderClient } from './fixtures/clients.ts';
import { fakeDatabase } from './fixtures/fake-database.ts';
import { givenWith, mcpEndpoint } from './mcp-endpoint.ts';
import { mcpFactory } from './mcp-factory.ts';
import { serveMcpStdio } from './serve-stdio.ts';
import { signedHandles } from './signed-handles.ts';
import { toolsOfCaller } from './tools-of-caller.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const other = traceparent.replace('0af7', 'ffff');

function listening() {
  const heard: TraceCarrier[] = [];
  const within = <T>(carrier: TraceCarrier, work: () => T): T => {
    heard.push(carrier);
    return work();
  };
  return { heard, within };
}

function serve() {
  const { heard, within } = listening();
  const { database, log } = fakeDatabase();
  const endpoint = mcpEndpoint({ factory: mcpFactory({ serve: givenWith<McpServed> }) });
  const handles = signedHandles({ key: new Uint8Array(32), clock: { now: () => 0 } });
  const tools = toolsOfCaller({ subject: 'ada', scopes: ['*'] }, { databases: { shop: database }, handles });
  const served: McpServed = { tools, handles, within, resources: catalogResources({ shop: database }) };
  return { heard, log, fetch: (request: Request) => endpoint.fetch(request, served, request.signal) };
}

const ask = (_meta: Readonly<Record<string, unknown>>, question = 'How many?') => ({
  name: 'ask',
  arguments: { question },
  _meta,
});

describe.each([
  ['2026-07-28', modernClient],
  ['2025-11-25', olderClient],
] as const)('3: the trace of a message over HTTP, a client of %s', (_, connect) => {
  it('is that of the call, and of a resource that is read', async () => {
    const { heard, fetch } = serve();
    const client = await connect(fetch);
    await client.callTool(ask({ traceparent, tracestate: 'a=1', baggage: 'b=2' }));
    const uri = 'askema://databases/shop/catalog';
    await client.readResource({ uri, _meta: { traceparent: other } });
    expect(heard).toEqual([{ traceparent, tracestate: 'a=1', baggage: 'b=2' }, { traceparent: other }]);
  });

  it('is not looked for where nothing is told, and no text that is none or endless comes through', async () => {
    const { heard, fetch } = serve();
    const client = await connect(fetch);
    const wrong = [{}, { traceparent: 7 }, { traceparent: null }, { traceparent: ['x'] }, { tracestate: 'a=1' }];
    for (const meta of [...wrong, { traceparent: 'x'.repeat(257) }]) {
      const result = await client.callTool(ask(meta));
      expect(result.structuredContent).toMatchObject({ type: 'answered' });
    }
    expect(heard).toEqual([]);
    await client.callTool(ask({ traceparent, tracestate: 'x'.repeat(513), baggage: { b: 2 } }));
    expect(heard).toEqual([{ traceparent }]);
  });
});

it('3: each message of a batch has its own trace', async () => {
  const { heard, fetch } = serve();
  const metas = [{ traceparent }, {}, { traceparent: other }];
  const body = metas.map((meta, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: ask(meta) }));
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await (await fetch(request)).text();
  expect(text.match(/"answered"/g)).toHaveLength(3);
  expect(heard).toEqual([{ traceparent }, { traceparent: other }]);
});

it('3: a call that is cancelled ends in its trace', async () => {
  const { heard, log, fetch } = serve();
  const client = await modernClient(fetch);
  const stop = new AbortController();
  const call = client.callTool(ask({ traceparent }, 'Slow'), { signal: stop.signal });
  await log.begun;
  stop.abort();
  await expect(call).rejects.toThrow();
  await log.stopped;
  expect(heard).toEqual([{ traceparent }]);
});

it('3: the trace of each message over stdio is that of its call', async () => {
  const { heard, within } = listening();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const gone = serveMcpStdio({ shop: fakeDatabase().database }, { stdin, stdout, within });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(overPipes(stdin, stdout));
  await client.callTool(ask({ traceparent }));
  await client.callTool(ask({ traceparent: 7 }));
  await client.callTool(ask({ traceparent: other }));
  expect(heard).toEqual([{ traceparent }, { traceparent: other }]);
  stdin.end();
  await gone;
});

function overPipes(stdin: PassThrough, stdout: PassThrough): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    async start() {
      stdout.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage())
          transport.onmessage?.(message);
      });
    },
    send: async (message) => void stdin.write(serializeMessage(message)),
    close: async () => void stdin.end(),
  };
  return transport;
}
