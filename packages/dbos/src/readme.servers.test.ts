import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDatabase, type TestDatabase } from './test-support/test-database.ts';

// Inside the package, so that packages are found by their own names.
const FOLDER = fileURLToPath(new URL('../.askema/readme/', import.meta.url));

let database: TestDatabase;

beforeAll(async () => {
  database = await startDatabase();
  mkdirSync(FOLDER, { recursive: true });
});
afterAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  await database?.stop();
});

it('the program of the README prints the same in two processes at once, and again later', async () => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const program = /^```ts check\n([\s\S]*?)^```/m.exec(text)?.[1] ?? '';
  const file = `${FOLDER}program.ts`;
  writeFileSync(file, program);
  const run = async (): Promise<string> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@askema/source', '--no-warnings', file],
      {
        env: { ...process.env, QUEUE: database.connection },
      },
    );
    return stdout;
  };
  const expected = 'multiset 8\nnormal form 11\nkey 3\n';
  expect(await Promise.all([run(), run()])).toEqual([expected, expected]);
  expect(await run()).toBe(expected);
  const [jobs] = await database.query('SELECT count(*)::int AS jobs FROM dbos.workflow_status');
  expect(jobs).toEqual({ jobs: 3 });
});
