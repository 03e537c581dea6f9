import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAskema } from '../testing/run-askema.ts';
import { type TemporaryProject, temporaryProject } from '../testing/temporary-project.ts';

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
});
afterAll(() => project.remove());

// Without the cache that tests share.
const run = (env: Readonly<Record<string, string>>) =>
  runAskema(['--version'], { cwd: project.folder, env, nodeOptions: [] });
const filesIn = (name: string): readonly string[] =>
  existsSync(project.path(name)) ? readdirSync(project.path(name), { recursive: true, encoding: 'utf8' }) : [];

describe('what V8 has compiled', () => {
  it('is kept below XDG_CACHE_HOME', async () => {
    await run({ XDG_CACHE_HOME: project.path('kept') });
    expect(filesIn('kept').length).toBeGreaterThan(5);
    expect(filesIn('kept').every((file) => file.startsWith('askema'))).toBe(true);
  });

  it('holds functions that were not called', async () => {
    await run({ XDG_CACHE_HOME: project.path('whole') });
    const kept = filesIn('whole').filter((file) => /compiled\/.*\/\w+$/.test(file));
    // What a word that is no command is answered.
    const text = 'is no command. To ask it something';
    expect(kept.filter((file) => readFileSync(project.path(`whole/${file}`), 'latin1').includes(text))).toHaveLength(1);
  });

  it('is kept where NODE_COMPILE_CACHE says, and nowhere with NODE_DISABLE_COMPILE_CACHE', async () => {
    const XDG_CACHE_HOME = project.path('unused');
    await run({ XDG_CACHE_HOME, NODE_COMPILE_CACHE: project.path('named') });
    expect(filesIn('named').length).toBeGreaterThan(5);
    await run({ XDG_CACHE_HOME, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(filesIn('unused')).toEqual([]);
  });

  it('is not read from a folder that others may write to', async () => {
    for (const open of ['askema', 'askema/compiled']) {
      const cache = open.replace('/', '-');
      mkdirSync(project.path(`${cache}/askema/compiled`), { recursive: true });
      chmodSync(project.path(`${cache}/${open}`), 0o777);
      await run({ XDG_CACHE_HOME: project.path(cache) });
      expect(filesIn(`${cache}/askema/compiled`)).toEqual([]);
    }
  });

  it('is not missed where no folder can be made', async () => {
    project.write('file', '');
    const expected = await run({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(expected.code).toBe(0);
    for (const env of [{ XDG_CACHE_HOME: project.path('file') }, { XDG_CACHE_HOME: '', HOME: '/proc/none' }])
      expect(await run(env)).toMatchObject({ code: 0, stdout: expected.stdout, stderr: '' });
  });
});
