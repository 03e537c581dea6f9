import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMCPClient, type MCPTransport } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { sqlite } from '@askema/sqlite';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../server.ts';
import { subjectKeys } from '../testing/subject-keys.ts';
import { type Listening, listen } from './fixtures/listen.ts';
import { recordedModel } from './fixtures/store-replies/recorded-model.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const EXAMPLES = path('../../../../examples/');
const STORE = `${EXAMPLES}store.sqlite`;
const CONFIG = path('./fixtures/store-replies/askema.config.ts');

/** How a client starts `askema mcp`, without keys, a local model or a history. */
function command(...options: string[]) {
  const quick = new URL('../../../../scripts/testing/quick-start.ts', import.meta.url).href;
  return {
    command: process.execPath,
    args: [
      ...['--conditions=@askema/source', `--import=${quick}`],
      ...[path('../../../cli/src/main.ts'), 'mcp', STORE, ...options],
    ],
    env: { PATH: process.env.PATH ?? '', OLLAMA_HOST: '127.0.0.1:1', ASKEMA_CATALOGS: 'off' },
    stderr: 'ignore' as const,
  };
}

interface Question {
  readonly question: string;
  readonly gold_sql: string;
}

const QUESTIONS = readFileSync(`${EXAMPLES}store-questions/questions.jsonl`, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(0, 10)
  .map((line): Question => JSON.parse(line));

interface Reply {
  readonly type?: string;
  readonly resume?: string;
  readonly choices?: readonly { readonly id: string }[];
  readonly result?: { readonly rows: readonly (readonly unknown[])[] };
}

/** An agent by a script: it looks the catalog up, asks, and answers what is asked back. It writes no SQL. */
async function answerAll(transport: Parameters<typeof createMCPClient>[0]['transport']) {
  const client = await createMCPClient({ transport });
  try {
    const tools = await client.tools();
    const use = async (name: string, input: object): Promise<Reply> => {
      const done = await tools[name]?.execute?.(input, { toolCallId: name, messages: [], context: {} } as never);
      return (done as { structuredContent: Reply }).structuredContent;
    };
    const right: string[] = [];
    for (const { question, gold_sql: gold } of QUESTIONS) {
      await use('search_catalog', { words: question });
      let reply = await use('ask', { question });
      if (reply.type === 'needsClarification')
        reply = await use('ask', { answers: { resume: reply.resume, choice: reply.choices?.[0]?.id } });
      const expected = (await use('run_sql', { sql: gold })).result?.rows;
      if (reply.type === 'answered' && expected !== undefined && isSame(reply.result?.rows, expected))
        right.push(question);
    }
    return { right, names: Object.keys(tools) };
  } finally {
    await client.close();
  }
}

function isSame(rows: unknown, expected: readonly unknown[]): boolean {
  const sorted = (of: unknown): string =>
    JSON.stringify([...((of ?? []) as readonly unknown[])].map((row) => JSON.stringify(row)).sort());
  return sorted(rows) === sorted(expected);
}

describe('an agent on another MCP library answers ten questions of the sample store', () => {
  let http: Listening;
  beforeAll(async () => {
    const open = () => ({ adapter: sqlite({ file: STORE }), text2sql: { model: recordedModel() } });
    const auth = subjectKeys([{ subject: 'agent', scopes: ['*'] }]);
    http = await listen(createServer({ databases: { store: { open } }, auth }));
  });
  afterAll(() => http.close());

  it.each([
    ['stdio', (): MCPTransport => new StdioMCPTransport(command('--config', CONFIG)) as MCPTransport],
    ['HTTP', () => ({ type: 'http' as const, url: http.url, headers: { authorization: 'Bearer agent' } })],
  ] as const)('over %s', async (_, transport) => {
    const { right, names } = await answerAll(transport());
    expect(names).toEqual(['ask', 'search_catalog', 'run_sql', 'check_sql']);
    expect(right).toEqual(QUESTIONS.map(({ question }) => question));
  });
});

describe('test 3: askema mcp over stdio', () => {
  const CITIES = { name: 'ask', arguments: { question: 'How many distinct cities are there?' } };
  const info = { name: 'test', version: '1.0.0' };
  const capabilities = { elicitation: {} };
  const accept = async () => ({ action: 'accept' as const, content: { choice: '2' } });

  it.each(['2026-07-28', 'auto', 'legacy'] as const)(
    'test 4: a client of the new SDK, %s, is asked back',
    async (era) => {
      const mode = era === '2026-07-28' ? { pin: era } : era;
      const client = new ModernClient(info, { capabilities, versionNegotiation: { mode } });
      client.setRequestHandler('elicitation/create', accept);
      await client.connect(new StdioClientTransport(command()));
      const { structuredContent } = await client.callTool(CITIES);
      expect(structuredContent).toMatchObject({ type: 'answered' });
      await client.close();
    },
  );

  it('a client of the SDK before is asked back, and left alone where it has no forms', async () => {
    const client = new OlderClient(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, accept);
    await client.connect(new OlderStdio(command()));
    expect((await client.callTool(CITIES)).structuredContent).toMatchObject({ type: 'answered' });
    await client.close();
    const plain = new OlderClient(info);
    await plain.connect(new OlderStdio(command()));
    expect((await plain.callTool(CITIES)).structuredContent).toMatchObject({ type: 'needsClarification' });
    await plain.close();
  });

  it('tests 8 and 9: a statement ends at its deadline, and nothing writes', async () => {
    const client = new OlderClient(info);
    await client.connect(new OlderStdio(command('--timeout', '300ms')));
    const run = async (sql: string) =>
      (await client.callTool({ name: 'run_sql', arguments: { sql } })).structuredContent;
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n';
    expect(await run(endless)).toMatchObject({ error: { code: 'QUERY_TIMEOUT' } });
    for (const sql of ['DELETE FROM customers', 'CREATE TABLE t (a)', "ATTACH '/tmp/x.sqlite' AS x"])
      expect(await run(sql)).toMatchObject({ error: { code: expect.stringMatching(/^QUERY_/) } });
    expect(await run('SELECT COUNT(*) FROM customers')).toMatchObject({ result: { rows: [[240]] } });
    await client.close();
  });
});
