import { existsSync, lstatSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RESTRICTED_SQL, SECRET } from '../../testing/restricted-shop.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { scriptedConfig, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

vi.setConfig({ testTimeout: 120_000 });

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  const database = new Database(project.path('shop.sqlite'));
  database.exec(RESTRICTED_SQL);
  database.close();
});
afterEach(() => project.remove());

const RULES = ['--hide', 'users.ssn', '--hide', 'salaries,hr_*', '--mask', '*.email'];
/** Hidden names, and a piece of every value that is hidden or masked. */
const KEPT_BACK = new RegExp(`ssn|salaries|hr_notes|v_users|${SECRET}`, 'i');

/** The file, or the files in the folder. Links are not followed. */
function filesIn(path: string): readonly string[] {
  const about = lstatSync(path);
  if (!about.isDirectory()) return about.isFile() ? [path] : [];
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}
const run = (...words: readonly string[]) => runInProcess(words, { cwd: project.folder });

describe('hide and mask on the command line', () => {
  test.each([['plain'], ['inspect'], ['refine'], ['direct'], ['react']])(
    'no prompt of the flow %s has a hidden name or a masked value',
    async (flow) => {
      project.write('askema.config.mjs', scriptedConfig(['SELECT 1']));
      const words = [
        'ask',
        'shop.sqlite',
        'names of users in London',
        '--model',
        'scripted',
        '--flow',
        flow,
        '--dry-run',
      ];
      const bare = await run(...words);
      expect(bare.stdout).toContain('ssn');
      const { code, stdout } = await run(...words, ...RULES);
      expect(code).toBe(0);
      expect(stdout).toContain('users');
      expect(stdout).not.toMatch(/ssn|salaries|hr_notes|v_users/i);
      expect(stdout).not.toContain(SECRET);
    },
  );

  test('what the engine says of a line that it cannot read reaches neither the user nor the history', async () => {
    const rows = Array.from({ length: 200_000 }, (_, id) => `${id},name of ${id},${'x'.repeat(30)}`);
    project.write('big.csv', `id,name,pw\n${rows.join('\n')}\nbad,treasure of anna,treasure of bob\n`);
    project.write('askema.config.mjs', scriptedConfig(Array.from({ length: 6 }, () => 'SELECT sum(id) FROM big')));
    const env = { ASKEMA_HISTORY: project.path('history'), XDG_CACHE_HOME: project.path('cache') };
    const words = ['ask', 'big.csv', 'sum of the ids', '--model', 'scripted', '--trace', 'trace.jsonl'];
    const { stdout, stderr } = await runInProcess([...words, '--hide', 'big.pw', '--mask', 'big.name'], {
      cwd: project.folder,
      env,
    });
    expect(stdout + stderr).toMatch(/DuckDB did not run the statement/);
    const folders = [project.path('history'), project.path('cache')].filter((folder) => existsSync(folder));
    const files = folders.flatMap(filesIn).map((file) => readFileSync(file, 'utf8'));
    expect(files.join()).toContain('DuckDB did not run the statement');
    files.push(readFileSync(project.path('trace.jsonl'), 'utf8'));
    for (const text of [stdout, stderr, ...files]) expect(text).not.toMatch(/treasure|Original Line/);
  });

  test('no surface and no file that is left behind has a hidden name, or a value that is hidden or masked', async () => {
    const wanted = ['SELECT * FROM users', 'SELECT name FROM users'];
    project.write('askema.config.mjs', scriptedConfig([...wanted, ...wanted, ...wanted, ...wanted]));
    await run('index', 'shop.sqlite', '--out', 'whole');
    renameSync(project.path('whole'), project.path('older'));
    const known = new Set(readdirSync(project.folder));
    const env = { ASKEMA_HISTORY: project.path('history'), XDG_CACHE_HOME: project.path('cache') };
    const question = ['ask', 'shop.sqlite', 'names of users in London', '--model', 'scripted'];
    const surfaces: readonly (readonly string[])[] = [
      question,
      [...question, '--format', 'json'],
      [...question, '--value-index', 'older', '--dry-run'],
      ['index', 'shop.sqlite', '--out', 'part'],
      ['schema', 'shop.sqlite'],
      ['check', 'shop.sqlite'],
      ['lint', 'shop.sqlite', 'SELECT nam FROM users WHERE amout > 1'],
      ['lint', 'shop.sqlite', 'SELECT s FROM salary', '--value-index', 'older'],
      ['lint', 'shop.sqlite', 'SELECT * FROM users'],
    ];
    for (const words of surfaces) {
      const { stdout, stderr } = await runInProcess([...words, ...RULES], { cwd: project.folder, env });
      expect({ words, found: KEPT_BACK.exec(stdout + stderr)?.[0] }).toEqual({ words, found: undefined });
      expect(stdout + stderr).not.toBe('');
    }
    const files = readdirSync(project.folder)
      .filter((name) => !known.has(name))
      .flatMap((name) => filesIn(project.path(name)));
    expect(files.map((file) => relative(project.folder, file))).toEqual(expect.arrayContaining(['part']));
    expect(files.some((file) => file.includes('history'))).toBe(true);
    // The history keeps the flags of the user, so that the command can be repeated.
    const textOf = (file: string) => readFileSync(file, 'latin1').replace(/"flags":\{[^}]*\}/, '');
    const keptBack = files.map((file) => ({ file, found: KEPT_BACK.exec(textOf(file))?.[0] }));
    expect(keptBack).toEqual(files.map((file) => ({ file, found: undefined })));
  }, 300_000);

  test('what a model asks for all the same is refused, and what is visible is answered', async () => {
    project.write('askema.config.mjs', scriptedConfig(['SELECT ssn FROM users', 'SELECT name FROM users']));
    const { code, stdout } = await run('ask', 'shop.sqlite', 'names of users', '--format', 'csv', ...RULES);
    expect(code).toBe(0);
    expect(stdout).toContain('Ada');
    expect(stdout).not.toContain(SECRET);
  });

  test('columns beside masked ones are searched for values, and masked ones are not tried', async () => {
    const { code, stdout, stderr } = await run(
      'ask',
      'shop.sqlite',
      'names of users in London',
      '--model',
      'lexical',
      ...RULES,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("city = 'London'") });
    expect(stdout).toContain('Ada');
    const unread = await run('ask', 'shop.sqlite', 'names of users in Rome', '--model', 'lexical', ...RULES);
    expect(unread.stderr).toMatch(/Nothing in the database matches 'Rome'/);
    const index = await run('index', 'shop.sqlite', ...RULES);
    expect(index.stdout + index.stderr).not.toMatch(/email|not whole|QUERY_REFUSED/);
  });

  test('an index that was built without them gives nothing away, and one that is built with them neither', async () => {
    await run('index', 'shop.sqlite', '--out', 'whole');
    await run('index', 'shop.sqlite', '--out', 'part', ...RULES);
    const cells = new Database(project.path('part')).prepare('SELECT cell FROM value').pluck().all();
    expect(cells).toContain('Ada');
    expect(JSON.stringify(cells)).not.toContain(SECRET);
    const find = (index: string, ...more: readonly string[]) =>
      run('lint', 'shop.sqlite', `SELECT name FROM users WHERE city = '${SECRET}@a'`, '--value-index', index, ...more);
    for (const index of ['whole', 'part']) expect((await find(index, ...RULES)).stdout).not.toMatch(/ssn|email/);
  });

  test('schema and check tell neither names nor values, and check says how much is kept back', async () => {
    const schema = await run('schema', 'shop.sqlite', ...RULES);
    expect(schema.stdout).toContain('email');
    expect(schema.stdout).not.toMatch(/ssn|salaries|hr_notes/);
    const check = await run('check', 'shop.sqlite', ...RULES);
    expect(check.stdout).toMatch(/relations and \d+ further columns are hidden, 3 columns are masked/);
    expect(check.stdout + check.stderr).not.toMatch(/ssn|salaries|hr_notes/);
  });

  test('the configuration says it as well, and a mistake in it is an error', async () => {
    const config = (restrict: string) =>
      project.write(
        'askema.config.mjs',
        `export default { databases: { shop: './shop.sqlite' }, restrict: ${restrict} };`,
      );
    config("{ shop: { hide: ['users.ssn', 'salaries', 'hr_*'], mask: ['*.email'] } }");
    expect((await run('schema', 'shop')).stdout).not.toMatch(/ssn|salaries/);
  });

  test.each([
    ["{ shpo: { hide: ['users.ssn'] } }", /`restrict\.shpo` is no name of `databases`.*`shop`/],
    ["{ shop: { hide: 'users.ssn' } }", /each a list of patterns/],
    ["{ shop: { hid: ['users.ssn'] } }", /must be \{ hide\?, mask\? \}/],
    ["{ shop: { hide: ['users.snn'] } }", /names nothing in shop\.sqlite.*`users\.ssn`/],
  ])('restrict: %s is an error', async (restrict, message) => {
    project.write(
      'askema.config.mjs',
      `export default { databases: { shop: './shop.sqlite' }, restrict: ${restrict} };`,
    );
    const { code, stderr } = await run('schema', 'shop');
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('writing is refused with them', async () => {
    const { code, stderr } = await run('ask', 'shop.sqlite', 'q', '--write', '--yes', '--model', 'lexical', ...RULES);
    expect(code).toBe(2);
    expect(stderr).toContain('read only');
  });
});
