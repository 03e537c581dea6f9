import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const root = (path: string): string => fileURLToPath(new URL(`../../../../../${path}`, import.meta.url));
const GUIDE = readFileSync(root('docs/guide/knowledge.md'), 'utf8');
const blockOf = (kind: string): string =>
  new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(GUIDE)?.[1] ?? '';

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  copyFileSync(root('examples/store.sqlite'), project.path('store.sqlite'));
});
afterAll(() => project.remove());

it('goes from an empty folder to a checked metric as docs/guide/knowledge.md says', { timeout: 60_000 }, async () => {
  const knowledge = (...parameters: readonly string[]) =>
    runInProcess(['knowledge', ...parameters], { cwd: project.folder });
  expect((await knowledge('init', 'store.sqlite')).code).toBe(0);
  expect((await knowledge('accept', '--all', '--yes')).code).toBe(0);

  const metric = blockOf('yaml');
  project.write('knowledge/proposals/models/sales.ossie.yaml', metric);
  expect((await knowledge('check', 'store.sqlite')).stdout).toContain(blockOf('text'));

  project.write('knowledge/proposals/models/sales.ossie.yaml', metric.replace('total_amout', 'total_amount'));
  const checked = await knowledge('check', 'store.sqlite', '--junit', 'report.xml');
  expect(checked.stdout).toMatch(/^0 errors/m);
  expect((await knowledge('diff')).stdout).toContain('metric:revenue');
  expect((await knowledge('accept', 'metric:revenue', '--yes')).code).toBe(0);
  expect((await knowledge('check', 'store.sqlite')).code).toBe(0);
  expect((await knowledge('list', '--state', 'accepted')).stdout).toMatch(
    /metric:revenue +.*models\/store\.ossie\.yaml/,
  );

  const question = /askema ask store\.sqlite "([^"]+)"/.exec(GUIDE)?.[1] ?? '';
  const asked = ['ask', 'store.sqlite', question, '--knowledge', 'knowledge', '--format', 'csv'];
  const answer = await runInProcess(asked, { cwd: project.folder });
  expect(answer.stdout).toMatch(/^country,revenue\r\n/);
  expect(answer.stderr).toContain('based on: metric revenue (accepted)');
});
