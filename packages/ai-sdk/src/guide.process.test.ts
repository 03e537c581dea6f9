import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loopbackModelServer } from '@askema/testkit';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
// Inside the package, so that packages are found by their own names.
const FOLDER = join(ROOT, 'packages', 'ai-sdk', '.askema', 'guide');

test('the program of the guide asks the model that it names', async () => {
  const text = readFileSync(join(ROOT, 'docs', 'guide', 'models.md'), 'utf8');
  const program = [...text.matchAll(/^```ts check\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  expect(program).toHaveLength(1);
  await using server = await loopbackModelServer();
  const sql = "SELECT count(*) FROM customers WHERE country = 'Norway'";
  const said = { outcome: 'sql', sql, explanation: '', not_understood: [], other_readings: [], would_agree: 'ten' };
  const answer = { kind: 'answer', answer: { text: JSON.stringify(said) } } as const;
  server.reply({ kind: 'failure', failure: 'overloaded' }, ...Array.from({ length: 9 }, () => answer));
  const file = join(FOLDER, 'program.ts');
  mkdirSync(FOLDER, { recursive: true });
  try {
    writeFileSync(file, (program[0] ?? '').replace('http://127.0.0.1:11434', server.origin));
    const options = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', file];
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: ROOT });
    expect(stdout).toBe(`answered ${sql}\n`);
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
  }
  const [failed, retried] = server.requests;
  expect(retried).toMatchObject({ model: 'qwen3:8b', path: '/v1/chat/completions', body: failed?.body });
  expect(JSON.stringify(retried?.turns)).toContain('How many customers live in Norway?');
});
