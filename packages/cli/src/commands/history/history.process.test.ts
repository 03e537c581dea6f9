import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const STORE = new URL('../../../../../examples/store.sqlite', import.meta.url).pathname;
const COUNT = ['ask', STORE, 'How many customers are there?'];
const CITIES = ['ask', STORE, 'How many distinct cities are there?'];

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
});
afterEach(() => project.remove());

const run = (...parameters: readonly string[]) =>
  runInProcess(parameters, { cwd: project.folder, env: { ASKEMA_HISTORY: project.path('history') } });
const idOf = (list: { readonly stdout: string }) => /^\S+/.exec(list.stdout)?.[0] ?? '';

describe('askema history', { timeout: 60_000 }, () => {
  it('lists, shows, repeats, exports and forgets what was asked, and keeps no row of it', async () => {
    await run(...COUNT, '--format', 'csv');
    const list = await run('history');
    expect(list.stdout).toMatch(
      /^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}answered .*How many customers are there\?\n$/,
    );
    const shown = await run('history', 'show', idOf(list).slice(0, 4));
    expect(shown.stdout).toMatch(/sql +SELECT COUNT[\s\S]*rows +1 \(not kept\)/);
    const repeated = await run('history', 'repeat', idOf(list));
    expect(repeated).toMatchObject({ code: 0, stdout: 'COUNT(*)\r\n240\r\n' });
    const lines = (await run('history', 'export')).stdout.trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      question: 'How many customers are there?',
      outcome: { result: { rows: [] } },
    });
    for (const name of readdirSync(project.path('history')))
      expect(readFileSync(join(project.path('history'), name), 'utf8')).not.toContain('240');
    expect((await run('history', 'forget', '--all')).stderr).toBe('2 runs are forgotten.\n');
    expect((await run('history')).stderr).toContain('Nothing was asked yet.');
  });

  it.skipIf(process.platform === 'win32')('waits for no pipe that lies there', async () => {
    await run(...COUNT, '--format', 'csv');
    execFileSync('mkfifo', [project.path('history/20260502T100000000Z-pipe.json')]);
    expect((await run('history')).stdout).toContain('How many customers are there?');
  });

  it('answers, in another process, what a run in a pipe asked back', async () => {
    const env = { ASKEMA_HISTORY: project.path('history') };
    const asked = await runAskema(CITIES, { cwd: project.folder, env });
    expect(asked.code).toBe(1);
    const [, command = ''] = /To answer: askema (history answer \S+) ANSWER\n/.exec(asked.stderr) ?? [];
    const first = await runAskema([...command.split(' '), '1'], { cwd: project.folder, env });
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('(1 row)') });
    const other = await run(...command.split(' '), '2');
    expect(other.code).toBe(0);
    expect(other.stdout).not.toBe(first.stdout);
    const list = await run('history');
    expect(list.stdout).toMatch(/^[0-9a-f]{8}~2 .*answered/);
  });

  it('goes on with the flow that began the run, also where another one is the default by now', async () => {
    const asked = await run(...CITIES);
    const [, command = ''] = /To answer: askema (history answer \S+) ANSWER\n/.exec(asked.stderr) ?? [];
    const script = "import { scriptedModel } from '@askema/testkit';\n";
    project.write('askema.config.ts', `${script}export default { models: { mine: scriptedModel([]) } };`);
    const env = { ASKEMA_HISTORY: project.path('history'), ASKEMA_MODEL: 'mine' };
    const { code, stderr } = await runInProcess([...command.split(' '), '1'], { cwd: project.folder, env });
    expect([code, stderr]).toEqual([0, expect.stringContaining(' · plain · ')]);
  });

  it.each([
    [['--no-history'], {}],
    [[], { ASKEMA_HISTORY: 'off' }],
  ])('keeps nothing with %j %j', async (flags, env) => {
    const folder = project.path('history');
    await runInProcess([...COUNT, ...flags], { cwd: project.folder, env: { ASKEMA_HISTORY: folder, ...env } });
    expect(readdirSync(project.folder)).not.toContain('history');
  });

  it('answers all the same where nothing can be kept, and says so', async () => {
    writeFileSync(project.path('file'), '');
    const env = { ASKEMA_HISTORY: project.path('file/history') };
    const { code, stdout, stderr } = await runInProcess(COUNT, { cwd: project.folder, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('240')]);
    expect(stderr).toMatch(/note: this run is not in the history/);
  });

  it('asks nothing again that could change data', async () => {
    await run(...COUNT, '--write', '--yes');
    const { code, stderr } = await run('history', 'repeat', idOf(await run('history')));
    expect([code, stderr]).toEqual([2, expect.stringContaining('could change data')]);
  });
});
