import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

vi.setConfig({ testTimeout: 60_000 });

interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Keeps every request, and answers none with more than an error. */
async function listen() {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { received, url, close: () => new Promise((resolve) => server.close(resolve)) };
}

let project: TemporaryProject;
let server: Awaited<ReturnType<typeof listen>>;
beforeEach(async () => {
  project = temporaryProject();
  project.database(
    'shop.sqlite',
    `${SHOP_SQL} CREATE TABLE planted (word TEXT); INSERT INTO planted VALUES ('in\u{e0041}visible'), ('x\u202ey');`,
  );
  server = await listen();
});
afterEach(async () => {
  await server.close();
  project.remove();
});

const KEY = 'the-key-of-this-test-1';

describe.each([
  ['openai-chat', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', '/v1'],
  ['openai-responses', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', '/v1'],
  ['anthropic', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', ''],
])('--dry-run with %s', (model, keyVariable, urlVariable, path) => {
  const ask = (...more: readonly string[]) =>
    runInProcess(['ask', 'shop.sqlite', 'Which customers are invisible? “quotes” ü', '--model', model, ...more], {
      cwd: project.folder,
      env: { [keyVariable]: KEY, [urlVariable]: `${server.url}${path}` },
    });

  test('prints what a server then receives, byte for byte, and sends nothing', async () => {
    const dry = await ask('--dry-run');
    expect(server.received).toEqual([]);
    expect(dry.code).toBe(0);
    expect(dry.stderr).toContain('Nothing was sent.');
    await ask();
    const [sent] = server.received;
    const [head = '', body = ''] = dry.stdout.split(/\n\n(.*)/s);
    expect(body).toBe(`${sent?.body}\n`);
    const [line = '', ...headers] = head.split('\n');
    expect(line).toBe(sent?.line.replace(' ', ` ${server.url}`));
    for (const header of headers) {
      const [name = '', value] = header.split(/: (.*)/s);
      if (value !== '[redacted]' && name !== 'idempotency-key') expect(sent?.headers[name], name).toBe(value);
    }
    expect(dry.stdout).not.toContain(KEY);
    expect(dry.stdout).toContain('[redacted]');
  });

  test('holds the samples as they go out: nothing that nobody sees', async () => {
    const { stdout } = await ask('--dry-run');
    expect(stdout).toContain('\\u{e0041}');
    expect(stdout).not.toMatch(/[\u{e0000}-\u{e007f}\u202e]/u);
    expect((await ask('--dry-run', '--no-samples')).stdout).not.toContain('Edsger');
    expect(stdout).toContain('Edsger');
  });
});

test('a model of the configuration is not called, and what it would be given is shown', async () => {
  project.write(
    'askema.config.mjs',
    `import { writeFileSync } from 'node:fs';
     const model = { contract: 1, provider: 'mine', modelId: 'one', capabilities: {}, generate() { writeFileSync('called', ''); throw new Error('called'); } };
     export default { models: { mine: model } };`,
  );
  const run = await runInProcess(['ask', 'shop.sqlite', 'How many customers?', '--model', 'mine', '--dry-run'], {
    cwd: project.folder,
  });
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^# What mine:one, a model of the configuration, is given/);
  expect(run.stdout).toContain('How many customers?');
  expect(run.stdout).toContain('Edsger');
});

test('--max-schema-tokens and the configuration say how much of the schema is shown', async () => {
  project.write(
    'askema.config.mjs',
    `const model = { contract: 1, provider: 'mine', modelId: 'one', capabilities: {}, generate() {} };
     export default { models: { mine: model }, defaults: { maxSchemaTokens: 60 } };`,
  );
  const shown = async (...more: readonly string[]) => {
    const words = ['ask', 'shop.sqlite', 'How many planted words?', '--model', 'mine', '--dry-run', ...more];
    return (await runInProcess(words, { cwd: project.folder })).stdout;
  };
  const whole = await shown('--max-schema-tokens', '32000');
  const part = await shown();
  expect(whole).toContain('Edsger');
  expect(part).toContain('planted');
  expect(part).not.toContain('Edsger');
  expect(await shown('--max-schema-tokens', '0')).toBe('');
});

test('nothing is sent with the built-in model, and the command says so', async () => {
  const run = await runInProcess(['ask', 'shop.sqlite', 'How many customers?', '--model', 'lexical', '--dry-run'], {
    cwd: project.folder,
  });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is sent: the built-in model') });
});

test('what fails before a model is asked is told as ever', async () => {
  const run = await runInProcess(['ask', 'absent.sqlite', 'How many?', '--model', 'lexical', '--dry-run'], {
    cwd: project.folder,
  });
  expect(run.stderr).toContain('DATABASE_NOT_FOUND');
});
