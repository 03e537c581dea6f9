import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../../../../servers/start-server.ts';
import { runAskema } from '../../testing/run-askema.ts';
import { SAMPLE, SAMPLE_CONFIG, sampleProject } from '../../testing/sample-questions.ts';
import type { TemporaryProject } from '../../testing/temporary-project.ts';

let server: StartedServer;
let project: TemporaryProject;
beforeAll(async () => {
  project = sampleProject();
  project.write('askema.config.ts', SAMPLE_CONFIG);
  server = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
});
afterAll(async () => {
  await server?.stop();
  project?.remove();
});

const run = (out: string, ...flags: readonly string[]) => {
  const { host, port, password } = server.ready;
  const queue = ['--queue', `postgres://postgres@${host}:${port}/postgres`];
  return runAskema(['eval', 'run', ...SAMPLE, '--model', 'good', '--out', out, ...queue, ...flags], {
    cwd: project.folder,
    env: { PGPASSWORD: String(password) },
  });
};

const lines = (file: string): readonly string[] => readFileSync(project.path(file), 'utf8').trimEnd().split('\n');

it('shares the questions with a second machine that starts the same command; each has all results, and each is paid once', async () => {
  const [one, two] = await Promise.all([run('one/shared', '--concurrency', '2'), run('two/shared')]);
  expect(one).toMatchObject({ code: 0, stdout: expect.stringMatching(/all +24 +24/) });
  expect(two).toMatchObject({ code: 0, stdout: expect.stringMatching(/all +24 +24/) });
  expect(lines('one/shared/results.jsonl')).toHaveLength(24);
  expect(lines('two/shared/results.jsonl')).toHaveLength(24);
  expect([...lines('calls.txt')].sort()).toEqual([...new Set(lines('calls.txt'))].sort());
  expect(lines('calls.txt')).toHaveLength(24);

  // Another name measures once more.
  expect(await run('one/again', '--limit', '2')).toMatchObject({ code: 0 });
  expect(lines('calls.txt')).toHaveLength(26);
});

it('names the queue and the remedy when nobody listens there', async () => {
  const { code, stderr } = await runAskema(
    ['eval', 'run', ...SAMPLE, '--model', 'good', '--out', 'none', '--queue', 'postgres://postgres@127.0.0.1:1/none'],
    { cwd: project.folder, env: { PGPASSWORD: 'unseen' } },
  );
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/127\.0\.0\.1:1/);
  expect(stderr).not.toContain('unseen');
});
