import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
});
afterEach(() => project.remove());

const HISTORY = { ASKEMA_HISTORY: 'off', ASKEMA_CATALOGS: 'off' };
const run = (parameters: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runInProcess(parameters, { cwd: project.folder, env: { ...HISTORY, ...env } });
const text = (name: string): string => readFileSync(project.path(name), 'utf8');
const CONFIG = process.features.typescript ? 'askema.config.ts' : 'askema.config.mjs';

describe('askema init', { timeout: 60_000 }, () => {
  it('writes a configuration of what can be asked, which then works by itself', async () => {
    project.database('shop.sqlite', SHOP_SQL);
    project.write('data/deep/shop.sqlite', '');
    project.database('data/deep/shop.sqlite', 'CREATE TABLE t (a)');
    project.write('broken.db', 'no database');
    project.write('tables/a.csv', 'x,y\n1,2\n');
    project.write('tables/b.csv', 'x,y\n1,2\n');
    project.write('package.json', '{}');
    const { code, stdout, stderr } = await run(['init']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /left out +broken +\.\/broken\.db .*\[DATABASE_INVALID\]\nok +shop +\.\/shop\.sqlite +SQLite/,
    );
    expect(stderr).toMatch(/Written: askema\.config\.\w+, \.env\.example\.\nNext: askema chat/);
    const databases = /databases: \{\n([^}]*)\}/.exec(text(CONFIG))?.[1];
    expect(databases?.trim().split(/,\s*/)).toEqual([
      "shop: './shop.sqlite'",
      "tables: './tables'",
      "'shop-2': './data/deep/shop.sqlite'",
      '',
    ]);
    expect(text('.env.example')).toContain('# OPENAI_API_KEY=\n');
    const asked = await run(['ask', 'How many customers are there?', '--format', 'csv']);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/\r\n5\r\n$/) });
    expect((await run(['schema', 'tables'])).code).toBe(0);
  });

  it('writes no secret: an address of the environment by the name of its variable', async () => {
    project.database('shop.sqlite', SHOP_SQL);
    const env = { DATABASE_URL: 'postgres://ada:hidden-word@127.0.0.1:1/shop', OPENAI_API_KEY: 'hidden-key' };
    const { stdout, stderr } = await run(['init', '--yes'], env);
    expect(stdout).toMatch(/left out +database +env:DATABASE_URL .*as ada cannot be reached.*\[DATABASE_UNAVAILABLE\]/);
    expect(stdout).toMatch(/model +openai:\S+ \(OPENAI_API_KEY is set\)/);
    expect(stdout + stderr + text(CONFIG) + text('.env.example')).not.toMatch(/hidden/);
  });

  it('changes nothing that is there', async () => {
    project.database('shop.sqlite', SHOP_SQL);
    project.write('.env.example', 'mine\n');
    expect((await run(['init'])).stderr).toContain('.env.example was there, and stays');
    expect(text('.env.example')).toBe('mine\n');
    const written = text(CONFIG);
    const { code, stderr } = await run(['init', '--yes']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is there already, and nothing is changed')]);
    expect(text(CONFIG)).toBe(written);
  });

  it('writes nothing where nothing can be asked', async () => {
    const { code, stderr } = await run(['init']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('set DATABASE_URL')]);
    expect((await run(['init'], { DATABASE_URL: 'ada:hidden-word' })).stderr).toMatch(
      /DATABASE_URL is set(?!.*hidden)/,
    );
    const unreachable = await run(['init'], { DATABASE_URL: 'postgres://ada@127.0.0.1:1/shop' });
    expect(unreachable.stdout).toContain('DATABASE_UNAVAILABLE');
    expect(unreachable.stderr).toMatch(/found can be asked(?!.*DATABASE_URL)/);
    expect(existsSync(project.path(CONFIG))).toBe(false);
  });

  it('writes names of files as text, whatever is in them', async () => {
    project.database("x'+process.exit(9)+'\\.sqlite", SHOP_SQL);
    expect((await run(['init'])).code).toBe(0);
    expect(await run(['ask', 'How many customers are there?', '--format', 'csv'])).toMatchObject({ code: 0 });
  });

  it('asks first on a terminal', async () => {
    project.database('shop.sqlite', SHOP_SQL);
    const answered = (stdin: string) =>
      runInProcess(['init'], { cwd: project.folder, env: HISTORY, stdin, columns: 100 });
    expect((await answered('n\n')).code).toBe(0);
    expect(existsSync(project.path(CONFIG))).toBe(false);
    await answered('y\n');
    expect(existsSync(project.path(CONFIG))).toBe(true);
  });
});
