import { once } from 'node:events';
import { tracing } from '@askema/otel';
import { loopbackEmbeddingServer } from '@askema/testkit';
import { context, propagation, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackCollector, loopbackCollector } from '../testing/loopback-collector.ts';
import { startAskema } from '../testing/run-askema.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import type { TemporaryProject } from '../testing/temporary-project.ts';
import { tracingConfig, tracingProject } from '../testing/tracing-project.ts';
import type { AskemaConfig } from './askema-config.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
const SQL = 'SELECT name FROM customer ORDER BY id';
const QUESTION = 'Which name is there?';

let project: TemporaryProject;
beforeAll(() => {
  project = tracingProject();
  project.write('askema.config.ts', tracingConfig([SQL, SQL], 'server: { design: true },'));
});
afterAll(() => {
  project.remove();
  // The configuration sets them for the process, which others share.
  for (const api of [context, propagation, trace]) api.disable();
});

const environment = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  XDG_STATE_HOME: project.path('state'),
});
const started = (parameters: readonly string[], { url }: LoopbackCollector) =>
  startAskema(parameters, { cwd: project.folder, env: environment(url), stdinStaysOpen: true });

/** Names of a whole trace, each with that of its parent. */
function pairs({ spans }: LoopbackCollector): readonly string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans.map(({ name, parentSpanId = '' }) => `${names.get(parentSpanId) ?? parentSpanId} > ${name}`);
}

/** One question, from the run to its model call and statement. */
const ASKED = [
  'step generate-sql > chat scripted',
  'step execute-sql > SELECT customer',
  'run plain > step generate-sql',
  'run plain > step execute-sql',
];

const toolCall = (id: number, question: string) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'ask', arguments: { question }, _meta: { ...ENVELOPE, traceparent } },
});
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('`tracing` of the configuration', { timeout: 60_000 }, () => {
  it('takes what `tracing()` of @askema/otel gives', () => {
    const config: AskemaConfig = { tracing: { ...tracing(), close: async () => undefined } };
    expect(config.tracing?.within({ traceparent }, () => 7)).toBe(7);
  });

  it.each([
    ['ask', [QUESTION], ''],
    ['chat', [], `${QUESTION}\n`],
  ])('askema %s: one trace is sent before the command ends', async (command, words, typed) => {
    await using collector = await loopbackCollector();
    const { child, finished } = started([command, 'shop.sqlite', ...words, '--flow', 'plain'], collector);
    child.stdin?.end(typed);
    const { code, stdout } = await finished;
    expect([code, stdout]).toEqual([0, expect.stringContaining('Ada')]);
    expect(pairs(collector)).toEqual(expect.arrayContaining([...ASKED, ' > run plain']));
    expect(new Set(collector.spans.filter(({ parentSpanId }) => parentSpanId).map(({ traceId }) => traceId)).size).toBe(
      1,
    );
  });

  it('askema ask: where spans cannot be sent, the answer is there all the same', async () => {
    const failing = "Promise.reject(new Error('no collector'))";
    const config = project.write('failing.ts', tracingConfig([SQL]).replace('provider.shutdown()', failing));
    const parameters = ['ask', 'shop.sqlite', QUESTION, '--flow', 'plain', '--config', config];
    const { code, stdout, stderr } = await runInProcess(parameters, { cwd: project.folder });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Ada')]);
    expect(stderr).toContain('`tracing.close` of the configuration failed: no collector');
  });

  it('askema index, and lint with the index: embeddings are spans, each try one', async () => {
    await using collector = await loopbackCollector();
    await using server = await loopbackEmbeddingServer((text) => [text.length, 1]);
    const env = { ...environment(collector.url), OLLAMA_HOST: server.origin };
    const run = (...parameters: readonly string[]) => startAskema(parameters, { cwd: project.folder, env }).finished;
    const names = () => pairs(collector).filter((pair) => pair.includes('embeddings'));
    server.reply({ kind: 'failure', failure: 'overloaded' });
    const index = await run('index', 'shop.sqlite', '--embeddings', 'ollama:toy', '--out', 'shop.values');
    const tries = server.requests.map(() => ' > embeddings toy');
    expect([index.code, names()]).toEqual([0, tries]);
    expect(collector.spans.filter(({ status }) => status?.code === 2)).toHaveLength(1);
    const mistaken = "SELECT name FROM customer WHERE city = 'the town on the Thames'";
    await run('lint', 'shop.sqlite', mistaken, '--value-index', 'shop.values');
    expect(names()).toEqual([...tries, ' > embeddings toy']);
  });

  it('askema serve: the trace of a request, by header or by MCP, is that of its run', async () => {
    await using collector = await loopbackCollector();
    const { child, finished } = started(['serve', 'shop.sqlite', '--port', '0', '--flow', 'plain'], collector);
    let told = '';
    const origin = await new Promise<string>((found) =>
      child.stderr?.on('data', (text: string) => {
        told += text;
        const [, address] = /^Listening at +(http:\S+)$/m.exec(told) ?? [];
        if (address !== undefined && /^MCP/m.test(told)) found(address);
      }),
    );
    const post = async (path: string, body: object, headers: Readonly<Record<string, string>>) => {
      const sent = { 'content-type': 'application/json', ...headers };
      return (await fetch(`${origin}${path}`, { method: 'POST', headers: sent, body: JSON.stringify(body) })).text();
    };
    const ask = { database: 'shop', question: QUESTION };
    expect(await post('/v1/ask', ask, { traceparent })).toContain('Ada');
    const mcp = {
      accept: 'application/json, text/event-stream',
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'ask' },
    };
    expect(await post('/mcp', toolCall(1, QUESTION), mcp)).toContain('Ada');
    // No such answer is a design: its run fails, and is told.
    expect(await post('/v1/designs', { requirement: 'Books have a title.' }, { traceparent })).toContain('failed');
    child.kill('SIGTERM');
    expect(await finished).toMatchObject({ code: 0 });
    const runs = collector.spans.filter(({ name }) => name === 'run plain');
    expect(runs).toMatchObject([1, 2].map(() => ({ traceId: TRACE, parentSpanId: 'b7ad6b7169203331' })));
    expect(pairs(collector)).toEqual(expect.arrayContaining(ASKED));
    expect(pairs(collector)).toContain('b7ad6b7169203331 > run schema-agent');
  });

  it('askema mcp: the trace of a message is that of its run', async () => {
    await using collector = await loopbackCollector();
    const { child, finished } = started(['mcp', 'shop.sqlite', '--flow', 'plain'], collector);
    const answered = once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    child.stdin?.write(`${JSON.stringify(toolCall(1, QUESTION))}\n`);
    expect(String(await answered)).toContain('Ada');
    child.stdin?.end();
    expect(await finished).toMatchObject({ code: 0 });
    const run = collector.spans.find(({ name }) => name === 'run plain');
    expect(run).toMatchObject({ traceId: TRACE, parentSpanId: 'b7ad6b7169203331' });
    expect(pairs(collector)).toEqual(expect.arrayContaining(ASKED));
  });
});
