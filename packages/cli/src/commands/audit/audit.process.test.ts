import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
const at = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
const sent = (id: string, daysAgo: number, subject: string, database: string, sql: string) => ({
  ...{ v: 1, at: at(daysAgo), phase: 'before', id, requestId: `r${id}`, subject, database },
  ...{ route: 'POST /v1/sql', kind: 'statement', sql },
});
const ended = (id: string, more: object) => ({ v: 1, at: at(0), phase: 'after', id, rows: 0, elapsedMs: 3.4, ...more });
const LINES = [
  sent('1', 9, 'ann', 'shop', 'SELECT 1'),
  ended('1', { outcome: 'done', rows: 7 }),
  sent('2', 0, 'bob', 'shop', `SELECT '\u001b[2J' ${'x'.repeat(300)}`),
  ended('2', { outcome: 'refused', code: 'QUERY_REFUSED' }),
  sent('3', 0, 'ann', 'hr', 'SELECT 3'),
];
beforeAll(() => {
  project = temporaryProject();
  const text = `${LINES.map((line) => JSON.stringify(line)).join('\n')}\n{"torn`;
  project.write('state/askema/server/audit.jsonl', text);
});
afterAll(() => project.remove());

const audit = (...parameters: readonly string[]) =>
  runInProcess(['audit', ...parameters], { cwd: project.folder, env: { XDG_STATE_HOME: project.path('state') } });
const idsOf = async (...parameters: readonly string[]): Promise<readonly string[]> =>
  (await audit(...parameters, '--format', 'jsonl')).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id);

describe('askema audit', () => {
  it('shows statements as a table that no terminal obeys, and counts what cannot be read', async () => {
    const { code, stdout, stderr } = await audit();
    expect(code).toBe(0);
    expect(stdout).toMatch(/ann +\| +\| shop +\| POST \/v1\/sql \| statement \| done +\| 7 +\| 3 +\| SELECT 1\n/);
    expect(stdout).toMatch(/refused QUERY_REFUSED/);
    expect(stdout).toMatch(/ann .*hr .* open /);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('x'.repeat(150));
    expect(stderr).toBe('note: 1 line cannot be read.\n');
  });

  it.each([
    [[], ['1', '2', '3']],
    [
      ['--since', '1d'],
      ['2', '3'],
    ],
    [
      ['--since', '2000-01-01'],
      ['1', '2', '3'],
    ],
    [
      ['--caller', 'ann'],
      ['1', '3'],
    ],
    [['--caller', 'ann', '--database', 'hr'], ['3']],
    [['--outcome', 'refused'], ['2']],
    [['--outcome', 'open'], ['3']],
    [
      ['--limit', '2'],
      ['2', '3'],
    ],
    [['--tenant', 'none'], []],
  ])('selects by %j', async (parameters, ids) => {
    expect(await idsOf(...parameters)).toEqual(ids);
  });

  it.each([
    [['--since', 'yesterday'], '--since "yesterday" is no time'],
    [['--file', 'gone.jsonl'], 'gone.jsonl cannot be read'],
    [['--outcome', 'bad'], 'Allowed choices'],
  ])('%j exits with 2', async (parameters, message) => {
    const { code, stderr } = await audit(...parameters);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('reads the log that the configuration names, and says where it keeps none', async () => {
    project.write('named.mjs', "export default { server: { audit: { file: 'own.jsonl' } } }");
    project.write('own.jsonl', `${JSON.stringify(sent('own', 0, 'ann', 'shop', 'SELECT 1'))}\n`);
    expect(await idsOf('--config', 'named.mjs')).toEqual(['own']);
    project.write('later.mjs', "export default { server: { audit: { file: 'later.jsonl' } } }");
    expect((await audit('--config', 'later.mjs')).stderr).toMatch(/no audit at .*later\.jsonl yet; `askema serve`/);
    project.write('none.mjs', 'export default { server: { audit: false } }');
    expect((await audit('--config', 'none.mjs')).stderr).toContain('There is no audit');
  });
});
