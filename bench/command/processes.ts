import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loopbackModelServer } from '@askema/testkit';
import type { Absent, Work } from '../harness/bench.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const BUILT = fileOf('packages/cli/dist/main.js');
const SOURCES = fileOf('packages/cli/src/main.ts');
const STORE = fileOf('examples/store.sqlite');
const QUESTION = 'In which three countries do most customers live?';
const SQL = 'SELECT country, COUNT(*) AS customers FROM customers GROUP BY country ORDER BY customers DESC LIMIT 3';

export type Kind = 'built' | 'sources';

async function runNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { PATH, HOME } = process.env;
  // Port 1 answers nobody: no Ollama of the machine is to be found.
  const environment = { PATH, HOME, OLLAMA_HOST: '127.0.0.1:1', ...env };
  const running = promisify(execFile)(process.execPath, args, { env: environment });
  running.child.stdin?.end();
  return (await running).stdout;
}

/** The start of the command, as far as the shell: what stands between `node` and its parameters. */
function command(kind: Kind): readonly string[] | Absent {
  if (kind === 'sources') return ['--conditions=@askema/source', SOURCES];
  return existsSync(BUILT) ? [BUILT] : { absent: 'not built: run `pnpm -s build` first' };
}

export const emptyProgram = (): Work => ({ run: () => runNode(['-e', '0']) });

export function help(kind: Kind): Work | Absent {
  const start = command(kind);
  if ('absent' in start) return start;
  return {
    run: async () => {
      if (!(await runNode([...start, '--help'])).includes('Usage: askema')) throw new Error('There was no help.');
    },
  };
}

/** A question over the sample database, answered by a model that is a script behind a server on the loopback. */
export async function ask(kind: Kind): Promise<Work | Absent> {
  const start = command(kind);
  if ('absent' in start) return start;
  const server = await loopbackModelServer();
  const json = { outcome: 'sql', sql: SQL, explanation: 'Customers by country.', not_understood: [] };
  const env = { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${server.origin}/v1`, NO_COLOR: '1' };
  return {
    run: async () => {
      server.reply({ kind: 'answer', answer: { text: JSON.stringify(json) } });
      const rows = await runNode(
        [...start, 'ask', STORE, QUESTION, '--model', 'openai-chat:scripted', '-f', 'csv'],
        env,
      );
      if (rows.trim().split('\n').length !== 4) throw new Error(`The answer was: ${rows}`);
    },
    close: () => server.close(),
  };
}
