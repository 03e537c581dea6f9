import { expect, test } from 'vitest';
import { runPage } from '../../../scripts/testing/run-page.ts';

test('the program of the guide prints what stands below it', async () => {
  const { text, stdout } = await runPage('docs/guide/charts.md', 'packages/chart');
  expect(text).toContain(`\`\`\`text\n${stdout}\`\`\``);
});

test('the program of the readme runs', async () => {
  const { stdout } = await runPage('packages/chart/README.md', 'packages/chart');
  expect(stdout).toMatch(/^chart time-line\nLine of .* 1 gap: .*\n<svg\n$/);
});
