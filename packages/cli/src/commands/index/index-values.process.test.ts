import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', `${SHOP_SQL}; ALTER TABLE customer ADD email TEXT DEFAULT 'secret@example.org'`);
  project.database('other.sqlite', 'CREATE TABLE zoo (animal TEXT)');
});
afterAll(() => project.remove());

const askema = (...parameters: readonly string[]) => runInProcess(parameters, { cwd: project.folder });

describe('askema index', { timeout: 30_000 }, () => {
  it('builds an index in the working folder, says where, and reads nothing twice', async () => {
    const first = await askema('index', 'shop.sqlite');
    const file = project.path('shop.sqlite.values.sqlite');
    expect([first.code, first.stdout, existsSync(file)]).toEqual([0, `${file}\n`, true]);
    expect(first.stderr).toMatch(/^\d+ values of 3 columns, [\d.]+ MB\n3 columns read, 0 unchanged/);
    expect((await askema('index', 'shop.sqlite')).stderr).toContain('0 columns read, 3 unchanged');
    expect((await askema('index', 'shop.sqlite', '--refresh')).stderr).toContain('3 columns read, 0 unchanged');
  });

  it('finds what lint looks up', async () => {
    await askema('index', 'shop.sqlite', '--out', 'mine.values');
    const sql = "SELECT name FROM customer WHERE city = 'lodnon'";
    const { stdout } = await askema('lint', 'shop.sqlite', sql, '--value-index', 'mine.values');
    expect(stdout).toContain("stored: 'London' in customer.city");
    const other = await askema('lint', 'other.sqlite', 'SELECT animal FROM zoo', '--value-index', 'mine.values');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('mine.values')]);
  });

  it('does no harm to a question that is answered without it', async () => {
    await askema('index', 'shop.sqlite', '--out', 'mine.values');
    const ask = ['ask', 'shop.sqlite', 'How many customers have the city London?', '--model', 'lexical'];
    const without = await askema(...ask);
    const withIndex = await askema(...ask, '--value-index', 'mine.values');
    expect([without.code, withIndex.code, withIndex.stdout]).toEqual([0, 0, without.stdout]);
  });

  it('leaves out what is excluded', async () => {
    const personal = await askema('index', 'shop.sqlite', '--out', 'a.values', '--exclude-personal');
    expect(personal.stderr).not.toContain('of 3 columns');
    const none = await askema('index', 'shop.sqlite', '--out', 'b.values', '--exclude', 'customer.*');
    expect(none.stderr).toContain('0 values of 0 columns');
    const few = await askema('index', 'shop.sqlite', '--out', 'c.values', '--max-values', '1');
    expect(few.stderr).toMatch(/not whole: customer\.name/);
  });

  it.each([
    [['index'], 'DATABASE is missing'],
    [['index', 'shop.sqlite', '--max-values', 'many'], '--max-values'],
    [['index', 'shop.sqlite', '--out', 'other.sqlite'], 'other.sqlite'],
    [['lint', 'shop.sqlite', 'SELECT 1', '--value-index', 'gone.values'], 'askema index DATABASE --out gone.values'],
  ])('refuses %j', async (parameters, message) => {
    const { code, stdout, stderr } = await askema(...parameters);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });
});
