import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { runAskema, startAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { temporaryProject } from '../../testing/temporary-project.ts';

const EXAMPLES = new URL('../../../../../examples/', import.meta.url).pathname;
const STORE = `${EXAMPLES}store.sqlite`;

const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const INITIALIZE = request(1, 'initialize', {
  ...{ protocolVersion: '2025-06-18', capabilities: {} },
  clientInfo: { name: 't', version: '1' },
});

/** What the server answers, by the id of the request; the client leaves when all answers are there. */
async function talk(options: readonly string[], requests: readonly string[]) {
  const { child, finished } = startAskema(['mcp', ...options], { stdinStaysOpen: true });
  let lines = 0;
  child.stdout?.on('data', (text: string) => {
    lines += text.split('\n').length - 1;
    if (lines >= requests.length) child.stdin?.end();
  });
  child.stdin?.write(requests.join(''));
  const { code, stdout } = await finished;
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, answers: answers.sort((left, right) => left.id - right.id) };
}

const MODEL = `
version: 0.2.0.dev0
semantic_model:
  - name: store
    datasets: [{ name: customers, source: customers }]
    metrics:
      - name: paid
        expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(DISTINCT customers.name) }] }
`;

const project = temporaryProject();
project.write('terms/models/store.ossie.yaml', MODEL);
afterAll(() => project.remove());

