import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loopbackModelServer } from '@askema/testkit';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
// Inside the package, so that packages are found by their own names.
const FOLDER = join(ROOT, 'packages', 'otel', '.askema');

export const GUIDE_SQL = "SELECT count(*) FROM customers WHERE country = 'Norway'";

/**
 * Runs the program of docs/guide/tracing.md in a process of its own and gives what it printed. Its model answers at once,
 * with {@link GUIDE_SQL}. Rejects when it fails or takes longer than 30 seconds.
 */
export async function runGuide(
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const text = readFileSync(join(ROOT, 'docs', 'guide', 'tracing.md'), 'utf8');
  const [, program = ''] = /^```ts check\n([\s\S]*?)^```/m.exec(text) ?? [];
  await using model = await loopbackModelServer();
  const said = {
    outcome: 'sql',
    sql: GUIDE_SQL,
    explanation: '',
    not_understood: [],
    other_readings: [],
    would_agree: 'ten',
  };
  const reply = { kind: 'answer', answer: { text: JSON.stringify(said) } } as const;
  model.reply(...Array.from({ length: 9 }, () => reply));
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, 'guide-'));
  try {
    const file = join(folder, 'program.ts');
    writeFileSync(file, program);
    const env = {
      ...process.env,
      OPENAI_API_KEY: 'sk-test-canary-77',
      OPENAI_BASE_URL: `${model.origin}/v1`,
      ...environment,
    };
    const options = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', file];
    return await promisify(execFile)(process.execPath, options, { cwd: ROOT, env, timeout: 30_000 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
