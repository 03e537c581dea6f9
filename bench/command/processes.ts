import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loopbackModelServer } from '@askema/testkit';
import { scratchFolder } from '../harness/scratch.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const BUILT = fileOf('packages/cli/dist/main.js');
const SOURCES = fileOf('packages/cli/src/main.ts');
const STORE = fileOf('examples/store.sqlite');
const SQL = 'SELECT country, COUNT(*) AS customers FROM customers GROUP BY country ORDER BY customers DESC LIMIT 3';

/** `built`: what npm installs. `sources`: the command of a clone. */
export type Kind = 'built' | 'sources';

/** Runs a whole process once. */
export type Process = () => Promise<void>;

export interface ProcessOptions {
  /** Nothing that Node compiled or stripped before is read, and nothing is kept. */
  readonly cache?: false | undefined;
}

export const isBuilt = (): boolean => existsSync(BUILT);

async function runNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { PATH, HOME } = process.env;
  const XDG_CACHE_HOME = path.join(scratchFolder(), 'cache');
  mkdirSync(XDG_CACHE_HOME, { recursive: true });
  // Port 1 answers nobody: no Ollama of the machine is to be found.
  const environment = {
    PATH,
    HOME,
    XDG_CACHE_HOME,
    XDG_STATE_HOME: XDG_CACHE_HOME,
    OLLAMA_HOST: '127.0.0.1:1',
    ...env,
  };
  const running = promisify(execFile)(process.execPath, args, { env: environment });
  running.child.stdin?.end();
  return (await running).stdout;
}

/** What stands between `node` and the parameters of the command. */
const command = (kind: Kind): readonly string[] =>
  kind === 'sources' ? ['--conditions=@askema/source', SOURCES] : [BUILT];

const expectIn = (output: string, text: string): void => {
  if (!output.includes(text)) throw new Error(`The command printed: ${output}`);
};

export const emptyProgram: Process = async () => {
  await runNode(['-e', '0']);
};

export function help(kind: Kind): Process {
  return async () => expectIn(await runNode([...command(kind), '--help']), 'Usage: askema');
}

/** The question of the README, read without a model. */
export function ask(kind: Kind, { cache }: ProcessOptions = {}): Process {
  const env: Record<string, string> = cache === false ? { NODE_DISABLE_COMPILE_CACHE: '1' } : {};
  const args = [...command(kind), 'ask', STORE, 'Which five customers spent the most?'];
  return async () => expectIn(await runNode(args, env), '(5 rows)');
}

/** A question that a script behind a server on the loopback answers, through the SDK of OpenAI. */
export async function askModel(): Promise<{ readonly run: (kind: Kind) => Process; readonly close: () => unknown }> {
  const server = await loopbackModelServer();
  const json = { outcome: 'sql', sql: SQL, explanation: 'Customers by country.', not_understood: [] };
  const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${server.origin}/v1` };
  const run =
    (kind: Kind): Process =>
    async () => {
      server.reply({ kind: 'answer', answer: { text: JSON.stringify(json) } });
      const question = 'In which three countries do most customers live?';
      const args = [...command(kind), 'ask', STORE, question, '--model', 'openai-chat:scripted'];
      expectIn(await runNode(args, env), '(3 rows)');
    };
  return { run, close: () => server.close() };
}
