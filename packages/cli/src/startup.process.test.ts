import { readFileSync } from 'node:fs';
import { loopbackModelServer } from '@askema/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAskema } from './testing/run-askema.ts';
import { type TemporaryProject, temporaryProject } from './testing/temporary-project.ts';

/**
 * Writes what happens to a file: the URL of every module that is loaded, imported or required, `fork` for every process
 * that is started, and at the end `fetch` if Node loaded it.
 */
const RECORDER = `
  import childProcess from 'node:child_process';
  import { appendFileSync } from 'node:fs';
  import { registerHooks, syncBuiltinESMExports } from 'node:module';
  const { fork } = childProcess;
  childProcess.fork = (...given) => {
    appendFileSync(process.env.LOADED, 'fork\\n');
    return fork(...given);
  };
  syncBuiltinESMExports();
  registerHooks({
    load(url, context, next) {
      appendFileSync(process.env.LOADED, url + '\\n');
      return next(url, context);
    },
  });
  process.on('exit', () => {
    if (process.moduleLoadList.some((name) => name.includes('undici/undici')))
      appendFileSync(process.env.LOADED, 'fetch\\n');
  });
`;

const STORE = new URL('../../../examples/store.sqlite', import.meta.url).pathname;

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.write('recorder.mjs', RECORDER);
});
afterAll(() => project.remove());

interface Started {
  readonly code: number | null;
  readonly stdout: string;
  /** What the recorder wrote. */
  readonly lines: readonly string[];
  /** The packages that were loaded, ours by their last name; `fetch` where Node loaded it. */
  readonly packages: readonly string[];
  /** The modules of Node that were imported. */
  readonly builtins: readonly string[];
}

async function start(parameters: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const file = project.write('loaded.txt', '');
  const { code, stdout } = await runAskema(parameters, {
    cwd: project.folder,
    // With the cache, sources are read past the recorder.
    env: { ...env, LOADED: file, NODE_DISABLE_COMPILE_CACHE: '1' },
    // In two words the engine's process does not take it over.
    nodeOptions: ['--import', project.path('recorder.mjs')],
  });
  const recorded = readFileSync(file, 'utf8').split('\n');
  const builtins = recorded.filter((line) => line.startsWith('node:'));
  const lines = recorded.filter((line) => line !== '' && !line.startsWith('node:'));
  const urls = lines.filter((line) => line !== 'fork');
  return { code, stdout, lines, packages: [...new Set(urls.map(packageOf))].sort(), builtins };
}

/** `@scope/name` or `name` of a dependency, the folder of a package of the workspace, or the URL itself. */
function packageOf(url: string): string {
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  const [, own] = /\/(?:packages|adapters)\/([^/]+)\/src\//.exec(url) ?? [];
  return dependency ?? own ?? url;
}

/** What commander and the command's own options are made of. */
const HELP = ['cli', 'commander'];

/** What a question to a SQLite file needs, whoever answers it. */
const QUESTION = [
  ...HELP,
  'adapter-kit',
  'core',
  'dialects',
  'fastest-levenshtein',
  'grounding',
  'p-limit',
  'sql',
  'sqlite',
  'text2sql',
  'yocto-queue',
];

/** What the flow `auto` needs beside that, which is the default with a model. */
const AUTO = ['@guanmingchiu/sqlparser-ts', 'lint', 'normal-form', 'sql-parser', 'zod'];

const OF_ANTHROPIC = ['@opentelemetry/api', '@stablelib/base64', 'fast-sha256', 'standardwebhooks'];

const ANSWER = { outcome: 'sql', sql: 'SELECT 7 AS n', explanation: '', not_understood: [] };

/** Whoever adds a name here makes each start slower; `npm run -s command --prefix bench` tells by how much. */
describe('what is loaded', () => {
  it.each([
    '--help',
    '--version',
    'ask --help',
    'eval run --help',
    'eval compare --help',
    'design --help',
    'check --help',
    'serve --help',
    'audit --help',
    'init --help',
    'unknown',
  ])('%s: the parser of options', async (parameters) => {
    expect((await start(parameters.split(' '))).packages).toEqual(HELP);
  });

  it('ask without a model: the plain flow, the adapter of the file and the built-in reader', async () => {
    const env = { ASKEMA_HISTORY: project.path('history') };
    const { stdout, packages, lines, builtins } = await start(['ask', STORE, 'How many customers are there?'], env);
    expect(stdout).toContain('(1 row)');
    expect(packages).toEqual([...QUESTION, 'lexical'].sort());
    expect(builtins).toContain('node:path');
    expect(builtins).not.toContain('node:readline');
    const isHistory = (url: string): boolean => /cli\/src\/history\/(?!history-folder)/.test(url);
    expect(lines.findIndex(isHistory)).toBeGreaterThan(lines.findLastIndex((url) => !isHistory(url)));
    expect(
      lines.filter((url) => /text2sql\/src\/(?:explore|vote|conversation|summary|flows\/(?!plain\/))/.test(url)),
    ).toEqual([]);
  });

  it.each([['ask', 'How many customers are there?'], ['lint', 'SELECT 1'], ['schema'], ['check']])(
    '%s: the process that reads the file starts before the command is loaded',
    async (command, ...rest) => {
      const { lines } = await start([command, STORE, ...rest]);
      const forked = lines.indexOf('fork');
      const loaded = (pattern: RegExp): number => lines.findIndex((line) => pattern.test(line));
      expect(forked).toBeGreaterThan(0);
      for (const late of [/core\/src\/index\.ts/, /sqlite\/src\/index\.ts/, /commands\/\w+\/(?![\w-]+-command\.ts)/])
        expect(loaded(late)).toBeGreaterThan(forked);
    },
  );

  it.each([
    ['openai-chat', ['fetch', 'openai', 'undici']],
    ['anthropic', ['@anthropic-ai/sdk', ...OF_ANTHROPIC, 'anthropic', 'fetch', 'undici']],
  ])('ask with %s: that provider, its SDK and what the SDK loads', async (provider, loaded) => {
    await using server = await loopbackModelServer();
    server.reply({ kind: 'answer', answer: { text: JSON.stringify(ANSWER) } });
    const { stdout, packages } = await start(['ask', STORE, 'Which number?', '--model', `${provider}:scripted`], {
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: `${server.origin}/v1`,
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: server.origin,
    });
    expect(stdout).toContain('(1 row)');
    expect(packages).toEqual([...QUESTION, ...AUTO, ...loaded].sort());
  });
});
