import { type LoopbackEmbeddingServer, loopbackEmbeddingServer } from '@askema/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, scriptedConfig, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
let server: LoopbackEmbeddingServer;
beforeAll(async () => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  server = await loopbackEmbeddingServer((text) => (/london|thames/i.test(text) ? [1, 0.1] : [0.1, 1]));
  project.write(
    'askema.config.ts',
    `import { openaiEmbeddings } from '@askema/openai';
     const baseURL = '${server.origin}/v1';
     export default { embeddings: {
       short: 'ollama:toy',
       house: () => openaiEmbeddings({ model: 'toy', provider: 'house', baseURL, dimensions: 2 }),
     } };`,
  );
});
afterAll(async () => {
  await server.close();
  project.remove();
});

const SQL = "SELECT name FROM customer WHERE city = 'the town on the Thames'";
const NOTHING_NEAR = 'none is near';
const askema = (parameters: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(parameters, { cwd: project.folder, env });
const ollama = () => ({ OLLAMA_HOST: server.origin });
const index = (name: string, out: string, env: Record<string, string> = ollama()) =>
  askema(['index', 'shop.sqlite', '--out', out, '--embeddings', name], env);
const lint = (file: string, env: Record<string, string> = ollama()) =>
  askema(['lint', 'shop.sqlite', SQL, '--value-index', file], env);

describe('askema index --embeddings', { timeout: 30_000 }, () => {
  it('says what was embedded and what it cost, and pays for nothing twice', async () => {
    const first = await index('ollama:toy', 'a.values');
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringMatching(/^(\d+) values embedded now, \1 tokens; \1 in all by ollama\/toy, 2 dimensions$/m),
    ]);
    const sent = server.requests.length;
    expect((await index('short', 'a.values')).stderr).toMatch(/^0 values embedded now/m);
    expect(server.requests).toHaveLength(sent);
  });

  it.each(['openai:toy', 'ollama:toy', 'short', 'house'])('%s is what the index is looked up with', async (name) => {
    const env = { ...ollama(), OPENAI_BASE_URL: `${server.origin}/v1` };
    await index(name, 'b.values', env);
    const { stdout, stderr } = await lint('b.values', env);
    expect(stdout).toContain("stored: 'London'");
    expect(stdout).not.toContain(NOTHING_NEAR);
    expect(stderr).not.toContain('meaning');
    expect(server.requests.at(-1)?.texts).toEqual(['the town on the Thames']);
  });

  it('looks up by spelling alone, and says so once, where the model cannot be had', async () => {
    await index('openai:toy', 'c.values', { OPENAI_BASE_URL: `${server.origin}/v1` });
    const { code, stdout, stderr } = await lint('c.values', {});
    expect(stdout).toContain(NOTHING_NEAR);
    expect(stderr.match(/not looked up by meaning/g)).toHaveLength(1);
    expect(stderr).toMatch(/vectors of openai\/toy.*OPENAI_API_KEY/);
    expect(code).toBeLessThan(2);
  });

  it('does so, too, where the model fails, or has become another one', async () => {
    await index('ollama:toy', 'd.values');
    server.reply({ kind: 'failure', failure: 'wrong-key' });
    const failed = await lint('d.values');
    expect(failed.stderr).toMatch(/not looked up by meaning.*ollama:toy failed/);
    server.reply({ kind: 'body', body: { data: [{ embedding: [1, 0, 0] }] } });
    const other = await lint('d.values');
    expect(other.stderr).toMatch(/not looked up by meaning.*length 3.*have 2/);
    for (const { stdout } of [failed, other]) expect(stdout).toContain(NOTHING_NEAR);
  });

  it('shows how far it is on a terminal', async () => {
    const parameters = ['index', 'shop.sqlite', '--out', 'e.values', '--embeddings', 'ollama:toy'];
    const { stderr } = await runInProcess(parameters, { cwd: project.folder, env: ollama(), columns: 100 });
    expect(stderr).toMatch(/(\d+)\/\1 values embedded · customer\.\w+/);
  });

  it('is asked where a question is answered', async () => {
    await index('ollama:toy', 'g.values');
    project.write('scripted.config.ts', scriptedConfig(Array.from({ length: 4 }, () => SQL)));
    const sent = server.requests.length;
    const ask = ['ask', 'shop.sqlite', 'Who lives in the town on the Thames?', '--value-index', 'g.values'];
    await askema([...ask, '--flow', 'auto', '--config', 'scripted.config.ts'], ollama());
    expect(server.requests.slice(sent).flatMap(({ texts }) => texts)).toContain('the town on the Thames');
  });

  it.each([
    ['opnai:toy', /`openai`/],
    ['openai', /the model is missing.*provider:model/],
    ['openai:toy', /OPENAI_API_KEY/],
    ['hose', /`house`/],
  ])('refuses %s before anything is read', async (name, message) => {
    const { code, stdout, stderr } = await index(name, 'f.values', {});
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
  });
});
