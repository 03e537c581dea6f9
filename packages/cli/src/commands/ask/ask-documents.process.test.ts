import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;

beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.write('vip.md', '# VIPs\n\nA VIP is Ada.');
  project.write('tiers.txt', 'Gold is above 1000.');
  project.write(
    'echo.ts',
    `import { scriptedModel } from '@askema/testkit';
     const json = { outcome: 'sql', sql: 'SELECT 1 AS n', explanation: '', not_understood: [] };
     export default { models: { echo: () => scriptedModel((request) => {
       const text = request.messages.map(({ content }) => content.map((part) => part.text).join('')).join('');
       for (const part of ['=== vip.md ===', 'A VIP is Ada.', '=== tiers.txt ===', 'Gold is'])
         if (!text.includes(part)) return new Error('missing: ' + part);
       return { json };
     }) } };`,
  );
});
afterAll(() => project.remove());

const ask = (...flags: string[]) =>
  runInProcess(
    ['ask', 'shop.sqlite', 'Who is a VIP?', '--model', 'echo', '--format', 'csv', '--config', 'echo.ts', ...flags],
    { cwd: project.folder },
  );

describe('askema ask --document', () => {
  it('shows each file to the model under its name', async () => {
    const { code, stdout, stderr } = await ask('--document', './vip.md', '--document', 'tiers.txt');
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'n\r\n1\r\n' });
  });

  it.each([
    ['missing.md', /--document missing\.md cannot be read: ENOENT/],
    ['.', /--document \. cannot be read: .*(folder|EISDIR)/],
    ['shop.sqlite', /--document shop\.sqlite is no text in UTF-8/],
    ['latin1.txt', /--document latin1\.txt is no text in UTF-8/],
    ['big.txt', /--document big\.txt cannot be read: it is longer than 2 MB/],
  ])('says what is wrong with %s, and asks nobody', async (file, message) => {
    writeFileSync(project.path('latin1.txt'), Buffer.from('caf\xe9', 'latin1'));
    writeFileSync(project.path('big.txt'), 'x'.repeat(2_000_001));
    const { code, stdout, stderr } = await ask('--document', file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