describe('askema mcp', () => {
  it('serves several databases by name, and their definitions, and ends with its client', async () => {
    const { code, answers } = await talk(
      [`customers=${STORE}`, `again=${STORE}`, '--knowledge', project.path('terms')],
      [
        INITIALIZE,
        request(2, 'tools/call', { name: 'run_sql', arguments: { database: 'again', sql: 'SELECT 7 AS n' } }),
        request(3, 'tools/call', { name: 'run_sql', arguments: { database: 'agan', sql: 'SELECT 7 AS n' } }),
        request(5, 'tools/call', { name: 'ask', arguments: { question: 'How many customers are there?' } }),
        request(6, 'tools/call', { name: 'ask', arguments: { question: 'How many orders are there?' } }),
        request(4, 'resources/read', { uri: 'askema://databases/customers/knowledge' }),
      ],
    );
    expect(code).toBe(0);
    expect(answers[1].result.structuredContent.result.rows).toEqual([[7]]);
    expect(answers[2].result.structuredContent.error.message).toContain('again');
    expect(answers[4].result.structuredContent).toMatchObject({ type: 'answered' });
    expect(answers[5].result.structuredContent).toMatchObject({ type: 'needsClarification', choices: [{}, {}] });
    expect(answers[3].result.contents[0].text).toMatch(/^metric:paid \{.*COUNT\(DISTINCT customers\.name\)/m);
  });

  it('designs with `--design`, for which a model is needed', async () => {
    project.write(
      'askema.config.mjs',
      `import { scriptedModel } from '@askema/testkit';
      export default { models: { scripted: () => scriptedModel(() => ({ text: 'no' })) }, defaults: { model: 'scripted' } };`,
    );
    const design = { name: 'design_schema', arguments: { requirement: 'Books have a number and a title.' } };
    const { answers } = await talk(
      [STORE, '--design', '--config', project.path('askema.config.mjs')],
      [INITIALIZE, request(2, 'tools/list', {}), request(3, 'tools/call', design)],
    );
    expect(answers[1].result.tools.at(-1).name).toBe('design_schema');
    expect(answers[2].result.structuredContent).toMatchObject({
      type: 'failed',
      error: { code: 'MODEL_OUTPUT_INVALID' },
    });
    const { code, stderr } = await runInProcess(['mcp', STORE, '--design']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('designs no schemas')]);
  });

  it('hides and masks', async () => {
    const { answers } = await talk(
      [STORE, '--hide', 'customers'],
      [INITIALIZE, request(2, 'tools/call', { name: 'run_sql', arguments: { sql: 'SELECT * FROM customers' } })],
    );
    expect(answers[1].result.isError).toBe(true);
  });

  it('lists no definitions of a database of which something is hidden or masked', async () => {
    const config = `export default { databases: { store: ${JSON.stringify(STORE)}, whole: ${JSON.stringify(STORE)} }, restrict: { store: { mask: ['*.email'] } } };`;
    project.write('kept.config.mjs', config);
    const given = ['--knowledge', project.path('terms'), '--config', project.path('kept.config.mjs')];
    const listed = async (...options: readonly string[]) => {
      const { answers } = await talk([...options, ...given], [INITIALIZE, request(2, 'resources/list', {})]);
      const { resources } = answers[1].result as { readonly resources: readonly { readonly uri: string }[] };
      return resources.map(({ uri }) => uri).filter((uri) => uri.endsWith('/knowledge'));
    };
    expect(await listed('store', 'whole')).toEqual(['askema://databases/whole/knowledge']);
    expect(await listed('whole', '--hide', 'customers')).toEqual([]);
  });

  it('prints the entry of a client with absolute paths and what else was typed', async () => {
    const typed = ['mcp', 'store.sqlite', '--model', 'ollama:qwen3', '--no-samples', '--hide', 'a.*,b'];
    const printed = (client: string, ...command: readonly string[]) =>
      runInProcess([...typed, '--print-config', client], {
        cwd: EXAMPLES,
        ...(command.length === 0 ? {} : { command }),
      });
    const print = (client: string) => printed(client, '/opt/node', '--conditions=x', '/opt/askema.js');
    const args = [
      '--conditions=x',
      '/opt/askema.js',
      'mcp',
      STORE,
      '--model',
      'ollama:qwen3',
      '--no-samples',
      '--hide',
      'a.*',
      '--hide',
      'b',
      '--config',
      `${EXAMPLES}askema.config.ts`,
    ];
    const claude = await print('claude');
    expect([claude.code, JSON.parse(claude.stdout)]).toEqual([
      0,
      { mcpServers: { askema: { command: '/opt/node', args } } },
    ]);
    expect(claude.stderr).toContain('claude_desktop_config.json');
    expect(JSON.parse((await print('vscode')).stdout)).toEqual({
      servers: { askema: { type: 'stdio', command: '/opt/node', args } },
    });
    const passing = await printed('claude', '/opt/node', '/opt/ann/.npm/_npx/1f/node_modules/.bin/askema');
    expect(JSON.parse(passing.stdout).mcpServers.askema).toEqual({
      command: 'npx',
      args: ['-y', 'askema', ...args.slice(2)],
    });
    expect((await print('emacs')).stderr).toMatch(/claude, cursor, vscode/);
    const typo = await runInProcess(['mcp', 'again=stor.sqlite', '--print-config', 'claude'], { cwd: EXAMPLES });
    expect([typo.code, typo.stdout, typo.stderr]).toEqual([2, '', expect.stringContaining('store.sqlite')]);
  });

  it('prints an entry that starts what has printed it, wherever the client does', async () => {
    project.database('shop.sqlite', 'CREATE TABLE orders (id INTEGER)');
    const config = "{ databases: { shop: './shop.sqlite' }, defaults: { database: 'shop' } }";
    project.write('askema.config.mjs', `export default ${config};`);
    for (const typed of [['shop'], []]) {
      const { stdout } = await runAskema(['mcp', ...typed, '--print-config', 'claude'], { cwd: project.folder });
      const { command, args } = JSON.parse(stdout).mcpServers.askema;
      const started = spawnSync(command, args, { cwd: '/', input: INITIALIZE, encoding: 'utf8' });
      expect(started.stdout).toContain('"serverInfo"');
    }
    const { code, stderr } = await runInProcess(['mcp', '--print-config', 'claude'], { cwd: '/' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('askema mcp DATABASE --print-config claude')]);
  });

  it('without a database says what to type', async () => {
    const { code, stderr } = await runInProcess(['mcp'], { cwd: '/' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('askema mcp DATABASE')]);
  });
});
