import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runAskema } from '../../testing/run-askema.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

/**
 * Whole runs of the command against a stand-in for the vendors' servers, in a process of its own: the real SDKs, the
 * real HTTP.
 */
const KEY = 'sk-a-key-that-nobody-may-ever-see-0123456789';

let project: TemporaryProject;
let server: ChildProcess | undefined;
let url: string;

beforeAll(async () => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  const answer = (sql: string): object => ({
    content: JSON.stringify({ outcome: 'sql', sql, explanation: 'Counted.', not_understood: [] }),
  });
  const fixtures = [
    { match: { userMessage: 'How many customers' }, response: answer('SELECT count(*) AS customers FROM customer') },
    { match: { userMessage: 'no such column' }, response: answer('SELECT count(*) AS repaired FROM customer') },
    {
      match: { userMessage: 'How many towns' },
      response: answer('SELECT count(DISTINCT town) AS towns FROM customer'),
    },
    {
      match: { userMessage: 'forbidden' },
      response: { error: { message: 'Invalid key.', type: 'auth' }, status: 401 },
    },
  ];
  const folder = dirname(project.write('fixtures/all.json', JSON.stringify({ fixtures })));
  const entry = fileURLToPath(import.meta.resolve('@copilotkit/aimock'));
  const child = spawn(process.execPath, [join(dirname(entry), 'cli.js'), '-p', '0', '-f', folder]);
  server = child;
  url = await new Promise<string>((resolve, reject) => {
    let text = '';
    const read = (chunk: unknown): void => {
      text += String(chunk);
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`aimock ended with ${code}: ${text}`)));
  });
});
afterAll(() => {
  server?.kill();
  project.remove();
});
let before = 0;
beforeEach(async () => {
  before = (await allPaths()).length;
});

async function allPaths(): Promise<string[]> {
  const entries = (await (await fetch(`${url}/__aimock/journal`)).json()) as { path: string }[];
  return entries.map((entry) => entry.path).filter((path) => path !== '/api/tags');
}

/** What the server was asked in this test, by path. */
async function requestedPaths(): Promise<string[]> {
  return (await allPaths()).slice(before);
}

const providers = [
  { model: 'openai:gpt-4o', path: '/v1/chat/completions', env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: '/v1' } },
  { model: 'openai-chat:gpt-4o', path: '/v1/chat/completions', env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: '/v1' } },
  { model: 'openai-responses:gpt-4o', path: '/v1/responses', env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: '/v1' } },
  {
    model: 'anthropic:claude-sonnet-5-5',
    path: '/v1/messages',
    env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: '' },
  },
  { model: 'ollama:qwen3:8b', path: '/v1/chat/completions', env: { OLLAMA_HOST: '' } },
];

/** Base URLs of the list above, on the server that runs. */
function environment(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, /URL|HOST/.test(name) ? `${url}${value}` : (value ?? '')]),
  );
}

describe.each(providers)('askema ask --model $model', ({ model, path, env }) => {
  const ask = (question: string, flags: readonly string[] = []) =>
    runAskema(['ask', 'shop.sqlite', question, '--model', model, ...flags], {
      cwd: project.folder,
      env: environment(env),
    });

  it('answers over its own protocol', async () => {
    const { code, stdout } = await ask('How many customers are there?', ['--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'answered',
      result: { columns: [{ name: 'customers' }], rows: [[5]] },
      calls: 1,
    });
    expect(code).toBe(0);
    expect(await requestedPaths()).toEqual([path]);
  });

  it('repairs a statement that fails', async () => {
    const { code, stdout } = await ask('How many towns?', ['--format', 'csv']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'repaired\r\n5\r\n' });
    expect(await requestedPaths()).toEqual([path, path]);
  });

  it('exits with 1 when the key is refused, and never shows it', async () => {
    const { code, stdout, stderr } = await ask('forbidden', ['--trace']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('[MODEL_AUTHENTICATION');
    expect(stderr).not.toContain(KEY);
  });
});

describe('the search for a model', () => {
  const question = ['ask', 'shop.sqlite', 'How many customers are there?', '--format', 'json'];

  it.each([
    ['openai by its key', { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: '/v1', ANTHROPIC_API_KEY: KEY }, /^openai:gpt-/],
    ['anthropic by its key', { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: '' }, /^anthropic:claude-/],
    ['a local Ollama', { OLLAMA_HOST: '' }, /^ollama:/],
    ['ASKEMA_MODEL', { ASKEMA_MODEL: 'openai:mine', OPENAI_BASE_URL: '/v1' }, /^openai:mine$/],
  ])('finds %s', async (_, env, label) => {
    const { code, stdout } = await runAskema(question, { cwd: project.folder, env: environment(env) });
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'answered',
      result: { rows: [[5]] },
      origin: { model: expect.stringMatching(label) },
    });
    expect(code).toBe(0);
  });

  it('is told by askema models, without any key', async () => {
    const env = environment({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: '/v1', OLLAMA_HOST: '' });
    const { code, stdout } = await runAskema(['models'], { cwd: project.folder, env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/Answers now: openai:gpt-\S+ \(OPENAI_API_KEY is set\)/);
    expect(stdout).toMatch(/Ollama +answers at http:\/\/127\.0\.0\.1:\d+/);
    expect(stdout).not.toContain(KEY);
  });
});
