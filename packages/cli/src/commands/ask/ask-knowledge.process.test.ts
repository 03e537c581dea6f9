import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const MODEL = `
version: 0.2.0.dev0
semantic_model:
  - name: shop
    datasets:
      - name: customers
        source: customer
        fields: [{ name: name, expression: { dialects: [{ dialect: ANSI_SQL, expression: name }] }, dimension: {} }]
    metrics:
      - name: vips
        expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(DISTINCT customers.name) }] }
`;

let project: TemporaryProject;

beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.write('terms/models/shop.ossie.yaml', MODEL);
  project.write('draft/proposals/models/shop.ossie.yaml', MODEL);
  project.write(
    'askema.config.ts',
    `import { scriptedModel } from '@askema/testkit';
     const json = { outcome: 'sql', sql: 'SELECT 7 AS n', explanation: '', not_understood: [], other_readings: [], would_agree: 'ten' };
     export default { knowledge: { folder: 'terms' }, models: { seven: () => scriptedModel([{ json }]) } };`,
  );
  project.write(
    'bare.ts',
    `import { default as whole } from './askema.config.ts';
     export default { models: whole.models };`,
  );
});
afterAll(() => project.remove());

const ask = (...flags: string[]) =>
  runInProcess(['ask', 'shop.sqlite', 'How many vips?', '--model', 'seven', '--format', 'csv', ...flags], {
    cwd: project.folder,
  });

describe('askema ask --knowledge', { timeout: 60_000 }, () => {
  it('answers by the definitions of the folder, and says by which', async () => {
    for (const flags of [[], ['--config', 'bare.ts', '--knowledge', 'terms']]) {
      const { code, stdout, stderr } = await ask(...flags);
      expect({ code, stdout }, stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^vips\r\n\d+\r\n$/) });
      expect(stderr).toContain('based on: metric vips (accepted): COUNT(DISTINCT customers.name)');
      expect(stderr).not.toContain('model call');
    }
  });

  it('asks the model where there is none, where it is left out, and where nobody has accepted it', async () => {
    expect((await ask('--no-knowledge')).stdout).toBe('n\r\n7\r\n');
    expect((await ask('--config', 'bare.ts')).stdout).toBe('n\r\n7\r\n');
    const draft = await ask('--knowledge', 'draft');
    expect(draft.stdout).toBe('n\r\n7\r\n');
    expect(draft.stderr).toMatch(/nothing in .*draft is used: \d+ entries are proposed/);
  });

  it('says on a terminal how an answer is kept, and only there', async () => {
    const parameters = ['ask', 'shop.sqlite', 'How many vips?', '--model', 'seven'];
    const on = (columns: number | undefined, ...more: string[]) =>
      runInProcess([...parameters, ...more], {
        cwd: project.folder,
        ...(columns === undefined ? {} : { columns }),
        env: { ASKEMA_HISTORY: project.path('history') },
      });
    expect((await on(80)).stderr).toContain('askema remember');
    for (const other of [await on(undefined), await on(80, '--no-knowledge'), await on(80, '--no-history')])
      expect([other.code, other.stderr.includes('askema remember')]).toEqual([0, false]);
  });

  it('runs nothing with --dry-run, and shows the request in case that knowledge does not answer', async () => {
    const { code, stdout, stderr } = await ask('--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('Question: How many vips?');
    expect(stdout).not.toContain('vips\r\n');
    expect(stderr).toContain('Where the knowledge answers alone, none is sent.');
    expect(stderr).toContain('Of the knowledge, the prompt shows:\n  metric:vips, named by "vips"\n');
    expect(stdout).not.toContain('named by');
    expect((await ask('--dry-run', '--no-knowledge')).stderr).not.toContain('knowledge');
  });

  it('shows in a trace what the prompt has of it, and why', async () => {
    const { stderr } = await ask('--trace');
    expect(stderr).toMatch(/ knowledge-shown id=metric:vips reason=named by "vips"\n/);
  });

  it('says what to do about a folder that is not there', async () => {
    const { code, stderr } = await ask('--knowledge', 'nowhere');
    expect(code).toBe(2);
    expect(stderr).toMatch(/There is no folder of knowledge at .*nowhere\. .*askema knowledge init/);
  });
});
