import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

/** A model that writes the city as the question does. */
const CONFIG = `
  import { scriptedModel } from '@askema/testkit';
  const sql = "SELECT name FROM customer WHERE city = 'Londn'";
  const reply = { json: { outcome: 'sql', sql, explanation: '', not_understood: [] } };
  export default { models: { steady: () => scriptedModel(() => reply) }, defaults: { model: 'steady', flow: 'plain' } };
`;
const READ_AS = '“Londn” was read as the stored “London” of customer.city.';

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.write('askema.config.ts', CONFIG);
  project.write('own.csv', `question,sql\nWho lives in Londn?,SELECT name FROM customer WHERE city = 'London'\n`);
});
afterAll(() => project.remove());

const run = (...words: readonly string[]) => runInProcess(words, { cwd: project.folder });

// The first question loads everything.
describe('--align-values', { timeout: 60_000 }, () => {
  it('of `askema ask` runs the statement with the stored value, and says it', async () => {
    const question = ['ask', 'shop.sqlite', 'Who lives in Londn?'];
    expect((await run(...question)).stdout).not.toContain('Ada');
    const { code, stdout, stderr } = await run(...question, '--align-values');
    expect([code, stdout]).toEqual([0, 'name\n----\nAda\n(1 row)\n']);
    expect(stderr).toContain(`warning: ${READ_AS}`);
  });

  it('of `askema eval run` counts in the results, and in what the run was made with', async () => {
    const measure = async (out: string, ...flags: string[]) => {
      await run('eval', 'run', 'own.csv', '--database', 'shop.sqlite', '--out', out, ...flags);
      const [line = ''] = readFileSync(project.path(`${out}/results.jsonl`), 'utf8').split('\n');
      return (JSON.parse(line) as { verdict: string }).verdict;
    };
    expect(await measure('plain')).toBe('wrong');
    expect(await measure('aligned', '--align-values')).toBe('right');
    expect(JSON.parse(readFileSync(project.path('aligned/run.json'), 'utf8'))).toMatchObject({
      configuration: { alignValues: true },
    });
  });
});
