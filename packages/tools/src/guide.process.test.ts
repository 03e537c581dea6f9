import { expect, test } from 'vitest';
import { runPage } from '../../../scripts/testing/run-page.ts';

test.each([0, 1])('program %i of the guide prints what stands below it', async (at) => {
  const { text, stdout } = await runPage('docs/guide/tools.md', 'packages/tools', at);
  expect(text).toContain(`\`\`\`text\n${stdout}\`\`\``);
});

test('the program of the readme prints what its remarks say', async () => {
  const { stdout } = await runPage('packages/tools/README.md', 'packages/tools');
  expect(stdout).toBe('ask search_catalog run_sql check_sql\nanswered [[2]]\n');
});
