import { anyoneOnLoopback, createServer } from '@askema/server';
import { plain } from '@askema/text2sql';
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { obligingModel, shop } from '../test-support/shop.ts';
import { type Telemetry, telemetry } from '../test-support/telemetry.ts';
import { continueTrace, withinTrace } from './continue-trace.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;

function serve({ tracing }: Telemetry) {
  const { fetch } = createServer({
    auth: anyoneOnLoopback(),
    mcp: { within: tracing.within },
    databases: {
      shop: {
        title: 'A shop',
        open: () => ({
          adapter: tracing.adapter(shop()),
          text2sql: {
            model: tracing.model(obligingModel()),
            onEvent: tracing.onEvent,
            flow: plain(),
            linkValues: false,
          },
        }),
      },
    },
  });
  return tracing.handler((request: Request) => fetch(request, { remoteAddress: '127.0.0.1' }));
}

function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Request {
  const text = JSON.stringify(body);
  const sent = { 'content-type': 'application/json', 'content-length': String(text.length), ...headers };
  return new Request(`http://127.0.0.1${path}`, { method: 'POST', body: text, headers: sent });
}

/** Of the run, its model call and its last statement. */
const traceIds = ({ spans }: Telemetry) =>
  ['run plain', 'chat gpt-test', 'SELECT customer'].map(
    (wanted) =>
      spans()
        .findLast(({ name }) => name === wanted)
        ?.spanContext().traceId,
  );

describe('3: the trace of a request', () => {
  it('by the header of HTTP is that of its run', async () => {
    using sdk = telemetry();
    const answer = await serve(sdk)(
      post('/v1/ask', { database: 'shop', question: 'Who?' }, { traceparent: TRACEPARENT }),
    );
    expect(answer.status).toBe(200);
    await answer.text();
    expect(traceIds(sdk)).toEqual([TRACE, TRACE, TRACE]);
  });

  it('by `_meta` of MCP is that of its run', async () => {
    using sdk = telemetry();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      traceparent: TRACEPARENT,
    };
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'ask',
    };
    const params = { name: 'ask', arguments: { question: 'Who?' }, _meta };
    const answer = await serve(sdk)(post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers));
    expect(await answer.text()).toContain('answered');
    expect(traceIds(sdk)).toEqual([TRACE, TRACE, TRACE]);
  });

  it('is not looked for where there is none, or where an instrumentation has been', async () => {
    using _sdk = telemetry();
    const handle = continueTrace(async (request: Request) =>
      Response.json({ trace: trace.getActiveSpan()?.spanContext().traceId ?? null, body: await request.text() }),
    );
    const told = async (request: Request) => (await handle(request)).json();
    const message = { jsonrpc: '2.0', params: { _meta: { traceparent: TRACEPARENT } } };
    expect(await told(post('/mcp', message))).toEqual({ trace: null, body: JSON.stringify(message) });
    expect(await told(post('/', {}, { traceparent: 'nothing of the kind' }))).toEqual({ trace: null, body: '{}' });
    const other = { traceId: TRACE.replaceAll('a', 'b'), spanId: 'b7ad6b7169203331', traceFlags: 1 };
    const request = post('/', {}, { traceparent: TRACEPARENT });
    expect(await context.with(trace.setSpanContext(ROOT_CONTEXT, other), () => told(request))).toMatchObject({
      trace: other.traceId,
    });
  });

  it('by a message goes before what is active, unless that is of the same trace', () => {
    using _sdk = telemetry();
    const seen = (traceparent: string) => withinTrace({ traceparent }, () => trace.getActiveSpan()?.spanContext());
    expect(seen(TRACEPARENT)).toMatchObject({ traceId: TRACE, spanId: 'b7ad6b7169203331', isRemote: true });
    for (const hostile of [...HOSTILE, TRACEPARENT.replace(TRACE, '0'.repeat(32))])
      expect(seen(hostile)).toBeUndefined();
    const spanId = '1111111111111111';
    const within = (traceId: string, traceparent: string) =>
      context.with(trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1 }), () => seen(traceparent));
    expect(within(TRACE, TRACEPARENT)).toMatchObject({ traceId: TRACE, spanId });
    expect(within('f'.repeat(32), TRACEPARENT)).toMatchObject({ traceId: TRACE });
    for (const hostile of HOSTILE) expect(within('f'.repeat(32), hostile)).toMatchObject({ spanId });
  });
});

const HOSTILE = ['', 'x', `${TRACEPARENT}'*/`, TRACEPARENT.slice(1), TRACEPARENT.toUpperCase()];
