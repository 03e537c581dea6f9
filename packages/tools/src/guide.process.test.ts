import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
// Inside the package, so that packages are found by their own names.
const FOLDER = fileURLToPath(new URL('../.askema/guide/', import.meta.url));

beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** The one program of a page, run. */
async function run(page: string): Promise<{ readonly text: string; readonly stdout: string }> {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const [, code = ''] = /^```ts run\n([\s\S]*?)^```/m.exec(text) ?? [];
  const file = join(FOLDER, `${page.replaceAll('/', '-')}.ts`);
  writeFileSync(file, code);
  const options = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', file];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, options, { cwd: FOLDER });
  expect(stderr).toBe('');
  return { text, stdout };
}

test('the program of the guide prints what stands below it', async () => {
  const { text, stdout } = await run('docs/guide/tools.md');
  expect(text).toContain(`\`\`\`text\n${stdout}\`\`\``);
});

test('the program of the readme prints what its remarks say', async () => {
  const { stdout } = await run('packages/tools/README.md');
  expect(stdout).toBe('ask search_catalog run_sql check_sql\nanswered [[2]]\n');
});
